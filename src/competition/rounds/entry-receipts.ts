/** What became of an entry, for its sender. */
import { membersKey } from '../../domain/references.js';
import { placeOf } from '../../domain/round-entry.js';
import { averageOf, singleOf } from '../../domain/scoring.js';
import { changesOf, noAttempts, type RoundEvent, type RoundState } from '../aggregates/round/round.js';
import type { Entrant } from './contest-entrants.js';
import type { EnteredResult } from './round.commands.js';

/** What the round now says of these competitors, and whether these events changed it. */
export const enteredResults = (
  state: RoundState,
  events: readonly RoundEvent[],
  entrants: readonly Entrant[],
): readonly EnteredResult[] => {
  const changed = new Set<string>();
  const byMembers = new Map<string, string>();
  for (const { data } of events) {
    if (!('resultId' in data)) continue;
    changed.add(data.resultId);
    byMembers.set(membersKey(data.personIds), data.resultId);
  }
  const { setup } = state;
  return entrants.map((entrant) => {
    const place = placeOf(state, entrant);
    // A result that is gone is known by its members alone.
    const id = place.result?.resultId ?? byMembers.get(membersKey(place.personIds)) ?? place.resultId;
    const attempts = place.result?.attempts ?? noAttempts(state);
    return {
      resultId: id,
      personIds: place.personIds,
      attempts,
      best: singleOf(attempts),
      average: setup === null ? 0 : averageOf(attempts, { ...setup.rules, valueFormat: setup.valueFormat }),
      changed: changed.has(id),
      changes: changesOf(state, { resultId: id, personIds: place.personIds }),
    };
  });
};
