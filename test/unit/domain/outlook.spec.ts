/** The figures of one competitor with open attempts, as an announcer would work them out. */
import { describe, expect, it } from '@jest/globals';
import { DNF, DNS } from '../../../src/domain/attempts.js';
import type { HallRound } from '../../../src/domain/needs.js';
import {
  absentOutlook,
  type KnownOfCompetitor,
  NOTHING_KNOWN,
  type Outlook,
  outlooksOf,
} from '../../../src/domain/outlook.js';
import type { Standings } from '../../../src/domain/record-needs.js';
import { encodeMulti } from '../../../src/domain/scoring.js';

const AO5: HallRound = {
  eventId: '333',
  valueFormat: 'time',
  rules: { format: 'a', cutoff: null, advancement: null, timeLimit: null },
  results: [],
  absent: null,
};

const NO_STANDING = { WR: null, CR: null, NR: null, PR: null };

/** Of the first result. */
const outlookOf = (
  round: Partial<HallRound>,
  standings: Standings | null = null,
  spentElsewhere = 0,
): Outlook | null => outlooksOf({ ...AO5, ...round }, [{ standings, spentElsewhere }])[0] ?? null;

const absentIn = (round: Partial<HallRound>, known: KnownOfCompetitor = NOTHING_KNOWN): Outlook =>
  absentOutlook({ ...AO5, absent: 1, ...round })(known);

const ofFormat = (format: HallRound['rules']['format']) => ({ ...AO5.rules, format });

describe('the projected average', () => {
  it.each([
    ['one attempt', [1_000], 1_000],
    ['the mean of two', [1_000, 1_101], 1_051],
    ['the middle one of three', [1_000, 1_400, 1_100], 1_100],
    ['the mean of the middle two of four', [1_000, 1_400, 1_100, 1_201], 1_151],
    ['a DNF as the worst', [1_000, DNF, 1_100], 1_100],
    ['the other attempt of a DNF', [DNF, 1_100], 1_100],
    ['nothing after a DNF alone', [DNF], null],
    ['a DNF after two', [DNF, 900, DNF], DNF],
  ])('of 5 is %s', (_, attempts, projected) => {
    expect(outlookOf({ results: [attempts] })?.projected).toBe(projected);
  });

  it.each([
    ['m', [1_000, 1_101], 1_051],
    ['m', [1_000, DNF], DNF],
    ['3', [1_000, 900], 900],
    ['3', [DNF], DNF],
  ] as const)('of format %s after %j is %j', (format, attempts, projected) => {
    expect(outlookOf({ rules: ofFormat(format), results: [attempts] })?.projected).toBe(projected);
  });

  it('is 100 times the mean where moves are counted, and rounds to seconds above ten minutes', () => {
    const moves = { ...AO5, valueFormat: 'number', rules: ofFormat('m'), results: [[25, 26]] } as const;
    expect(outlookOf(moves)?.projected).toBe(2_550);
    expect(outlookOf({ rules: ofFormat('m'), results: [[60_000, 60_100]] })?.projected).toBe(60_100);
  });

  it('lies between the best and the worst possible average before the last attempt', () => {
    const outlook = outlookOf({ results: [[1_000, 1_400, 1_100, 1_200]] });
    expect(outlook).toMatchObject({ attemptNumber: 5, bestPossible: 1_100, worstPossible: 1_233 });
    expect(outlookOf({ results: [[1_000, DNF, 1_100, 1_200]] })?.worstPossible).toBe(DNF);
    expect(outlookOf({ results: [[1_000, 1_400, 1_100]] })?.bestPossible).toBeNull();
  });
});

