/** Podium's own CSV as people edit it: nothing that stands in a row is passed over, and what no result comes of is said. */
import { describe, expect, it } from '@jest/globals';
import type { Reading } from '../../../../src/competition/exchange/formats/contest-file.js';
import { writeResultsCsv } from '../../../../src/competition/exchange/formats/results-csv.js';
import { readResultsCsv } from '../../../../src/competition/exchange/formats/results-csv-reader.js';
import { contestOf, faultsOf } from './folders.js';

const HEADER =
  'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,attempt1,attempt2,attempt3,attempt4,attempt5,name1,name2';
const csvOf = (event: string, ...rows: readonly string[]): string =>
  [
    HEADER,
    ...rows.map((row) => `Test2020,Test,Test,competition,2020-01-01,2020-01-01,${event},${row}`),
    '',
  ].join('\n');
const read = (text: string): Reading => {
  const [reading] = readResultsCsv('results.csv', text);
  if (!reading) throw new Error('the file has no contest');
  return reading;
};

describe('a row', () => {
  it.each([
    ['333', '1,3,800,810,820,,,Ann,', '1,3,900,910,920,,,,'],
    ['333_team_bld', '1,3,800,810,820,,,Ann,Bob', '1,3,-1,,,,,,Cyd'],
  ])('of %s with attempts and without a first name is a fault', (event, good, nameless) => {
    expect(faultsOf(read(csvOf(event, good, nameless)))).toMatchObject([
      { line: 3, reason: 'name1 is empty, but the row has attempts' },
    ]);
  });

  it('without a competitor and without attempts says that the round has no results', () => {
    const { rounds } = contestOf(read(csvOf('333', '1,a,,,,,,,', '2,a,0,0,0,0,0,,')));
    expect(rounds.map(({ results }) => results)).toEqual([[], []]);
  });

  it('with an attempt behind those of its format is a fault at that attempt', () => {
    const text = csvOf('333', '1,m,900,910,920,0,,Ann,', '1,m,900,910,920,,930,Bob,');
    expect(faultsOf(read(text))).toEqual([
      {
        file: 'results.csv',
        line: 3,
        column: expect.any(Number),
        reason: 'attempt5 is “930”, but a round of format m has 3 attempts',
      },
    ]);
  });

  it.each([
    ['a fact of the contest', 'endDate', '2020-01-01,333,1,m', '2020-01-02,333,1,m'],
    ['a rule of the round', 'format', '2020-01-01,333,1,m', '2020-01-01,333,1,3'],
  ])('that says %s otherwise is a fault at that cell', (_, column, ...facts) => {
    const rows = facts.map(
      (fact, index) => `Test2020,Test,Test,competition,2020-01-01,${fact},9,9,9,,,P${index},`,
    );
    const [fault, ...others] = faultsOf(read([HEADER, ...rows, ''].join('\n')));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ line: 3, column: expect.any(Number) });
    expect(fault?.reason).toMatch(new RegExp(`^${column} is “[^”]+”, but “[^”]+” in line 2$`));
  });

  it('that repeats nothing of the rows before says the same', () => {
    const rest = '333,1,,900,910,920,,,Bob,';
    const text = `${csvOf('333', '1,m,900,910,920,,,Ann,')}Test2020,,,,,,${rest}\n`;
    expect(contestOf(read(text)).rounds.map(({ results }) => results.length)).toEqual([2]);
  });

  it('that lets more than 75 percent advance is read as 75 percent, and noted once', () => {
    const rows = ['Ann', 'Bob'].map(
      (name) => `Test2020,Test,Test,competition,2020-01-01,2020-01-01,333,1,m,percent,80,9,9,9,${name}`,
    );
    const header =
      'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,advancementType,advancementValue,attempt1,attempt2,attempt3,name1';
    const { rounds, notes } = contestOf(read([header, ...rows, ''].join('\n')));
    expect(rounds[0]?.rules.advancement).toEqual({ type: 'percent', value: 75 });
    expect(notes).toMatchObject([{ line: 2, reason: expect.stringContaining('80 percent is read as 75') }]);
  });

  it('with a competitor and no attempt is no result, and noted', () => {
    const contest = contestOf(read(csvOf('333', '1,m,900,910,920,,,Ann,', '1,m,,0,,,,Bob,')));
    expect(contest.rounds.map(({ results }) => results.length)).toEqual([1]);
    expect(contest.notes).toEqual([
      { file: 'results.csv', line: 3, column: 1, reason: 'the row has no attempt, so it gives no result' },
    ]);
  });
});

describe('an event', () => {
  it('is as the file has it, also where the catalogue has another of that id', () => {
    const contest = contestOf(read(csvOf('snake', '1,m,900,910,920,,,Ann,')));
    const events = contest.events.map((event) => ({
      ...event,
      defaultRoundFormat: 'm' as const,
      participants: 2,
    }));
    const rounds = contest.rounds.map((round) => ({
      ...round,
      results: round.results.map((result) => ({
        ...result,
        competitors: ['Ann', 'Bob'].map((name) => ({
          name,
          localizedName: null,
          assocId: null,
          regionCode: null,
          ref: null,
        })),
      })),
    }));
    const again = contestOf(read(writeResultsCsv([{ ...contest, events, rounds }])));
    expect(again.events).toEqual(events);
  });
});

describe('record tags', () => {
  it('are written beside the values, and not read', () => {
    const contest = contestOf(read(csvOf('333', '1,m,900,910,920,,,Ann,')));
    const rounds = contest.rounds.map((round) => ({
      ...round,
      results: round.results.map((result) => ({
        ...result,
        recordTags: { single: 'NR', average: null } as const,
      })),
    }));
    const text = writeResultsCsv([{ ...contest, rounds }]);
    const [header, row] = text.split('\n').map((line) => line.split(','));
    const cells = Object.fromEntries((header ?? []).map((column, index) => [column, row?.[index]]));
    expect(cells).toMatchObject({ best: '900', average: '910', singleRecord: 'NR', averageRecord: '' });
    expect(contestOf(read(text)).rounds[0]?.results[0]).not.toHaveProperty('recordTags');
    expect(contestOf(read(text)).rounds[0]?.results[0]).toMatchObject({ attempts: [900, 910, 920] });
  });
});
