/**
 * Random histories of a small world: six persons of four countries on three continents, a contest of each type, an
 * event of each value format and one for teams. Values come from small sets, so that ties, averages about to be
 * rounded and repeated entries are common. A history is plain data; test/support/history-runner.ts carries it out.
 */
import fc from 'fast-check';
import type { OracleAdvancement } from './oracle/advancement.js';
import type { OracleCutoff, OracleRoundFormat, OracleValueFormat } from './oracle/arithmetic.js';
import type { OracleRegionPeriod } from './oracle/regions.js';
import { type ReferenceStep, referenceSteps } from './reference-steps.js';

export const PERSONS = 6;
export const CONTESTS = ['competition', 'meetup', 'online'] as const;
const COUNTRIES = ['IE', 'DE', 'JP', 'US'] as const;
/** Every region whose list is asked for; null is World. FR and XS have no persons. */
export const LISTED_REGIONS = [null, ...COUNTRIES, 'FR', 'XE', 'XA', 'XN', 'XS'] as const;

export interface SmallEvent {
  readonly eventId: string;
  readonly format: OracleValueFormat;
  readonly participants: number;
  /** Of the rounds that are planned in every contest; where there are two, a third may be planned later. */
  readonly rounds: number;
}

export const EVENTS: readonly SmallEvent[] = [
  { eventId: 'cube', format: 'time', participants: 1, rounds: 2 },
  { eventId: 'moves', format: 'number', participants: 1, rounds: 1 },
  { eventId: 'blind', format: 'multi', participants: 1, rounds: 1 },
  { eventId: 'pair', format: 'time', participants: 2, rounds: 1 },
];

export interface SmallRules {
  readonly format: OracleRoundFormat;
  readonly date: string | null;
  readonly cutoff: OracleCutoff | null;
  readonly advancement: OracleAdvancement | null;
  /** Centiseconds of a limit for each attempt. */
  readonly timeLimit: number | null;
}

/** A round by places in the lists above. */
export interface RoundChoice {
  readonly contest: number;
  readonly event: number;
  readonly roundNumber: number;
}

/** Who competes: as many of these as the event has participants, named by person or association id. */
export interface CompetitorChoice {
  readonly persons: readonly number[];
  readonly by: 'personId' | 'assocId';
}

/** `pick` numbers choose a value of the event's small set. */
export type Step =
  | {
      readonly step: 'attempt';
      readonly round: RoundChoice;
      readonly competitor: CompetitorChoice;
      /** Counted on from the first, around the attempts of the format. */
      readonly attemptNumber: number;
      readonly pick: number;
    }
  | {
      readonly step: 'results';
      readonly round: RoundChoice;
      readonly rows: readonly { readonly competitor: CompetitorChoice; readonly picks: readonly number[] }[];
    }
  /** `nth` chooses one of the round's results, also of those that were removed; the change before its last one is taken back where `late`. */
  | { readonly step: 'undo'; readonly round: RoundChoice; readonly nth: number; readonly late: boolean }
  | { readonly step: 'plan'; readonly round: RoundChoice; readonly rules: SmallRules }
  | { readonly step: 'close' | 'open' | 'unplan'; readonly round: RoundChoice }
  | {
      readonly step: 'move';
      readonly person: number;
      readonly from: string;
      readonly regionCode: string | null;
    }
  | { readonly step: 'correct'; readonly person: number; readonly timeline: readonly OracleRegionPeriod[] }
  | {
      readonly step: 'profile';
      readonly person: number;
      readonly change: {
        readonly name?: string;
        readonly localizedName?: string | null;
        readonly assocId?: string | null;
      };
    }
  | { readonly step: 'register'; readonly timeline: readonly OracleRegionPeriod[] }
  | { readonly step: 'merge'; readonly from: number; readonly into: number }
  | { readonly step: 'erase'; readonly person: number }
  | {
      readonly step: 'edit';
      readonly contest: number;
      readonly change: {
        readonly type?: (typeof CONTESTS)[number];
        readonly endDate?: string;
        readonly shortName?: string;
        readonly regionCode?: string | null;
      };
    }
  | { readonly step: 'finish' | 'reopen' | 'delete'; readonly contest: number }
  | { readonly step: 'default-format'; readonly event: number; readonly format: OracleRoundFormat }
  | { readonly step: 'key'; readonly contest: number }
  /** A file brings a round that is only shown; it counts nowhere. */
  | {
      readonly step: 'opaque';
      readonly contest: number;
      readonly event: number;
      readonly persons: readonly number[];
    }
  | {
      readonly step: 'register-competitor';
      readonly contest: number;
      readonly person: number;
      readonly eventIds: readonly string[];
    }
  | { readonly step: 'replace-list'; readonly contest: number; readonly rows: readonly ListedChoice[] }
  | { readonly step: 'check-in' | 'withdraw'; readonly contest: number; readonly person: number }
  | {
      readonly step: 'mark';
      readonly round: RoundChoice;
      readonly persons: readonly number[];
      readonly mark: 'expected' | 'no-show' | 'quit';
    }
  /** With those who go on by the rule but the `without`th of them, and `plus` of those next in line. */
  | { readonly step: 'advance'; readonly round: RoundChoice; readonly without: number; readonly plus: number }
  | { readonly step: 'undo-opening'; readonly round: RoundChoice }
  | ReferenceStep
  /** A venue of the contest's schedule, which nothing but the schedule shows. */
  | { readonly step: 'schedule'; readonly contest: number; readonly timeZone: string }
  /** What a screen shows, which nothing but the screens show. */
  | { readonly step: 'screen'; readonly contest: number; readonly seconds: number }
  /** Nothing happens, and nothing may change: the server begins again with empty memories, or builds read models again. */
  | { readonly step: 'restart' }
  | { readonly step: 'replay'; readonly projection: number };

