/**
 * A believable world, drawn from a seed: who there is, and everything that happens, one action after the other, as an
 * organiser or a device would command it. Actions go through the command bus (world-commands.ts) or straight into
 * events (world-events.ts); either way the same is written.
 */

import type { ContestDetails, PlannedRound } from '../../contests/contest.events.js';
import type { RoundRef } from '../../domain/attempts.js';
import type { RegionPeriod } from '../../persons/person.events.js';
import { catalogueEvent } from '../../spaces/catalogue.js';
import type { EventDefinition } from '../../spaces/space.events.js';
import { dateOf, dayAt } from './calendar.js';
import { ContestMaker } from './contests.js';
import { makePeople, type WorldPerson } from './people.js';
import { Random } from './random.js';
import { DISCIPLINES } from './skill.js';

export interface WorldOptions {
  /** How many results the world has in the end. */
  readonly results: number;
  /** A 32-bit integer: the same seed and number of results give the same world. */
  readonly seed: number;
}

export interface World extends WorldOptions {
  readonly persons: readonly WorldPerson[];
  readonly events: readonly EventDefinition[];
}

/** A round of a contest of the world. */
export interface WorldRound extends RoundRef {
  readonly competitionId: string;
}

/** Persons are named by their index in the world. */
export type WorldAction =
  | { readonly type: 'define-event'; readonly event: EventDefinition }
  | { readonly type: 'register'; readonly person: WorldPerson }
  | { readonly type: 'move'; readonly person: number; readonly from: string; readonly regionCode: string }
  | { readonly type: 'correct-region'; readonly person: number; readonly timeline: readonly RegionPeriod[] }
  | {
      readonly type: 'create-contest';
      readonly competitionId: string;
      readonly details: Omit<ContestDetails, 'organizerIds'>;
      readonly organizers: readonly number[];
      readonly rounds: readonly PlannedRound[];
    }
  | { readonly type: 'announce' | 'finish'; readonly competitionId: string }
  | { readonly type: 'open-round'; readonly round: WorldRound }
  | {
      readonly type: 'enter-attempt';
      readonly round: WorldRound;
      readonly persons: readonly number[];
      readonly attemptNumber: number;
      readonly value: number;
    }
  | {
      readonly type: 'enter-results';
      readonly round: WorldRound;
      readonly rows: readonly { readonly persons: readonly number[]; readonly attempts: readonly number[] }[];
    };

const RESULTS_A_PERSON = 25;
const FEWEST_PERSONS = 24;

/** Throws RangeError for a number of results that is none. */
export const planWorld = ({ results, seed }: WorldOptions): World => {
  if (!Number.isSafeInteger(results) || results < 1)
    throw new RangeError('results must be a positive whole number');
  if (!Number.isSafeInteger(seed)) throw new RangeError('seed must be a whole number');
  const count = Math.max(FEWEST_PERSONS, Math.ceil(results / RESULTS_A_PERSON));
  return {
    results,
    seed,
    persons: makePeople(count, new Random(seed, 1)),
    events: DISCIPLINES.flatMap(({ eventId }) => catalogueEvent(eventId) ?? []),
  };
};

/** Everything that happens, in the order of time. */
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

/** What happens to persons, in the order of time. */
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
