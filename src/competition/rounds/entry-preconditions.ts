/**
 * What must hold before an entry is decided: the space, the contest, the contest and the purpose of the key, the event and
 * the round, in this order. Every command on results asks here first.
 */

import { type RoundRules, roundCode } from '../../domain/attempts.js';
import type { RoundKey } from '../../domain/references.js';
import { RejectedError, type Rejection, type RejectionCode } from '../../domain/rejections.js';
import type { AggregateRuntime, CommandContext } from '../../foundation/aggregates/aggregate.js';
import { apiKeyAggregate, keyRefusal } from '../aggregates/api-key/api-key.decider.js';
import type { CompetitorList } from '../aggregates/contest/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import { spaceAggregate } from '../aggregates/space/space.decider.js';

export interface EntryPreconditions {
  /** As planned: tells which other rounds share a cumulative time limit. */
  readonly rules: RoundRules;
  /** Null while the contest is ongoing. */
  readonly refusal: Rejection | null;
  readonly list: CompetitorList;
}

const missing = (code: RejectionCode, field: string, message: string): Rejection => ({
  code,
  detail: message,
  errors: [{ field, rule: code, message }],
});

const isPublic = ({ phase }: ContestState): boolean =>
  phase !== 'none' && phase !== 'draft' && phase !== 'deleted';

const notOngoing = ({ phase }: ContestState): Rejection | null =>
  phase === 'ongoing'
    ? null
    : {
        code: 'contest-not-ongoing',
        detail: `the contest is ${phase === 'ending' ? 'being ended' : phase}: attempts are taken only while it is ongoing`,
      };

const look = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
  options: { readonly fresh: boolean },
): Promise<EntryPreconditions | Rejection> => {
  const { spaceId, competitionId, eventId, roundNumber } = round;
  const { state: space } = await aggregates.load(spaceAggregate, spaceId, options);
  if (space.name === null) return missing('space-not-found', 'spaceId', `there is no space ${spaceId}`);
  const { state: contest } = await aggregates.load(contestAggregate, { spaceId, competitionId }, options);
  if (!isPublic(contest))
    return missing('contest-not-found', 'competitionId', `there is no contest ${competitionId}`);
  if (context.keyId !== undefined) {
    const { state: key } = await aggregates.load(apiKeyAggregate, context.keyId, options);
    const refused = keyRefusal(key.issued, round, 'entry');
    if (refused !== null) return refused;
  }
  if (!space.events.has(eventId))
    return missing('event-not-found', 'eventId', `there is no event ${eventId}`);
  const planned = contest.rounds.get(roundCode(round));
  if (planned !== undefined) return { rules: planned.rules, refusal: notOngoing(contest), list: contest };
  return contest.rounds.some((other) => other.eventId === eventId)
    ? missing('round-not-found', 'roundNumber', `${eventId} has no round ${roundNumber} in this contest`)
    : missing('event-not-found', 'eventId', `the contest does not have the event ${eventId}`);
};

/**
 * Throws RejectedError. What cached states refuse is looked up again in the streams: the contest may have been opened by another
 * process a moment ago.
 */
export const entryPreconditions = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
): Promise<EntryPreconditions> => {
  const cached = await look(aggregates, round, context, { fresh: false });
  if (!('code' in cached) && cached.refusal === null) return cached;
  const current = await look(aggregates, round, context, { fresh: true });
  if ('code' in current) throw new RejectedError(current);
  return current;
};