/** A row of a whole competitor list. */
export interface ListedChoice {
  readonly person: number;
  readonly eventIds: readonly string[];
  readonly state: 'registered' | 'checked-in' | 'withdrawn' | null;
}

export interface History {
  readonly timelines: readonly (readonly OracleRegionPeriod[])[];
  /** The events for which each person of the beginning is registered, of each contest; null: it begins without a list. */
  readonly lists: readonly (readonly (readonly string[])[] | null)[];
  /** Rules of the rounds in the order of contests, events and round numbers. */
  readonly rules: readonly SmallRules[];
  readonly defaultFormats: readonly OracleRoundFormat[];
  readonly steps: readonly Step[];
}

const VALUES: Readonly<Record<OracleValueFormat, readonly number[]>> = {
  time: [0, -1, -2, 900, 901, 1000, 1000, 1100, 1204, 60_049, 60_050, 60_051, 60_149, 60_151, 8_640_000],
  number: [0, -1, -2, 24, 25, 25, 26, 28],
  multi: [
    0, -1, 998_000_360_000_001, 998_000_360_000_001, 998_100_300_000_000, 999_700_100_000_002,
    -999_900_100_000_002,
  ],
};

export const pickedValue = (format: OracleValueFormat, pick: number): number =>
  VALUES[format][pick % VALUES[format].length] ?? 0;

const DATES = ['2020-03-01', '2020-03-02', '2021-06-01', '2022-01-01'] as const;

/** Beyond those of the beginning are persons who register later. */
export const person = fc.nat({ max: PERSONS + 1 });
const contest = fc.nat({ max: CONTESTS.length - 1 });
const event = fc.nat({ max: EVENTS.length - 1 });
export const pick = fc.nat({ max: 200 });
const country = fc.constantFrom(...COUNTRIES, null);
const date = fc.constantFrom(...DATES);

const round: fc.Arbitrary<RoundChoice> = fc
  .record({ contest, event, later: fc.constantFrom(1, 1, 2, 2, 3) })
  .map(({ later, ...rest }) => ({ ...rest, roundNumber: EVENTS[rest.event]?.rounds === 2 ? later : 1 }));

export const competitor: fc.Arbitrary<CompetitorChoice> = fc.record({
  persons: fc.uniqueArray(person, { minLength: 2, maxLength: 2 }),
  by: fc.constantFrom('personId' as const, 'personId' as const, 'assocId' as const),
});

export const rules: fc.Arbitrary<SmallRules> = fc.record({
  format: fc.constantFrom('a', 'a', 'm', '5', '3', '2', '1'),
  date: fc.option(date),
  cutoff: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        numberOfAttempts: fc.constantFrom(1, 2),
        attemptResult: fc.constantFrom(1000, 1001),
      }),
    },
  ),
  advancement: fc.option(
    fc.oneof(
      fc.record({ type: fc.constant('number' as const), value: fc.constantFrom(1, 2, 3) }),
      fc.record({ type: fc.constant('percent' as const), value: fc.constantFrom(50, 75) }),
      fc.record({ type: fc.constant('value' as const), value: fc.constantFrom(1000, 1001) }),
    ),
  ),
  timeLimit: fc.constantFrom(null, null, null, 60_100),
});

export const timeline: fc.Arbitrary<readonly OracleRegionPeriod[]> = fc.oneof(
  country.map((regionCode) => [{ from: null, regionCode }]),
  fc.record({ before: country, after: country, from: date }).map(({ before, after, from }) => [
    { from: null, regionCode: before },
    { from, regionCode: after },
  ]),
);

/** Most are registered for most events, so that most entries are taken. */
export const registeredEvents = fc.oneof(
  { weight: 4, arbitrary: fc.constant(EVENTS.map(({ eventId }) => eventId)) },
  { weight: 1, arbitrary: fc.subarray(EVENTS.map(({ eventId }) => eventId)) },
);

/** Rounds of the event that has more than one. */
export const cubeRoundOf = (of: fc.Arbitrary<number>): fc.Arbitrary<RoundChoice> =>
  fc
    .record({ contest: of, roundNumber: fc.constantFrom(1, 1, 1, 2) })
    .map((choice) => ({ ...choice, event: 0 }));