describe('the value needed', () => {
  const LEADER = [1_000, 1_000, 1_000, 1_000, 1_000];

  it('to win is the worst that takes the first place, and says when it shares it', () => {
    // The average of 9.90, 10.00 and the value is 10.00 with 10.11; the single of 9.90 is better than the leader's.
    const ahead = outlookOf({ results: [[990, 1_000, 1_200, 990], LEADER] });
    expect(ahead?.places?.first).toEqual({ need: 1_011, isTied: false });
    const tied = outlookOf({ rules: ofFormat('1'), results: [[0], [900]] });
    expect(tied?.places?.first).toEqual({ need: 900, isTied: true });
  });

  it('is not told before the attempt that makes the average', () => {
    expect(outlookOf({ results: [[990, 1_000, 1_200], LEADER] })?.places).toBeNull();
  });

  it('is null when no value is enough, and `any` when a DNF is', () => {
    expect(outlookOf({ results: [[1_500, 1_500, 1_500, 1_500], LEADER] })?.places?.first.need).toBeNull();
    const sure = outlookOf({ results: [[800, 810, 820, 805], LEADER] });
    expect(sure?.places).toMatchObject({ first: { need: 'any' }, podium: { need: 'any' } });
  });

  it('is any success for a place on the podium that nobody else can take', () => {
    const outlook = outlookOf({ rules: ofFormat('1'), results: [[0], [900]] });
    expect(outlook?.places?.podium).toEqual({ need: 'success', isTied: false });
  });

  it('stays below the time limit, of which a cumulative one counts what was spent', () => {
    const rules = { ...ofFormat('1'), timeLimit: { centiseconds: 600, cumulativeRounds: [] } };
    expect(outlookOf({ rules, results: [[0], [599]] })?.places?.first.need).toBe('success');
    const cumulative = {
      ...ofFormat('m'),
      timeLimit: { centiseconds: 2_500, cumulativeRounds: ['333-r1'] },
    };
    const spent = outlookOf({
      rules: cumulative,
      results: [
        [1_000, 1_600, 0],
        [1_400, 1_400, 1_400],
      ],
    });
    expect(spent?.places?.first.need).toBeNull();
  });

  it('counts points and time in multi events', () => {
    const multi = (solved: number, missed: number, centiseconds: number) =>
      encodeMulti({ solved, missed, centiseconds, dnf: false });
    const round = {
      valueFormat: 'multi' as const,
      rules: ofFormat('1'),
      results: [[0], [multi(10, 1, 300_000)]],
    };
    expect(outlookOf(round)?.places?.first).toEqual({ need: multi(10, 1, 300_000), isTied: true });
    // One of two advances, so it has to be better: in as many points of more cubes, a centisecond earlier.
    const rules = { ...ofFormat('1'), advancement: { type: 'number', value: 1 } } as const;
    const needAgainst = (other: number) =>
      outlookOf({ ...round, rules, results: [[0], [other]], absent: 0 })?.advancement?.possible;
    expect(needAgainst(multi(9, 0, 300_000))).toBe(multi(9_999, 9_990, 299_999));
    expect(needAgainst(multi(1, 1, 300_000))).toBe(multi(9_999, 9_999, 299_999));
  });

  it('for a record equals it; the first result is one; who has no region has none of a region', () => {
    const standings: Standings = {
      single: { WR: 313, CR: 313, NR: 0, PR: 950 },
      average: { ...NO_STANDING, WR: 1_005 },
    };
    const records = outlookOf({ results: [[990, 1_000, 1_200, 990]] }, standings)?.records;
    expect(records?.single).toEqual({ WR: 313, CR: 313, NR: 'any', PR: 950 });
    expect(records?.average).toEqual({ WR: 1_026, CR: null, NR: null, PR: null });
    expect(outlookOf({ results: [[990]] }, standings)?.records?.average.WR).toBeNull();
    expect(outlookOf({ results: [[990]] })?.records).toBeNull();
  });

  it('to advance is that of the prospects, where the round has a rule and a roster', () => {
    const rules = { ...ofFormat('1'), advancement: { type: 'number', value: 1 } } as const;
    // No more than 75 percent advance, so two who tie stay out together.
    const results = [[0], [900]];
    expect(outlookOf({ rules, results, absent: 0 })?.advancement).toEqual({ possible: 899, certain: 899 });
    expect(outlookOf({ rules, results, absent: 1 })?.advancement).toEqual({ possible: 900, certain: 1 });
    expect(outlookOf({ rules, results, absent: null })?.advancement).toBeNull();
  });
});

it('counts a competitor with nothing but a DNS once among those who start', () => {
  // Of five who start three may advance. The absent one may come before them.
  const rules = { ...ofFormat('2'), advancement: { type: 'number', value: 4 } } as const;
  const results = [
    [DNS, 0],
    [500, 600],
    [700, 800],
    [900, 900],
  ];
  expect(outlookOf({ rules, results, absent: 1 })?.advancement).toEqual({ possible: 899, certain: 699 });
});

describe('a cumulative time limit', () => {
  const rules = {
    ...ofFormat('m'),
    timeLimit: { centiseconds: 2_500, cumulativeRounds: ['333-r1', '444-r1'] },
  };
  const LEADER = [700, 700, 700];

  it('counts what was spent in its other rounds', () => {
    const results = [[600, 600, 0], LEADER];
    expect(outlookOf({ rules, results })?.places?.first.need).toBe(901);
    expect(outlookOf({ rules, results }, null, 700)?.places?.first.need).toBe('success');
    expect(outlookOf({ rules, results }, null, 1_300)?.places?.first.need).toBeNull();
  });

  it('is shared among all attempts of a competitor without a result', () => {
    const round = { rules, results: [LEADER] };
    expect(absentIn(round).places?.first.need).toBe(700);
    // Three attempts of 5.99 take 17.97 of the 18.00 that are left; three of 6.00 reach them.
    const left = { standings: null, spentElsewhere: 700 };
    expect(absentIn({ ...round, results: [[599, 599, 599]] }, left).places?.first).toEqual({
      need: 'success',
      isTied: false,
    });
    expect(absentIn({ ...round, results: [[598, 598, 598]] }, left).places?.first).toEqual({
      need: 598,
      isTied: true,
    });
  });
});

describe('a competitor without a result', () => {
  const LEADER = [900, 1_000, 1_000, 1_000, 1_100];

  it('needs the same value in every attempt, and has no average so far', () => {
    // An average of 10.00 would be tied, and its single is worse than the leader's.
    expect(absentIn({ results: [LEADER] })).toMatchObject({
      attemptNumber: 1,
      isEveryAttempt: true,
      projected: null,
      bestPossible: null,
      places: { first: { need: 999, isTied: false }, podium: { need: 'success' } },
      advancement: null,
      records: null,
    });
    expect(outlookOf({ results: [[1_000]] })?.isEveryAttempt).toBe(false);
  });

  it('has no average unless the cutoff is met', () => {
    const rules = { ...AO5.rules, cutoff: { numberOfAttempts: 2, attemptResult: 950 } };
    expect(absentIn({ rules, results: [LEADER] }).places?.first.need).toBe(949);
  });

  it('needs for a record what equals it, each its own', () => {
    const standings: Standings = {
      single: { ...NO_STANDING, PR: 950 },
      average: { ...NO_STANDING, NR: 1_005 },
    };
    const records = absentIn({}, { standings, spentElsewhere: 0 }).records;
    expect(records?.single).toEqual({ ...NO_STANDING, PR: 950 });
    expect(records?.average).toEqual({ ...NO_STANDING, NR: 1_005 });
    const other = { single: { ...NO_STANDING, PR: 0 }, average: null };
    const outlook = absentOutlook({ ...AO5, absent: 2 });
    expect(outlook({ standings, spentElsewhere: 0 }).records?.single.PR).toBe(950);
    expect(outlook({ standings: other, spentElsewhere: 0 }).records?.single.PR).toBe('success');
  });

  it('is judged among the others who are absent', () => {
    const rules = { ...ofFormat('1'), advancement: { type: 'number', value: 1 } } as const;
    expect(absentIn({ rules, results: [[900]], absent: 1 }).advancement).toEqual({
      possible: 899,
      certain: 899,
    });
    expect(absentIn({ rules, results: [[900]], absent: 2 }).advancement).toEqual({
      possible: 900,
      certain: 1,
    });
    expect(absentIn({ rules, results: [[900]], absent: null }).advancement).toBeNull();
  });
});
