/**
 * What the streams of persons and of the contest say of the competitors of a round, and how the rosters of open rounds follow the
 * competitor list.
 */

import type { ContestRef, RoundKey } from '../../domain/references.js';
import { type Registration } from '../../domain/registrations.js';
import type { CompetitorFacts, Roster } from '../../domain/roster.js';
import type { AggregateRuntime, CommandContext } from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { type CompetitorList, hasList, united } from '../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestEvent } from '../aggregates/contest/contest.js';
import { presentId } from '../aggregates/person/competitors.js';
import { roundAggregate, roundDecider } from '../aggregates/round/round.decider.js';

// --- facts -----------------------------------------------------------------------------------------------------------

/** Of the persons on the list of the contest and on these rosters. */
export const competitorFacts = async (
  aggregates: AggregateRuntime,
  { spaceId }: Pick<ContestRef, 'spaceId'>,
  {
    list,
    rosters,
  }: {
    readonly list: Pick<CompetitorList, 'registrations'>;
    readonly rosters: readonly (Roster | null)[];
  },
): Promise<CompetitorFacts> => {
  const onRosters = rosters.flatMap((roster) => [...(roster?.values() ?? [])]);
  const ids = new Set([...list.registrations.keys(), ...onRosters.flatMap(({ personIds }) => personIds)]);
  const merged = new Map<number, number>();
  await Promise.all(
    [...ids].map(async (id) => {
      const present = await presentId(aggregates, spaceId, id);
      if (present !== null && present !== id) merged.set(id, present);
    }),
  );
  const idsOf = new Map<number, number[]>();
  for (const id of list.registrations.keys()) {
    const present = merged.get(id) ?? id;
    idsOf.set(present, [...(idsOf.get(present) ?? []), id]);
  }
  const registrations = new Map<number, Registration>();
  for (const [present, registered] of idsOf) {
    const registration = united(list, registered);
    if (registration !== null) registrations.set(present, registration);
  }
  return { merged, registrations };
};

/** Of the persons on the list and on the roster of the round, as the streams have them now. */
export const factsOf = async (aggregates: AggregateRuntime, round: RoundKey): Promise<CompetitorFacts> => {
  const { state: list } = await aggregates.load(contestAggregate, round, { fresh: true });
  const { state } = await aggregates.load(roundAggregate, round);
  return competitorFacts(aggregates, round, { list, rosters: [state.roster] });
};

// --- following -------------------------------------------------------------------------------------------------------

// Who is registered for an event after its first round was opened comes onto that roster. Who withdraws or is dropped is no
// longer taken in open rounds, and comes back when registered again. The list and the rosters are in different streams, so
// this follows the list as it is: repeating it changes nothing.

const FOLLOWED: ReadonlySet<string> = new Set<ContestEvent['type']>([
  'CompetitorsRegistered',
  'CompetitorEventsChanged',
  'CompetitorsWithdrawn',
  'CompetitorsDropped',
]);

/** Whether an event of this type may change who is expected in an open round. */
export const concernsRosters = (type: string): boolean => FOLLOWED.has(type);

/** Lets the rosters of these rounds of a contest follow. Returns the position of the last append; 0 when all do already. */
const follow = async (
  aggregates: AggregateRuntime,
  contest: ContestRef,
  { rounds, context }: { readonly rounds: readonly RoundKey[]; readonly context: CommandContext },
): Promise<Position> => {
  // Another node may just have opened a round.
  const loaded = await Promise.all(
    rounds.map(async (round) => {
      const { state } = await aggregates.load(roundAggregate, round, { fresh: true });
      return { round, state };
    }),
  );
  const following = loaded.filter(({ state }) => state.phase === 'open' && state.roster !== null);
  if (following.length === 0) return 0;
  // Another node may have changed the list while this one opened the round.
  const { state: list } = await aggregates.load(contestAggregate, contest, { fresh: true });
  const rosters = following.map(({ state }) => state.roster);
  const facts = await competitorFacts(aggregates, contest, { list, rosters });
  let last: Position = 0;
  for (const { round, state } of following) {
    const command = { type: 'FollowList', round, facts } as const;
    // Most rounds follow already.
    const decision = roundDecider.decide(command, state);
    if (decision.ok && decision.events.length === 0) continue;
    const { position } = accepted(await aggregates.execute(roundAggregate, round, command, context));
    last = Math.max(last, position);
  }
  return last;
};

/** The roster of one round. */
export const rosterFollows = (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
): Promise<Position> => follow(aggregates, round, { rounds: [round], context });

/** The rosters of all rounds of a contest. */
export const rostersFollow = async (
  aggregates: AggregateRuntime,
  { spaceId, competitionId }: ContestRef,
  context: CommandContext,
): Promise<Position> => {
  const contest = { spaceId, competitionId };
  const { state } = await aggregates.load(contestAggregate, contest);
  if (!hasList(state)) return 0;
  const rounds = [...state.rounds.values()].map(({ eventId, roundNumber }) => ({
    ...contest,
    eventId,
    roundNumber,
  }));
  return follow(aggregates, contest, { rounds, context });
};
