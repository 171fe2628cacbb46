/** Writing a contest and reading it back gives the same contest, for any contest, as WCIF and as CSV. */
import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { EventDefinition } from '../../../../src/competition/aggregates/space/space.events.js';
import type {
  ContestFile,
  FileOpaqueParts,
  FilePerson,
  FileRound,
  Reading,
} from '../../../../src/competition/exchange/formats/contest-file.js';
import { writeResultsCsv } from '../../../../src/competition/exchange/formats/results-csv.js';
import { readResultsCsv } from '../../../../src/competition/exchange/formats/results-csv-reader.js';
import { writeWcif2 } from '../../../../src/competition/exchange/formats/wcif-2-writer.js';
import { readWcif } from '../../../../src/competition/exchange/formats/wcif-reader.js';
import { writeWcif } from '../../../../src/competition/exchange/formats/wcif-writer.js';
import { catalogueEvent } from '../../../../src/competition/spaces/catalogue.js';
import { CONTEST_TYPES, ROUND_FORMATS, type ValueFormat } from '../../../../src/domain/attempts.js';
import { attemptsOf } from '../../../../src/domain/scoring.js';

const RUNS = { numRuns: 40 };
/** DNF and DNS are negative. */
const isNumber = (cell: string): boolean => /^-?\d+$/.test(cell);
const place = { file: 'made', line: 1, column: 1 };

/** Commas, quotes, letters of any script, and beginnings of formulas. */
const text = fc
  .stringMatching(/^[A-Za-zåßŁ金Ж"',.;=+@-]( ?[A-Za-zåßŁ金Ж"',.;=+@-]){0,20}$/)
  .filter((name) => name.trim() !== '' && name.trim() === name);

/** Also such as look like a name in two scripts. */
const name = fc.oneof(
  { weight: 4, arbitrary: text },
  text.map((latin) => `${latin} (Жан)`),
  text.map((latin) => `${latin}  ${latin}`),
);
const localizedName = fc.oneof(
  fc.stringMatching(/^[一-龠]{1,4}$/),
  fc.constantFrom('José', '金 (兑)', ')', 'Жан（'),
);

const person = (ref: number): fc.Arbitrary<FilePerson> =>
  fc.record({
    name,
    localizedName: fc.option(localizedName, { nil: null }),
    assocId: fc.option(fc.stringMatching(/^20\d\d[A-Z]{4}\d\d$/), { nil: null }),
    regionCode: fc.option(fc.constantFrom('IE', 'KR', 'US'), { nil: null }),
    ref: fc.constant(String(ref)),
  });

const attemptValue = (format: ValueFormat): fc.Arbitrary<number> => {
  const special = fc.constantFrom(-1, -2, 0);
  switch (format) {
    case 'time':
      return fc.oneof(special, fc.integer({ min: 1, max: 8_640_000 }));
    case 'number':
      return fc.oneof(special, fc.integer({ min: 1, max: 80 }));
    case 'multi': {
      // From one second on: 99 points in no time are written as a 0, which is an attempt not made.
      const parts = fc
        .tuple(fc.nat(99), fc.integer({ min: 1, max: 3600 }), fc.nat(20))
        .filter(([points, , missed]) => points + missed > 0);
      return fc.oneof(
        special,
        parts.map(([points, seconds, missed]) => (9999 - points) * 1e11 + seconds * 1e6 + missed),
      );
    }
    default:
      return format satisfies never;
  }
};

const EVENTS = ['333', '333fm', '333mbf', '333_team_bld'].flatMap((id) => catalogueEvent(id) ?? []);

/** `first`: the number of the round's first person; no person is in two rounds. */
const round = (event: EventDefinition, first: number): fc.Arbitrary<FileRound> =>
  fc.constantFrom(...ROUND_FORMATS).chain((format) => {
    const attempts = attemptsOf(format);
    const result = (index: number): fc.Arbitrary<FileRound['results'][number]> =>
      fc.record({
        competitors: fc.tuple(
          ...Array.from({ length: event.participants }, (_, member) =>
            person(first + index * event.participants + member),
          ),
        ),
        attempts: fc
          .array(attemptValue(event.format), { minLength: attempts, maxLength: attempts })
          .filter((values) => values.some((value) => value !== 0)),
        published: fc.constant({ best: null, average: null, rank: null }),
        place: fc.constant(place),
        attemptPlaces: fc.constant([]),
      });
    return fc.record({
      eventId: fc.constant(event.eventId),
      roundNumber: fc.constant(1),
      rules: fc.record({
        format: fc.constant(format),
        date: fc.constantFrom('2024-02-29', null),
        timeLimit: fc.constantFrom(null, { centiseconds: 6000, cumulativeRounds: ['333-r1', '333fm-r1'] }),
        cutoff: fc.constantFrom(null, { numberOfAttempts: 1, attemptResult: 500 }),
        advancement: fc.constantFrom(
          null,
          { type: 'number', value: 8 },
          { type: 'percent', value: 50 },
          { type: 'value', value: event.format === 'multi' ? 999_400_360_000_001 : 900 },
        ),
      }),
      results: fc
        .nat(3)
        .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => result(index)))),
      place: fc.constant(place),
    });
  });

