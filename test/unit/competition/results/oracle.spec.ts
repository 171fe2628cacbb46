/** The oracle against numbers worked out by hand: what other tests trust has to be right by itself. */
import { describe, expect, it } from '@jest/globals';
import { oracleAverage, oracleBest } from '../../../support/oracle/arithmetic.js';
import type { OracleList } from '../../../support/oracle/candidates.js';
import { oracleRankings, oracleRound } from '../../../support/oracle/views.js';
import { type Fact, worldAfter } from '../../../support/oracle/world.js';

describe('averages', () => {
  it.each([
    ['Ao5 drops best and worst', [1888, 1570, 1939, 1822, 1841], 1850],
    ['one DNF is the worst of five', [1000, 1100, 1200, 1300, -1], 1200],
    ['one DNS too', [-2, 1100, 1200, 1300, 1400], 1300],
    ['two DNFs of five', [1000, 1100, 1200, -2, -1], -1],
    ['a third is rounded down', [1, 10, 11, 10, 90], 10],
    ['two thirds up', [1, 10, 11, 11, 90], 11],
    ['not all attempts are in', [1000, 1100, 1200, 1300, 0], 0],
    ['an unknown time that is dropped', [1000, 1100, 1200, 1300, 8_640_000], 1200],
    ['an unknown time that would count', [1000, 1100, 1200, 8_640_000, -1], 0],
    ['Mo3', [700, 800, 900], 800],
    ['any DNF of three', [700, 800, -1], -1],
    ['exactly ten minutes', [60_000, 60_000, 60_000], 60_000],
    ['above, to the whole second', [60_100, 60_100, 60_149], 60_100],
    ['half a second is rounded up', [60_100, 60_150, 60_200], 60_200],
    ['a hair below half a second is not', [60_100, 60_149, 60_200], 60_100],
    ['fewer than three attempts', [700, 800], 0],
  ])('%s', (_, attempts, average) => {
    expect(oracleAverage(attempts, 'time', null)).toBe(average);
  });

  it('are hundredfold in number events', () => {
    expect(oracleAverage([25, 26, 26], 'number', null)).toBe(2567);
    expect(oracleAverage([25, 25, 26], 'number', null)).toBe(2533);
  });

  it('do not exist in multi events', () => {
    expect(oracleAverage([980_360_001, 980_360_001, 980_360_001], 'multi', null)).toBe(0);
  });

  it('need the cutoff', () => {
    const cutoff = { numberOfAttempts: 2, attemptResult: 1000 };
    expect(oracleAverage([1000, 1000, 900, 900, 900], 'time', cutoff)).toBe(0);
    expect(oracleAverage([1000, 999, 900, 900, 900], 'time', cutoff)).toBe(933);
  });
});

describe('best', () => {
  it.each([
    [[1888, 1570, 0], 1570],
    [[-1, -2, 0], -1],
    [[-1, 8_640_000, 0], 8_640_000],
  ])('of %p', (attempts, best) => {
    expect(oracleBest(attempts)).toBe(best);
  });
});

const CONTEST: readonly Fact[] = [
  {
    fact: 'contest',
    competitionId: 'C1',
    shortName: 'C 1',
    type: 'competition',
    regionCode: null,
    endDate: '2020-01-02',
  },
  { fact: 'contest-state', competitionId: 'C1', state: 'ongoing' },
];

const person = (personId: number, regionCode: string | null): Fact => ({
  fact: 'person',
  personId,
  name: `P${personId}`,
  localizedName: null,
  assocId: null,
  timeline: [{ from: null, regionCode }],
});

const event = (participants = 1): Fact => ({
  fact: 'event',
  eventId: 'e',
  format: 'time',
  defaultRoundFormat: 'a',
  participants,
});

