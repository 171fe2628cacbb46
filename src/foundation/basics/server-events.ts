/**
 * Reads server-sent events by fetch, and resumes after the last one when the connection is lost. For programs and pages: an
 * EventSource hides why it was refused, and sends no headers.
 */
import { messageOf } from './error-message.js';

export interface ServerEvent {
  readonly name: string;
  readonly id: string;
  /** JSON. */
  readonly data: string;
}

export interface EventSubscription {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the reason when the connection is lost, before it is made again; with null when it is there. */
  readonly onConnection: (lost: string | null) => void;
}

/** The same request would be refused again, or no server answers the first one. */
export class EventsRefusedError extends Error {}

interface Resume {
  /** Of the last event. */
  id: string;
  /** Since the last event. */
  retries: number;
  hasBegun: boolean;
}

/** Milliseconds before each retry; the last one repeats. */
const RETRY_PAUSES_MS = [250, 1_000, 2_000, 4_000, 8_000, 15_000];
/** The server sends something every 20 s. */
const MAX_SILENCE_MS = 60_000;

/** Ends when the signal aborts. Throws EventsRefusedError. */
export async function* serverEvents(subscription: EventSubscription): AsyncGenerator<ServerEvent> {
  const { url, signal, onConnection } = subscription;
  const resume: Resume = { id: '', retries: 0, hasBegun: false };
  while (!signal.aborted) {
    let reason = 'the server ended it';
    try {
      yield* connection(subscription, resume);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof EventsRefusedError) throw error;
      reason = reasonOf(error);
      if (!resume.hasBegun) throw new EventsRefusedError(`no server answers at ${url.origin}: ${reason}`);
    }
    if (signal.aborted) return;
    if (resume.retries === 0) onConnection(reason);
    await pause(RETRY_PAUSES_MS[Math.min(resume.retries, RETRY_PAUSES_MS.length - 1)] ?? 0, signal);
    resume.retries += 1;
  }
}

async function* connection(
  { url, headers, signal, onConnection }: EventSubscription,
  resume: Resume,
): AsyncGenerator<ServerEvent> {
  const silence = new AbortController();
  const silenceTimer = () =>
    setTimeout(() => silence.abort(new Error('it was silent for too long')), MAX_SILENCE_MS);
  let timer = silenceTimer();
  try {
    const reply = await fetch(url, {
      headers: { ...headers, ...(resume.id !== '' && { 'last-event-id': resume.id }) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    resume.hasBegun = true;
    if (reply.status !== 200 || reply.body === null) throw await refusalOf(reply);
    onConnection(null);
    const pieces = reply.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
      clearTimeout(timer);
      timer = silenceTimer();
      text += decoder.decode(piece.value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const { id, event, data = 'null' } = fieldsOf(block);
        resume.id = id ?? resume.id;
        resume.retries = 0;
        if (event !== undefined) yield { name: event, id: resume.id, data };
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Only the fields that the server writes. */
const fieldsOf = (block: string): { readonly id?: string; readonly event?: string; readonly data?: string } =>
  Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)];
    }),
  );

const refusalOf = async (reply: Response): Promise<Error> => {
  const problem: unknown = await reply.json().catch(() => null);
  const hasDetail = typeof problem === 'object' && problem !== null && 'detail' in problem;
  const detail = hasDetail ? String(problem.detail) : `the server answers ${reply.status}`;
  return reply.status >= 500 || reply.status === 429 ? new Error(detail) : new EventsRefusedError(detail);
};

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && error.cause.message !== ''
    ? error.cause.message
    : messageOf(error);

/** Resolves after the time, or when the signal aborts. It leaves no listener behind: there may be many pauses. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
