/** The quick readers of entry bodies and the class-validator description of the same bodies give one verdict. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AttemptEntry,
  quickAttempt,
  quickResults,
  type ResultsEntry,
  readAttempt,
  readResults,
} from '../../../../src/competition/rounds/entry-reader.js';
import { RejectedError, type Rejection } from '../../../../src/domain/rejections.js';

/** Values at and around what each field takes. */
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    ' ',
    0,
    -1,
    1,
    1.5,
    -0,
    2 ** 53,
    1e300,
    true,
    [],
    {},
    '1',
    '1,2',
    'a',
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(200),
    'x'.repeat(201),
    '💥'.repeat(150),
    '2016ADAA01',
    '2016ADAA01, 2017B',
    ',',
    '1,',
    '01',
  ),
  fc.anything(),
);
const good = {
  spaceId: fc.constantFrom(undefined, null, 'default'),
  competitionId: fc.constantFrom('Open2026', 'x'),
  eventId: fc.constantFrom('333'),
  roundNumber: fc.integer({ min: 1, max: 9 }),
};
const either = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: odd });

const competitor = fc.oneof(
  { weight: 4, arbitrary: fc.record({ personId: either(fc.integer({ min: 1 })) }) },
  { weight: 2, arbitrary: fc.record({ assocId: either(fc.constantFrom('2016ADAA01')) }) },
  { weight: 1, arbitrary: fc.record({ wcaId: either(fc.constantFrom('2016ADAA01')) }) },
  { weight: 1, arbitrary: fc.record({ personId: odd, assocId: odd, wcaId: odd }) },
  {
    weight: 2,
    arbitrary: fc.record({
      registrantId: either(fc.constantFrom<unknown>(17, '17', '3,4')),
      wcaId: either(fc.constantFrom(undefined, null, '', '2016ADAA01')),
    }),
  },
  { weight: 1, arbitrary: fc.record({ registrantId: odd, personId: odd, assocId: odd, wcaId: odd }) },
);
const round = fc.oneof(
  fc.record({
    spaceId: either(good.spaceId),
    competitionId: either(good.competitionId),
    eventId: either(good.eventId),
    roundNumber: either(good.roundNumber),
  }),
  fc.record({
    competitionId: odd,
    competitionWcaId: either(good.competitionId),
    eventId: either(good.eventId),
    roundNumber: either(good.roundNumber),
  }),
);
const segment = fc.constantFrom(undefined, 'default', 'club');

/** What a body is refused for; null: nothing. */
const refusalOf = (read: () => AttemptEntry | ResultsEntry): Rejection | null => {
  try {
    const entry = read();
    return ('results' in entry && entry.faulty?.refused) || null;
  } catch (error) {
    if (!(error instanceof RejectedError)) throw error;
    return error.rejection;
  }
};

const verdict = (
  read: () => AttemptEntry | ResultsEntry,
): 'accepted' | 'named' | 'refused without a field' => {
  const refused = refusalOf(read);
  if (refused === null) return 'accepted';
  return (refused.errors?.length ?? 0) > 0 ? 'named' : 'refused without a field';
};

describe('the readers of entry bodies', () => {
  it('refuse an attempt exactly where its description names a field', () => {
    const body = fc
      .tuple(
        round,
        competitor,
        fc.record({ attemptNumber: either(fc.integer({ min: 1 })), attemptResult: either(fc.integer()) }),
      )
      .map((parts) => Object.assign({}, ...parts));
    fc.assert(
      fc.property(body, segment, (fields, space) => {
        const quick = quickAttempt(fields, space);
        expect(verdict(() => readAttempt(fields, space))).toBe(quick === null ? 'named' : 'accepted');
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuse results exactly where their description names a field', () => {
    const attempts = either(fc.array(either(fc.record({ result: either(fc.integer()) })), { maxLength: 6 }));
    const row = fc.tuple(competitor, fc.record({ attempts })).map((parts) => Object.assign({}, ...parts));
    const body = fc
      .tuple(round, fc.record({ results: either(fc.array(either(row), { maxLength: 4 })) }))
      .map((parts) => Object.assign({}, ...parts));
    fc.assert(
      fc.property(body, segment, (fields, space) => {
        const quick = quickResults(fields, space);
        expect(verdict(() => readResults(fields, space))).toBe(quick === null ? 'named' : 'accepted');
      }),
      { numRuns: 2_000 },
    );
  });

  it('name each row of a wrong shape by its index, and leave exactly the others to be judged', () => {
    const good = fc.record({
      personId: fc.integer({ min: 1 }),
      attempts: fc.constantFrom([], [{ result: 900 }]),
    });
    const bad = fc.constantFrom<unknown>(7, null, {}, { personId: 'x', attempts: [] }, { personId: 1 });
    const rows = fc.array(fc.oneof(good, bad), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(rows, (results) => {
        const body = { competitionId: 'x', eventId: '333', roundNumber: 1, results };
        const whole = results.map((row) => quickResults({ ...body, results: [row] })?.results[0]);
        const wrong = whole.flatMap((row, index) => (row === undefined ? [index] : []));
        const refused = refusalOf(() => readResults(body));
        const named = refused?.errors?.map(({ field }) => Number(/\d+/.exec(field)?.[0]));
        expect([...new Set(named)]).toEqual(wrong);
        if (wrong.length === results.length) return;
        const { faulty, results: judged } = readResults(body);
        expect(judged).toEqual(whole.filter((row) => row !== undefined));
        const indexes = whole.flatMap((row, index) => (row === undefined ? [] : [index]));
        expect(faulty?.indexes ?? indexes).toEqual(indexes);
      }),
    );
  });

  it('refuse whatever is no object', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(null, undefined, 'x', 5, true), fc.array(fc.anything())),
        (body) => {
          expect(verdict(() => readAttempt(body))).toBe('named');
          expect(verdict(() => readResults(body))).toBe('named');
        },
      ),
    );
  });
});