const ROUND = { competitionId: 'C1', eventId: 'e', roundNumber: 1 };
const round: Fact = { fact: 'round', ...ROUND, format: 'a', date: null, cutoff: null, advancement: null };
const result = (personIds: number[], attempts: number[]): Fact => ({
  fact: 'result',
  ...ROUND,
  personIds,
  attempts,
});

const LIST: OracleList = { eventId: 'e', type: 'single', category: 'all', show: 'persons', region: null };
const shown = (facts: readonly Fact[], list: Partial<OracleList> = {}): unknown =>
  oracleRankings(worldAfter(facts), { ...LIST, ...list }).map((entry) => {
    const {
      ranking,
      rankingId,
      result: value,
    } = Object.assign({ ranking: 0, rankingId: '', result: 0 }, entry);
    return `${ranking} ${rankingId} ${value}`;
  });

describe('rankings', () => {
  const four = [1, 2, 3, 4].map((id) => person(id, 'IE'));
  const world = [event(), ...four, ...CONTEST, round];

  it('skip the place after a tie', () => {
    const facts = [...world, result([4], [10, 12]), result([2], [11]), result([1], [11]), result([3], [9])];
    expect(shown(facts)).toEqual([
      '1 C1_e_r1_3_p3 9',
      '2 C1_e_r1_4_p4 10',
      '3 C1_e_r1_1_p1 11',
      '3 C1_e_r1_2_p2 11',
    ]);
    expect(shown([...facts, result([3], [11])])).toEqual([
      '1 C1_e_r1_4_p4 10',
      '2 C1_e_r1_1_p1 11',
      '2 C1_e_r1_2_p2 11',
      '2 C1_e_r1_3_p3 11',
    ]);
    expect(shown([...facts, result([2], [10]), result([1], [10])])).toEqual([
      '1 C1_e_r1_3_p3 9',
      '2 C1_e_r1_1_p1 10',
      '2 C1_e_r1_2_p2 10',
      '2 C1_e_r1_4_p4 10',
    ]);
  });

  it('show every attempt as a result, and one average', () => {
    const facts = [...world, result([1], [12, -1, 10, 10, 14]), result([2], [11])];
    expect(shown(facts, { show: 'results' })).toEqual([
      '1 C1_e_r1_1_a3 10',
      '1 C1_e_r1_1_a4 10',
      '3 C1_e_r1_2_a1 11',
      '4 C1_e_r1_1_a1 12',
      '5 C1_e_r1_1_a5 14',
    ]);
    expect(shown(facts, { show: 'results', type: 'average' })).toEqual(['1 C1_e_r1_1 12']);
  });

  it('keep averages of another format for their own list', () => {
    const mean: Fact = { fact: 'round', ...ROUND, format: 'm', date: null, cutoff: null, advancement: null };
    const facts = [...world, mean, result([1], [10, 11, 12])];
    expect(shown(facts, { type: 'average' })).toEqual([]);
    expect(shown(facts, { type: 'all-avg-formats' })).toEqual(['1 C1_e_r1_1_p1 11']);
  });

  it('leave drafts and deleted contests out', () => {
    const facts = [...world, result([1], [10])];
    const state = (to: 'draft' | 'deleted'): Fact => ({
      fact: 'contest-state',
      competitionId: 'C1',
      state: to,
    });
    expect(shown([...facts, state('deleted')])).toEqual([]);
    expect(shown([...facts, state('draft')])).toEqual([]);
    expect(shown(facts, { category: 'meetups' })).toEqual([]);
  });

  it('forget a result whose attempts are all cleared', () => {
    const cleared: Fact = { fact: 'attempt', ...ROUND, personIds: [1], attemptNumber: 1, value: 0 };
    expect(shown([...world, result([1], [10]), cleared])).toEqual([]);
  });
});

