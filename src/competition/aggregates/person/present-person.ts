/** Who a person is now, after merges, as the streams of persons tell it. */

import type { AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import { type PersonState, personAggregate } from './person.decider.js';

/** The person of the space under this id, which may have been merged; null: the space has none. */
export const personIn = async (
  aggregates: AggregateRuntime,
  spaceId: string,
  personId: number,
): Promise<PersonState | null> => {
  const isHere = (state: PersonState): boolean => state.phase !== 'none' && state.spaceId === spaceId;
  const cached = await aggregates.load(personAggregate, personId);
  if (isHere(cached.state)) return cached.state;
  // Not known from the cache: the person may have been registered elsewhere a moment ago.
  const { state } = await aggregates.load(personAggregate, personId, { fresh: true });
  return isHere(state) ? state : null;
};

/** The id that this person has now. Null when the space has no such person. */
export const presentId = async (
  aggregates: AggregateRuntime,
  spaceId: string,
  personId: number,
): Promise<number | null> => {
  const seen = new Set<number>();
  for (let id = personId; !seen.has(id); ) {
    const state = await personIn(aggregates, spaceId, id);
    if (state === null) return null;
    const moved = state.phase === 'merging' || state.phase === 'merged';
    if (!moved || state.into === null) return id;
    seen.add(id);
    id = state.into;
  }
  return personId;
};