/** A third round of 333 that is head to head, and what a file says of how its rounds belong together. */
const opaque: fc.Arbitrary<FileOpaqueParts> = fc.record({
  rounds: fc
    .record({
      date: fc.constantFrom('2024-02-29', null),
      results: fc
        .nat(3)
        .chain((count) =>
          fc.tuple(...Array.from({ length: count }, (_, index) => opaqueResult(900 + index))),
        ),
    })
    .map((given) => [{ eventId: '333', roundNumber: 3, format: 'h' as const, at: place, ...given }]),
  participation: fc
    .record({
      linkedRounds: fc.constantFrom(null, ['333-r1', '333-r2']),
      source: fc.constantFrom(null, {
        roundIds: ['333-r1', '333-r2'],
        resultCondition: { type: 'percent' as const, scope: 'average' as const, value: 50 },
      }),
      reservedPlaces: fc.constantFrom(null, { nationalities: ['IE', 'FR'], count: 2 }),
    })
    .map((said) => (Object.values(said).every((part) => part === null) ? [] : [said]))
    .map((said) => said.map((each) => ({ eventId: '333', roundNumber: 3, ...each }))),
});

const opaqueResult = (number: number): fc.Arbitrary<FileOpaqueParts['rounds'][number]['results'][number]> =>
  fc.record({
    competitors: person(number).map((one) => [one]),
    place: fc.option(fc.integer({ min: 1, max: 16 })),
    attempts: fc.array(attemptValue('time'), { maxLength: 7 }),
    best: fc.option(fc.integer({ min: 1, max: 9_999 })),
    average: fc.option(fc.integer({ min: 1, max: 9_999 })),
  });

const unnumbered: fc.Arbitrary<Omit<ContestFile, 'competitors'>> = fc.record({
  source: fc.constant('made'),
  competitionId: fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/),
  details: fc.record({
    name: text,
    shortName: text,
    type: fc.constantFrom(...CONTEST_TYPES),
    city: fc.option(text, { nil: null }),
    regionCode: fc.constantFrom('IE', null),
    venue: fc.option(text, { nil: null }),
    startDate: fc.constant('2024-02-28'),
    endDate: fc.constantFrom('2024-02-28', '2024-03-01', '2026-01-01'),
  }),
  organizers: fc
    .uniqueArray(text, { maxLength: 2 })
    .map((names) =>
      names.map(
        (name): FilePerson => ({ name, localizedName: null, assocId: null, regionCode: null, ref: null }),
      ),
    ),
  events: fc.constant(EVENTS),
  rounds: fc.tuple(...EVENTS.map((event, index) => round(event, 100 * index + 1))),
  opaque,
  notes: fc.constant([]),
  place: fc.constant(place),
});

/** Some of those who have a result have a number, at most one. */
const contest: fc.Arbitrary<ContestFile> = fc
  .tuple(unnumbered, fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }))
  .map(([made, numbers]) => {
    const persons = made.rounds.flatMap(({ results }) => results.flatMap(({ competitors }) => competitors));
    const competitors = numbers.flatMap((number, index) => {
      const numbered = persons[index];
      return numbered === undefined ? [] : [{ person: numbered, number, place }];
    });
    return { ...made, competitors };
  });

/** What a contest says, without where it stood, how persons are numbered, and what follows from the attempts. */
const said = (reading: Reading | undefined, { withOpaque = false } = {}): object => {
  if (!reading?.ok) return reading ?? {};
  const { competitionId, details, organizers, competitors: all, events, rounds, opaque } = reading.contest;
  const named = ({ ref: _, ...rest }: FilePerson): object => rest;
  return {
    competitionId,
    details,
    organizers: organizers.map(named),
    numbers: all.map(({ person: { name }, number }) => [number, name]).sort(),
    events,
    ...(withOpaque && {
      participation: opaque?.participation,
      opaqueRounds: opaque?.rounds.map(({ at: _, results, ...duels }) => ({
        ...duels,
        results: results.map(({ competitors, ...result }) => ({
          ...result,
          competitors: competitors.map(named),
        })),
      })),
    }),
    rounds: rounds.map(({ eventId, roundNumber, rules, results }) => ({
      eventId,
      roundNumber,
      rules,
      results: results.map(({ competitors, attempts }) => ({
        competitors: competitors.map(named),
        attempts,
      })),
    })),
  };
};

describe('a contest written and read back is the same', () => {
  it('as WCIF 1, which has no opaque parts', () => {
    fc.assert(
      fc.property(contest, (made) => {
        const read = readWcif('made', JSON.stringify(writeWcif(made)));
        expect(said(read)).toEqual(said({ ok: true, contest: made }));
      }),
      RUNS,
    );
  });

  it('as WCIF 2, in which the last round says no advancement', () => {
    fc.assert(
      fc.property(contest, (made) => {
        const rounds = made.rounds.flatMap((first) => [
          first,
          { ...first, roundNumber: 2, rules: { ...first.rules, advancement: null }, results: [] },
        ]);
        const whole = { ...made, rounds };
        const read = readWcif('made', JSON.stringify(writeWcif2(whole)));
        const withOpaque = true;
        expect(said(read, { withOpaque })).toEqual(said({ ok: true, contest: whole }, { withOpaque }));
      }),
      RUNS,
    );
  });

  it('as CSV, which has no numbers', () => {
    fc.assert(
      fc.property(contest, (made) => {
        const [read] = readResultsCsv('made', writeResultsCsv([made]));
        expect(said(read)).toEqual(said({ ok: true, contest: { ...made, competitors: [] } }));
      }),
      RUNS,
    );
  });

  it('as CSV, in which no text is a formula', () => {
    fc.assert(
      fc.property(contest, (made) => {
        const cells: string[][] = parse(writeResultsCsv([made]));
        for (const cell of cells.flat()) if (!isNumber(cell)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      }),
      RUNS,
    );
  });

  it('and written again gives the same bytes', () => {
    fc.assert(
      fc.property(contest, (made) => {
        const text = writeResultsCsv([made]);
        const again = readResultsCsv('made', text).flatMap((reading) =>
          reading.ok ? [reading.contest] : [],
        );
        expect(writeResultsCsv(again)).toBe(text);
      }),
      RUNS,
    );
  });
});
