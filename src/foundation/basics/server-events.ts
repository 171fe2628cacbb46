/**
 * Reads server-sent events by fetch, and resumes after the last one when the connection is lost. For programs and pages: an
 * EventSource hides why it was refused, and sends no headers.
 */
import { Connections, type LongRequest } from './resumed-reply.js';

export interface ServerEvent {
  readonly name: string;
  readonly id: string;
  /** JSON. */
  readonly data: string;
}

/** Ends when the signal aborts. Throws RequestRefusedError. */
export async function* serverEvents(subscription: LongRequest): AsyncGenerator<ServerEvent> {
  const connections = new Connections(subscription);
  let lastId = '';
  yield* connections.all(async function* () {
    const headers = { ...subscription.headers, ...(lastId !== '' && { 'last-event-id': lastId }) };
    for await (const block of connections.parts('\n\n', { headers })) {
      const { id, event, data = 'null' } = fieldsOf(block);
      lastId = id ?? lastId;
      connections.progressed();
      if (event !== undefined) yield { name: event, id: lastId, data };
    }
  });
}

/** Only the fields that the server writes. */
const fieldsOf = (block: string): { readonly id?: string; readonly event?: string; readonly data?: string } =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );
