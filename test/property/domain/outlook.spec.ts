/** What is needed in the next attempt is the worst value that is enough: the next worse one is not. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DNF, MAX_VALUE, NOT_TAKEN } from '../../../src/domain/attempts.js';
import type { Need } from '../../../src/domain/needs.js';
import { absentOutlook, type Outlook, outlooksOf } from '../../../src/domain/outlook.js';
import type { Standings } from '../../../src/domain/record-needs.js';
import { decodeMulti } from '../../../src/domain/scoring.js';
import { countEnds, type OracleRound, oracleProspects } from '../../support/oracle/advancement.js';
import { attemptsOf, oracleAverage, oracleBest, placeKeys } from '../../support/oracle/arithmetic.js';
import { propertyRuns } from '../../support/property-runs.js';
import { oracleRound, roundsOf } from '../../support/rounds-under-way.js';

/** Times are below it. */
const TIME_LIMIT = 12;
const MOST = { time: TIME_LIMIT - 1, number: 1_000_000_000_000, multi: MAX_VALUE };
const STANDINGS: Standings = {
  single: { WR: 1, CR: 2, NR: null, PR: 0 },
  average: { WR: 2, CR: 150, NR: 3, PR: 0 },
};

const KNOWN = { standings: STANDINGS, spentElsewhere: 0 };

const hallRound = ({ results, absent, valueFormat, ...rules }: OracleRound) => ({
  eventId: 'any',
  valueFormat,
  rules: { ...rules, timeLimit: { centiseconds: TIME_LIMIT, cumulativeRounds: [] } },
  results,
  absent,
});

const outlooksIn = (round: OracleRound): readonly (Outlook | null)[] =>
  outlooksOf(
    hallRound(round),
    round.results.map(() => KNOWN),
  );

const isLegal = (value: number, { valueFormat }: OracleRound): boolean =>
  value <= MOST[valueFormat] && (valueFormat !== 'multi' || decodeMulti(value) !== null);

/** Null: there is none. */
const nextWorse = (value: number, round: OracleRound): number | null => {
  for (let worse = value + 1; worse <= MOST[round.valueFormat]; worse += 1)
    if (isLegal(worse, round)) return worse;
  return null;
};

type IsEnough = (value: number) => boolean;

/** Names what is enough, from a DNF to the best value that there is. */
const expectWorst = (need: Need, isEnough: IsEnough, round: OracleRound): void => {
  const enough = { any: isEnough(DNF), success: isEnough(MOST[round.valueFormat]) };
  expect({ need, ...enough }).toEqual({
    need,
    any: need === 'any',
    success: need === 'any' || need === 'success',
  });
  if (need === null) expect(isEnough(round.values[0] ?? 1)).toBe(false);
  if (typeof need !== 'number') return;
  expect(isLegal(need, round)).toBe(true);
  expect(isEnough(need)).toBe(true);
  const worse = nextWorse(need, round);
  expect(worse !== null && isEnough(worse)).toBe(false);
};

/** The round after a value in the next attempt of one result. */
const entered = (round: OracleRound, index: number, value: number): OracleRound => {
  const attempts = round.results[index] ?? [];
  return { ...round, results: round.results.with(index, attempts.with(attempts.indexOf(NOT_TAKEN), value)) };
};

/** The attempts behind a cutoff are open when the value does not meet it. */
const everyAttempt = ({ format, cutoff }: OracleRound, value: number): readonly number[] => {
  const isMet = cutoff === null || (value > 0 && value < cutoff.attemptResult);
  return Array.from({ length: attemptsOf(format) }, (_, index) =>
    isMet || index < cutoff.numberOfAttempts ? value : NOT_TAKEN,
  );
};

const scoresIn = ({ results, format, valueFormat, cutoff }: OracleRound) =>
  results.map((attempts) => {
    const scores = { best: oracleBest(attempts), average: oracleAverage(attempts, valueFormat, cutoff) };
    return { ...scores, keys: placeKeys(format, scores) };
  });

const isBefore = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);

const standsIn = (round: OracleRound, index: number) => {
  const scores = scoresIn(round);
  const own = scores[index] ?? { best: 0, average: 0, keys: [0, 0] as const };
  const place = 1 + scores.filter(({ keys }) => isBefore(keys, own.keys)).length;
  const sharing = scores.filter(({ keys }) => keys.join() === own.keys.join()).length;
  return { ...own, place, isTied: sharing > 1 };
};

const eachOutlook = (
  round: OracleRound,
  check: (
    outlook: Outlook,
    standsWith: (value: number) => ReturnType<typeof standsIn>,
    index: number,
  ) => void,
): void => {
  for (const [index, outlook] of outlooksIn(round).entries())
    if (outlook) check(outlook, (value) => standsIn(entered(round, index, value), index), index);
};

const openRounds = (most: Parameters<typeof roundsOf>[0]) =>
  roundsOf(most)
    .map(oracleRound)
    .filter(({ isOpen }) => isOpen);

describe('what is needed', () => {
  it('for a place is the worst value that ranks there, and says whether it shares the place', () => {
    fc.assert(
      fc.property(openRounds({ results: 8, absent: 3, open: 25 }), (round) => {
        eachOutlook(round, ({ places }, standsWith) => {
          if (places === null) return;
          const within = (place: number) => (value: number) => {
            const own = standsWith(value);
            return own.best > 0 && own.place <= place;
          };
          expectWorst(places.first.need, within(1), round);
          expectWorst(places.podium.need, within(3), round);
          for (const { need, isTied } of [places.first, places.podium])
            expect(isTied).toBe(typeof need === 'number' && standsWith(need).isTied);
        });
      }),
      propertyRuns(1_500, 120_000),
    );
  });

  it('for a record is the worst value that equals it', () => {
    fc.assert(
      fc.property(openRounds({ results: 4, absent: 0, open: 25 }), (round) => {
        eachOutlook(round, ({ records }, standsWith) => {
          for (const tag of ['WR', 'CR', 'PR'] as const) {
            const { single, average } = STANDINGS;
            const [bySingle, byAverage] = [single?.[tag] || MAX_VALUE, average?.[tag] || MAX_VALUE];
            const isSingle = ({ best }: { best: number }): boolean => best > 0 && best <= bySingle;
            const isAverage = ({ average: value }: { average: number }): boolean =>
              value > 0 && value <= byAverage;
            expectWorst(records?.single[tag] ?? null, (value) => isSingle(standsWith(value)), round);
            expectWorst(records?.average[tag] ?? null, (value) => isAverage(standsWith(value)), round);
          }
          expect(records?.single.NR).toBeNull();
        });
      }),
      propertyRuns(1_000, 120_000),
    );
  });

  it('to advance is the worst value with which some, or every, way to end the round lets it advance', () => {
    // With the value, so many ways to end that all can be tried for each value.
    const rounds = openRounds({ results: 6, absent: 1, open: 8 }).filter(
      (round) => round.valueFormat === 'time' && countEnds(round) <= 300,
    );
    fc.assert(
      fc.property(rounds, (round) => {
        eachOutlook(round, ({ advancement, places }, _, index) => {
          expect(advancement === null).toBe(places === null);
          if (advancement === null) return;
          const prospect = (value: number) => oracleProspects(entered(round, index, value))[index];
          expectWorst(advancement.possible, (value) => prospect(value) !== 'out', round);
          expectWorst(advancement.certain, (value) => prospect(value) === 'certain', round);
        });
      }),
      propertyRuns(400, 120_000),
    );
  });

  it('of a competitor without a result is the worst value that is enough in every attempt', () => {
    const rounds = openRounds({ results: 5, absent: 2, open: 8 }).filter(
      (round) => round.absent > 0 && (round.valueFormat !== 'time' || countEnds(round) <= 300),
    );
    fc.assert(
      fc.property(rounds, (round) => {
        const { places, advancement, records } = absentOutlook(hallRound(round))(KNOWN);
        const own = round.results.length;
        const everyValue = (value: number): OracleRound => ({
          ...round,
          absent: round.absent - 1,
          results: [...round.results, everyAttempt(round, value)],
        });
        const standsWith = (value: number) => standsIn(everyValue(value), own);
        const within = (place: number) => (value: number) =>
          standsWith(value).best > 0 && standsWith(value).place <= place;
        expectWorst(places?.first.need ?? null, within(1), round);
        expectWorst(places?.podium.need ?? null, within(3), round);
        const isRecord = (value: number): boolean => {
          const { average } = standsWith(value);
          return average > 0 && average <= 150;
        };
        expectWorst(records?.average.CR ?? null, isRecord, round);
        if (round.valueFormat !== 'time') return;
        const prospect = (value: number) => oracleProspects(everyValue(value))[own];
        expectWorst(advancement?.possible ?? null, (value) => prospect(value) !== 'out', round);
        expectWorst(advancement?.certain ?? null, (value) => prospect(value) === 'certain', round);
      }),
      propertyRuns(400, 120_000),
    );
  });

  it('is told of everybody whose next attempt may be taken, and of nobody else', () => {
    fc.assert(
      fc.property(openRounds({ results: 8, absent: 0, open: 40 }), (round) => {
        const { cutoff } = round;
        const canGoOn = (attempts: readonly number[]): boolean => {
          const next = attempts.indexOf(NOT_TAKEN);
          const first = attempts.slice(0, cutoff?.numberOfAttempts);
          const isMet = first.some((value) => value > 0 && value < (cutoff?.attemptResult ?? MAX_VALUE));
          return next !== -1 && (cutoff === null || next < cutoff.numberOfAttempts || isMet);
        };
        expect(outlooksIn(round).map((outlook) => outlook !== null)).toEqual(round.results.map(canGoOn));
      }),
      propertyRuns(500, 60_000),
    );
  });
});
