/** An append on a call of its own, for servers before 21.10, which do not know the batch append. */
import { WrongExpectedVersionError } from '@eventstore/db-client';
import type { AppendAnswer, AppendRequest } from './append-request.js';
import type { EsdbClient } from './client-internals.js';
import { eventData, positionOf } from './codec.js';
import { failureOf, withinTime } from './failures.js';

/** Throws EsdbFailure. */
export const singleAppend = async (
  client: EsdbClient,
  { stream, expected, events }: AppendRequest,
  timeoutMs: number,
): Promise<AppendAnswer> => {
  const { requiresLeader } = client;
  const expectedRevision = typeof expected === 'number' ? BigInt(expected) : expected;
  const options = { expectedRevision, requiresLeader, deadline: timeoutMs };
  try {
    const appended = client.appendToStream(stream, events.map(eventData), options);
    // It asks the server for its features first, which has no deadline.
    const { nextExpectedRevision, position } = await withinTime(appended, timeoutMs);
    return {
      ok: true,
      revision: Number(nextExpectedRevision),
      position: position ? positionOf(position.commit) : null,
    };
  } catch (error) {
    if (!(error instanceof WrongExpectedVersionError)) throw failureOf(error);
    const { actualVersion } = error;
    return { ok: false, actual: actualVersion === 'no_stream' ? actualVersion : Number(actualVersion) };
  }
};