export const rosterSteps = (of: fc.Arbitrary<number>, who = person): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        step: fc.constant('register-competitor' as const),
        contest: of,
        person: who,
        eventIds: registeredEvents,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        step: fc.constant('replace-list' as const),
        contest: of,
        rows: fc.uniqueArray(
          fc.record({
            person,
            eventIds: registeredEvents,
            state: fc.constantFrom(
              null,
              null,
              'registered' as const,
              'checked-in' as const,
              'withdrawn' as const,
            ),
          }),
          { minLength: 3, selector: (row) => row.person },
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        step: fc.constantFrom('check-in' as const, 'withdraw' as const, 'withdraw' as const),
        contest: of,
        person: who,
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        step: fc.constant('mark' as const),
        round: cubeRoundOf(of),
        persons: fc.uniqueArray(who, { minLength: 1, maxLength: 2 }),
        mark: fc.constantFrom('expected' as const, 'no-show' as const, 'quit' as const),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        step: fc.constant('advance' as const),
        round: cubeRoundOf(of),
        without: fc.nat(6),
        plus: fc.constantFrom(0, 0, 0, 1, 2),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ step: fc.constant('undo-opening' as const), round: cubeRoundOf(of) }),
    },
  );

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: rosterSteps(contest) },
  {
    weight: 30,
    arbitrary: fc.record({
      step: fc.constant('attempt' as const),
      round,
      competitor,
      attemptNumber: fc.nat(4),
      pick,
    }),
  },
  {
    weight: 25,
    arbitrary: fc.record({
      step: fc.constant('results' as const),
      round,
      rows: fc.array(fc.record({ competitor, picks: fc.array(pick, { minLength: 1, maxLength: 5 }) }), {
        minLength: 1,
        maxLength: 4,
      }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('plan' as const), round, rules }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constantFrom('close' as const, 'open' as const, 'open' as const, 'unplan' as const),
      round,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      step: fc.constant('undo' as const),
      round,
      nth: pick,
      late: fc.constantFrom(false, false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constant('move' as const), person, from: date, regionCode: country }),
  },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('correct' as const), person, timeline }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('profile' as const),
      person,
      change: fc.record(
        {
          name: fc.constantFrom('Ann', 'Bo'),
          localizedName: fc.constantFrom('安', null),
          assocId: fc.constantFrom('2020PERS00', '2021NEWS01', '2021News01', '2021NEWS02', null),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('register' as const), timeline }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant('merge' as const), from: person, into: person }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('erase' as const), person }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant('edit' as const),
      contest,
      change: fc.record(
        {
          type: fc.constantFrom(...CONTESTS),
          endDate: date,
          shortName: fc.constantFrom('Short', 'Shorter'),
          regionCode: country,
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constantFrom('finish' as const, 'reopen' as const, 'delete' as const),
      contest,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('default-format' as const),
      event,
      format: fc.constantFrom('a' as const, 'm' as const, '5' as const, '3' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('key' as const), contest }) },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('opaque' as const),
      contest,
      event,
      persons: fc.uniqueArray(person, { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('schedule' as const),
      contest,
      timeZone: fc.constantFrom('Europe/Dublin', 'Asia/Tokyo', 'nowhere'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      step: fc.constant('screen' as const),
      contest,
      seconds: fc.constantFrom(4, 15, 30),
    }),
  },
  { weight: 6, arbitrary: referenceSteps(person) },
  { weight: 3, arbitrary: fc.constant({ step: 'restart' as const }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('replay' as const), projection: fc.nat(7) }) },
);

export const ROUNDS = CONTESTS.length * EVENTS.reduce((sum, { rounds }) => sum + rounds, 0);

/** Histories of up to `steps` steps behind the same kind of beginning. */
export const histories = (steps: number): fc.Arbitrary<History> =>
  fc.record({
    timelines: fc.array(timeline, { minLength: PERSONS, maxLength: PERSONS }),
    lists: fc.array(fc.option(fc.array(registeredEvents, { minLength: PERSONS, maxLength: PERSONS })), {
      minLength: CONTESTS.length,
      maxLength: CONTESTS.length,
    }),
    rules: fc.array(rules, { minLength: ROUNDS, maxLength: ROUNDS }),
    defaultFormats: fc.array(fc.constantFrom('a' as const, 'm' as const, '5' as const, '3' as const), {
      minLength: EVENTS.length,
      maxLength: EVENTS.length,
    }),
    steps: fc.array(step, { minLength: 1, maxLength: steps, size: 'max' }),
  });

/** The same without what an operator does meanwhile. */
export const unattended = (history: History): History => ({
  ...history,
  steps: history.steps.filter(({ step }) => step !== 'restart' && step !== 'replay'),
});

/** A history without surprises but its steps: all persons from one country, no lists, all rounds averages of five. */
export const plainHistory = (steps: readonly Step[]): History => ({
  timelines: Array.from({ length: PERSONS }, () => [{ from: null, regionCode: 'IE' }]),
  lists: CONTESTS.map(() => null),
  rules: Array.from({ length: ROUNDS }, () => ({
    format: 'a' as const,
    date: null,
    cutoff: null,
    advancement: null,
    timeLimit: null,
  })),
  defaultFormats: EVENTS.map(() => 'a' as const),
  steps,
});
