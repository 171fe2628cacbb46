/** Reads who competitors are now, and what the competitor list says of them, from the streams of persons and the contest. */

import type { ContestRef, RoundKey } from '../../../domain/references.js';
import type { AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import { type CompetitorList, type Registration, united } from '../contest/competitor-list.js';
import { contestAggregate } from '../contest/contest.decider.js';
import { presentId } from '../person/present-person.js';
import type { CompetitorFacts } from './competitor-facts.js';
import type { Roster } from './roster.js';
import { roundAggregate } from './round.decider.js';

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
