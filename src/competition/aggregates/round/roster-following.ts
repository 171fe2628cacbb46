/**
 * Lets the rosters of open rounds follow the competitor list. Who is registered for an event after its first round was opened comes
 * onto that roster. Who withdraws or is dropped is no longer taken in open rounds, and comes back when registered again. The list
 * and the rosters are in different streams, so this follows the list as it is: repeating it changes nothing.
 */

import type { ContestRef, RoundKey } from '../../../domain/references.js';
import type { AggregateRuntime, CommandContext } from '../../../foundation/aggregates/aggregate.js';
import { accepted } from '../../../foundation/aggregates/outcome.js';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { hasList } from '../contest/competitor-list.js';
import { contestAggregate } from '../contest/contest.decider.js';
import type { ContestEvent } from '../contest/contest.js';
import { factsOf } from './competitor-lookup.js';
import { type RoundCommand, roundAggregate, roundDecider } from './round.decider.js';

const FOLLOWED: ReadonlySet<string> = new Set<ContestEvent['type']>([
  'CompetitorsRegistered',
  'CompetitorEventsChanged',
  'CompetitorsWithdrawn',
  'CompetitorsDropped',
]);

/** Whether an event of this type may change who is expected in an open round. */
export const concernsRosters = (type: string): boolean => FOLLOWED.has(type);

/** The roster of one round. Returns the position of the append; 0 when the roster follows already. */
export const rosterFollows = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
): Promise<Position> => {
  const { state } = await aggregates.load(roundAggregate, round);
  if (state.phase !== 'open' || state.roster === null) return 0;
  const follow = async (): Promise<RoundCommand> => {
    const facts = await factsOf(aggregates, round, { fresh: false });
    return { type: 'FollowList', round, facts };
  };
  // Most rounds follow already. Asking the stream of each would make a change of the list wait.
  const decision = roundDecider.decide(await follow(), state);
  if (decision.ok && decision.events.length === 0) return 0;
  return accepted(await aggregates.execute(roundAggregate, round, follow, context)).position;
};

/** The rosters of all rounds of a contest. */
export const rostersFollow = async (
  aggregates: AggregateRuntime,
  contest: ContestRef,
  context: CommandContext,
): Promise<Position> => {
  const { state } = await aggregates.load(contestAggregate, contest);
  if (!hasList(state)) return 0;
  const { spaceId, competitionId } = contest;
  let last: Position = 0;
  for (const { eventId, roundNumber } of state.rounds.values()) {
    const round = { spaceId, competitionId, eventId, roundNumber };
    last = Math.max(last, await rosterFollows(aggregates, round, context));
  }
  return last;
};
