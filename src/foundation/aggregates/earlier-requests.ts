/**
 * Commands whose request (idempotency key) may have been used so long ago that the stream's state has let go of it. It is looked
 * up among the stored ones before the command is decided, for all commands that wait at once.
 */
import type { DomainEvent } from '../../domain/decider.js';
import type { KnownRequest, SnapshotCodec } from './aggregate.js';
import type { Request } from './command-batch.js';
import { type StreamState, short } from './stream-state.js';

/** Of an aggregate; undefined where it has no snapshots. */
type Codec<S, C> = SnapshotCodec<S, C> | undefined;

const requestOf = <S, C, E>(codec: Codec<S, C>, { command }: Request<S, C, E>): KnownRequest | undefined =>
  command === undefined ? undefined : codec?.requestOf(command);

/** Whether it has to be looked up before the command is decided: the state may have let go of it since the last time. */
export const isUnknown = <Id, S, C, E extends DomainEvent>(
  codec: Codec<S, C>,
  { lineage, cuts }: StreamState<Id, S, C, E>,
  request: Request<S, C, E>,
): boolean => lineage !== null && request.lookedUp !== cuts && requestOf(codec, request) !== undefined;

/** Returns those that could not be looked up, and why. */
export const lookUp = async <Id, S, C, E extends DomainEvent>(
  codec: Codec<S, C>,
  state: StreamState<Id, S, C, E>,
  waiting: readonly Request<S, C, E>[],
): Promise<ReadonlyMap<Request<S, C, E>, unknown>> => {
  const { cuts } = state;
  const unknown = waiting.filter((request) => isUnknown(codec, state, request));
  const keys = unknown.map((request) => short(requestOf(codec, request)?.key ?? ''));
  try {
    const found = await state.find(keys);
    if (found === null) state.lose();
    else
      for (const [index, request] of unknown.entries()) {
        request.earlier = found.get(keys[index] ?? '');
        request.lookedUp = cuts;
      }
    return new Map();
  } catch (error) {
    return new Map(unknown.map((request) => [request, error]));
  }
};

/** The state with the command's request in it, where it was used before. */
export const recalled = <S, C, E>(codec: Codec<S, C>, request: Request<S, C, E>, state: S): S => {
  const asked = requestOf(codec, request);
  if (request.earlier === undefined || !codec || !asked) return state;
  const fingerprint = short(asked.fingerprint) === request.earlier ? asked.fingerprint : request.earlier;
  return codec.withRequests(state, codec.requests(state).set(asked.key, fingerprint));
};
