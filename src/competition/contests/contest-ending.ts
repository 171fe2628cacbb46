/**
 * What an ending does, step by step, each harmless when done before: every planned round is closed by an append to its own stream
 * (also one never opened, so that an opening under way loses), every key is ended, and only then the ending is recorded. No
 * attempt can follow the record in the global order.
 */

import type { ContestRef } from '../../domain/references.js';
import type { AggregateRuntime, CommandContext } from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { apiKeyAggregate } from '../aggregates/api-key/api-key.decider.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';

/** Carries an ending that was begun to its end, whoever began it; nothing to do when there is none. */
export const completeEnding = async (
  aggregates: AggregateRuntime,
  contest: ContestRef,
  context: CommandContext,
): Promise<Position> => {
  const { state, position } = await aggregates.load(contestAggregate, contest, { fresh: true });
  const { ending } = state;
  if (state.phase !== 'ending' || ending === null) return position;
  const caused = await aggregates.following(contestAggregate, contest, 'ContestEnding', context);
  await Promise.all(
    [...state.rounds.values()].map(async ({ eventId, roundNumber }) => {
      const round = { spaceId: contest.spaceId, competitionId: contest.competitionId, eventId, roundNumber };
      accepted(await aggregates.execute(roundAggregate, round, { type: 'SealRound' }, caused));
    }),
  );
  await Promise.all(
    [...state.keyIds].map(async (keyId) => {
      const end = { type: 'EndApiKey', reason: ending } as const;
      accepted(await aggregates.execute(apiKeyAggregate, keyId, end, caused));
    }),
  );
  const complete = { type: 'CompleteEnding' } as const;
  return accepted(await aggregates.execute(contestAggregate, contest, complete, caused)).position;
};
