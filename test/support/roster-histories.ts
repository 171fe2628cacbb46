/** Random histories of the rounds of one event in a contest that begins with a competitor list. */
import fc from 'fast-check';
import {
  CONTESTS,
  competitor,
  cubeRoundOf,
  EVENTS,
  type History,
  PERSONS,
  person,
  pick,
  ROUNDS,
  registeredEvents,
  rosterSteps,
  rules,
  type Step,
  timeline,
} from './histories.js';

/** The first contest. */
const FIRST = fc.constant(0);

/** What happens to the rounds of one event with a competitor list: whole results, so that somebody advances. */
const rosteredStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      step: fc.constant('results' as const),
      round: cubeRoundOf(FIRST),
      rows: fc.array(fc.record({ competitor, picks: fc.array(pick, { minLength: 5, maxLength: 5 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('attempt' as const),
      round: cubeRoundOf(FIRST),
      competitor,
      attemptNumber: fc.nat(4),
      pick,
    }),
  },
  { weight: 20, arbitrary: rosterSteps(FIRST) },
  {
    weight: 5,
    arbitrary: fc.record({
      step: fc.constantFrom('close' as const, 'open' as const, 'open' as const),
      round: cubeRoundOf(FIRST),
    }),
  },
  { weight: 2, arbitrary: fc.record({ step: fc.constant('merge' as const), from: person, into: person }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('register' as const), timeline }) },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('plan' as const), round: cubeRoundOf(FIRST), rules }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ step: fc.constantFrom('finish' as const, 'reopen' as const), contest: FIRST }),
  },
  { weight: 1, arbitrary: fc.constant({ step: 'restart' as const }) },
);

/** The first contest begins with a list. */
export const rosterSetting = {
  timelines: fc.constant(Array.from({ length: PERSONS }, () => [{ from: null, regionCode: 'IE' }])),
  lists: fc
    .array(registeredEvents, { minLength: PERSONS, maxLength: PERSONS })
    .map((list) => CONTESTS.map((_, index) => (index === 0 ? list : null))),
  rules: fc.array(rules, { minLength: ROUNDS, maxLength: ROUNDS }),
  defaultFormats: fc.constant(EVENTS.map(() => 'a' as const)),
};

/** Histories of the first contest and of the rounds of its event with more than one. */
export const rosterHistories = (steps: number): fc.Arbitrary<History> =>
  fc.record({
    ...rosterSetting,
    steps: fc.array(rosteredStep, { minLength: steps / 2, maxLength: steps, size: 'max' }),
  });