describe('regions', () => {
  const pair = [person(1, 'IE'), person(2, 'IE'), person(3, 'DE'), person(4, 'JP'), person(5, null)];
  const world = [event(2), ...pair, ...CONTEST, round];

  it.each([
    ['a country', [1, 2], ['IE', 'XE', null]],
    ['only a continent', [1, 3], ['XE', null]],
    ['neither', [1, 4], [null]],
    ['one of them is not known', [1, 5], [null]],
  ])('of a team that shares %s', (_, team, listed) => {
    const facts = [...world, result(team, [10])];
    const regions = ['IE', 'DE', 'JP', 'XE', 'XA', null];
    expect(
      regions.filter((region) => oracleRankings(worldAfter(facts), { ...LIST, region }).length === 2),
    ).toEqual(listed);
  });

  it('stay with old results when a person moves, and follow a correction', () => {
    const facts = [event(), person(1, 'IE'), ...CONTEST, round, result([1], [10])];
    const move = (from: string): Fact => ({ fact: 'moved', personId: 1, from, regionCode: 'JP' });
    expect(shown([...facts, move('2020-01-03')], { region: 'IE' })).toHaveLength(1);
    expect(shown([...facts, move('2020-01-02')], { region: 'IE' })).toHaveLength(0);
    expect(shown([...facts, move('2020-01-02')], { region: 'XA' })).toHaveLength(1);
    const corrected: Fact = {
      fact: 'region-corrected',
      personId: 1,
      timeline: [{ from: null, regionCode: 'US' }],
    };
    expect(shown([...facts, corrected], { region: 'XN' })).toHaveLength(1);
  });

  it('follow a move that is told after the one that followed it', () => {
    const facts = [event(), person(1, 'IE'), ...CONTEST, round, result([1], [10])];
    const later: Fact = { fact: 'moved', personId: 1, from: '2020-01-02', regionCode: 'JP' };
    const earlier: Fact = { fact: 'moved', personId: 1, from: '2020-01-01', regionCode: 'US' };
    expect(shown([...facts, later, earlier], { region: 'JP' })).toHaveLength(1);
  });

  it('stay with the results of a person who was merged', () => {
    const facts = [event(), person(1, 'IE'), person(2, 'JP'), ...CONTEST, round, result([1], [10])];
    const merged = [...facts, { fact: 'merged', from: 1, into: 2 } as const];
    expect(shown(merged, { region: 'IE' })).toEqual(['1 C1_e_r1_1_p2 10']);
    expect(shown(merged, { region: 'JP' })).toEqual([]);
    expect(shown([...merged, result([1], [9])])).toEqual(['1 C1_e_r1_1_p2 9']);
  });
});

describe('rounds', () => {
  it('rank by average then single, competitors without a value after those with one', () => {
    const persons = [1, 2, 3, 4, 5].map((id) => person(id, 'IE'));
    const advancing: Fact = {
      fact: 'round',
      ...ROUND,
      format: 'a',
      date: '2020-01-01',
      cutoff: null,
      advancement: { type: 'percent', value: 75 },
    };
    const facts = [
      event(),
      ...persons,
      ...CONTEST,
      advancing,
      result([1], [-1, -1]),
      result([2], [9, 20, 20, 20, 20]),
      result([3], [20, 20, 20, 20, 9]),
      result([4], [8]),
      result([5], [7, 19, 19, 19, 25]),
    ];
    const rows = oracleRound(worldAfter(facts), ROUND).map((row) =>
      Object.assign({ resultId: '', place: 0, advances: false, average: 0, date: '' }, row),
    );
    expect(
      rows.map(({ resultId, place, advances, average }) => [resultId, place, advances, average]),
    ).toEqual([
      ['C1_e_r1_5', 1, true, 19],
      ['C1_e_r1_2', 2, true, 20],
      ['C1_e_r1_3', 2, true, 20],
      ['C1_e_r1_4', 4, false, 0],
      ['C1_e_r1_1', 5, false, 0],
    ]);
    expect(rows.map(({ date }) => date)).toEqual(Array(5).fill('2020-01-01'));
  });
});
