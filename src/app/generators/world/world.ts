/**
 * A realistic world from a seed: its persons, and all actions in order, as an organizer or a device would send
 * them. world-events.ts turns the actions directly into events. The tests also send them as commands; both
 * write the same.
 */
import { catalogueEvent } from '../../../competition/spaces/catalogue.js';
import { dateOf, dayAt } from './calendar.js';
import { ContestMaker } from './contests.js';
import { makePeople, type WorldPerson } from './people.js';
import { Random } from './random.js';
import { DISCIPLINES } from './skill.js';
import type { World, WorldAction, WorldOptions } from './world-actions.js';

const RESULTS_A_PERSON = 25;
const MIN_PERSONS = 24;

/** Throws RangeError when the number of results or the seed is invalid. */
export const planWorld = ({ results, seed }: WorldOptions): World => {
  if (!Number.isSafeInteger(results) || results < 1)
    throw new RangeError('results must be a positive whole number');
  if (!Number.isSafeInteger(seed)) throw new RangeError('seed must be a whole number');
  const count = Math.max(MIN_PERSONS, Math.ceil(results / RESULTS_A_PERSON));
  return {
    results,
    seed,
    persons: makePeople(count, new Random(seed, 1)),
    events: DISCIPLINES.flatMap(({ eventId }) => catalogueEvent(eventId) ?? []),
  };
};

/** All actions, ordered by time. */
export function* worldActions(world: World): Generator<WorldAction> {
  for (const event of world.events) yield { type: 'define-event', event };
  for (const person of world.persons) yield { type: 'register', person };
  const contests = new ContestMaker(world, new Random(world.seed, 2));
  const changes = changesOf(world.persons);
  let next = 0;
  while (contests.results < world.results) {
    const day = dayAt(contests.results / world.results);
    for (; (changes[next]?.day ?? Number.POSITIVE_INFINITY) <= day; next += 1) {
      const change = changes[next];
      if (change) yield change.action;
    }
    yield* contests.make(day);
  }
}

/** Moves and corrections of persons, ordered by time. */
const changesOf = (
  persons: readonly WorldPerson[],
): readonly { readonly day: number; readonly action: WorldAction }[] =>
  persons
    .flatMap(({ index, move, correction }) => {
      const changes: { readonly day: number; readonly action: WorldAction }[] = [];
      if (move) {
        const action = {
          type: 'move',
          person: index,
          from: dateOf(move.day),
          regionCode: move.to.code,
        } as const;
        changes.push({ day: move.day, action });
      }
      if (correction) {
        const action = { type: 'correct-region', person: index, timeline: correction.timeline } as const;
        changes.push({ day: correction.day, action });
      }
      return changes;
    })
    .sort((a, b) => a.day - b.day);
