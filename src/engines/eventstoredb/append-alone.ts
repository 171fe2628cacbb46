/** An append on a call of its own, as servers before 21.10 want it, which know no batches. */
import { type AppendTarget, fillOptions, fillProposed } from './append-parts.js';
import type { AppendAnswer, AppendRequestParts } from './batch-appends.js';
import { type EncodedEvent, positionOf } from './codec.js';
import type { EsdbClient } from './esdb-client.js';
import { failureOf } from './failures.js';
import { AppendReq, type AppendRequest, type AppendResponse } from './protocol.js';

/** Throws EsdbFailure. */
export const appendAlone = async (
  client: EsdbClient,
  { events, ...target }: AppendRequestParts,
  timeoutMs: number,
): Promise<AppendAnswer> => {
  try {
    return answerOf(await client.appendAlone([header(target), ...events.map(proposed)], timeoutMs));
  } catch (error) {
    throw failureOf(error);
  }
};

const answerOf = (response: AppendResponse): AppendAnswer => {
  const conflict = response.getWrongExpectedVersion();
  if (conflict) {
    return {
      ok: false,
      actual: conflict.hasCurrentRevision() ? Number(conflict.getCurrentRevision()) : 'no_stream',
    };
  }
  const success = response.getSuccess();
  const position = success?.getPosition()?.getCommitPosition();
  return {
    ok: true,
    revision: Number(success?.getCurrentRevision()),
    position: position === undefined ? null : positionOf(position),
  };
};

const header = (target: AppendTarget): AppendRequest => {
  const options = new AppendReq.Options();
  fillOptions(options, target, (revision) => options.setRevision(revision));
  const request = new AppendReq();
  request.setOptions(options);
  return request;
};

const proposed = (event: EncodedEvent): AppendRequest => {
  const message = new AppendReq.ProposedMessage();
  fillProposed(message, event);
  const request = new AppendReq();
  request.setProposedMessage(message);
  return request;
};
