/** Random histories of two competitors on one roster who turn out to be one person, and of what happens to them then. */
import fc from 'fast-check';
import {
  CONTESTS,
  cubeRoundOf,
  EVENTS,
  type History,
  PERSONS,
  pick,
  rosterSteps,
  type Step,
} from './histories.js';
import { rosterSetting } from './roster-histories.js';

const FIRST = fc.constant(0);
const ROUND = { contest: 0, event: 0, roundNumber: 1 };
const ALL_EVENTS = EVENTS.map(({ eventId }) => eventId);

/** What happens to these persons, mostly in the first round. */
const stepOf = (who: fc.Arbitrary<number>): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 10, arbitrary: rosterSteps(FIRST, who) },
    {
      weight: 5,
      arbitrary: fc.record({
        step: fc.constant('mark' as const),
        round: fc.constant(ROUND),
        persons: fc.tuple(who),
        mark: fc.constantFrom('expected' as const, 'quit' as const),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        step: fc.constant('results' as const),
        round: cubeRoundOf(FIRST),
        rows: fc.tuple(
          fc.record({
            competitor: fc.record({ persons: fc.tuple(who), by: fc.constant('personId' as const) }),
            picks: fc.oneof(fc.constant([0]), fc.array(pick, { minLength: 1, maxLength: 5 })),
          }),
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        step: fc.constant('undo' as const),
        round: cubeRoundOf(FIRST),
        nth: pick,
        late: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        step: fc.constantFrom('close' as const, 'open' as const),
        round: cubeRoundOf(FIRST),
      }),
    },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('merge' as const), from: who, into: who }) },
    { weight: 1, arbitrary: fc.record({ step: fc.constant('erase' as const), person: who }) },
    { weight: 1, arbitrary: fc.constant({ step: 'restart' as const }) },
  );

/**
 * Of three persons, whom alone the contest begins with: the first has some attempts and is merged into the second, who has none;
 * the third has all. `steps`: at most so many come after the merge.
 */
export const mergeHistories = (steps: number): fc.Arbitrary<History> =>
  fc
    .uniqueArray(fc.nat({ max: PERSONS - 1 }), { minLength: 3, maxLength: 3 })
    .chain(([from = 0, into = 0, other = 0]) => {
      const list = Array.from({ length: PERSONS }, (_, person) =>
        [from, into, other].includes(person) ? ALL_EVENTS : [],
      );
      const entered = ([person, picks]: readonly [number, readonly number[]]) => ({
        competitor: { persons: [person], by: 'personId' as const },
        picks,
      });
      const results: Step = {
        step: 'results',
        round: ROUND,
        rows: [entered([from, [3, 4]]), entered([other, [4, 5, 6, 7, 3]])],
      };
      const step = stepOf(fc.constantFrom(from, into, into, other));
      return fc
        .record({
          ...rosterSetting,
          lists: fc.constant(CONTESTS.map((_, index) => (index === 0 ? list : null))),
          before: fc.array(step, { maxLength: 3 }),
          after: fc.array(step, { minLength: steps / 2, maxLength: steps, size: 'max' }),
        })
        .map(({ before, after, ...rest }) => ({
          ...rest,
          steps: [results, ...before, { step: 'merge' as const, from, into }, ...after],
        }));
    });
