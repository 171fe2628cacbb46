/** Which of a person's results makes the entry of a board and region, and which makes a step. */
import { describe, expect, it } from '@jest/globals';
import {
  bestEntry,
  entryOf,
  isBetterThatDay,
  isSameStep,
  type RankingEntry,
} from '../../../src/domain/ranking-entries.js';
import { boardName, type Result } from '../../../src/domain/results.js';

const BOARD = boardName('default', '333', 's', 'competitions');

const result = (id: string, change: Partial<Result> = {}): Result => ({
  id: `${id} 333`,
  resultId: id,
  spaceId: 'default',
  competitionId: 'Open',
  eventId: '333',
  roundNumber: 1,
  personIds: [7, 8],
  enteredFor: [7, 8],
  attempts: [900, 0, 0, 0, 0],
  best: 900,
  average: 0,
  singleAt: 0,
  averageAt: 0,
  date: '2024-01-02',
  regionCode: 'IE',
  continent: 'XE',
  category: 'competitions',
  singleBoard: BOARD,
  averageBoard: null,
  ...change,
});

const entry = (change: Partial<RankingEntry> = {}): RankingEntry => ({
  id: `${BOARD}/7/IE`,
  board: BOARD,
  personId: 7,
  regionCode: 'IE',
  continent: 'XE',
  value: 900,
  date: '2024-01-02',
  result: 'a 333',
  ...change,
});

describe('the entry of a result', () => {
  it('is that of a person of it, on the board of the value', () => {
    expect(entryOf(result('a'), 'single', 7)).toEqual(entry());
    expect(entryOf(result('a', { regionCode: null, continent: null }), 'single', 7)?.id).toBe(`${BOARD}/7/`);
  });

  it.each([
    ['is on no board', result('a', { singleBoard: null }), 7],
    ['is of others', result('a'), 9],
  ])('is none where the result %s', (_, made, personId) => {
    expect(entryOf(made, 'single', personId)).toBeNull();
  });
});

describe('the best entry', () => {
  it.each([
    ['the better value', result('b', { best: 899 }), 'b 333'],
    ['the earlier of two days', result('b', { date: '2024-01-01' }), 'b 333'],
    ['the first of equal ones by id', result('b'), 'a 333'],
    ['no result of another region', result('b', { best: 1, regionCode: 'DE' }), 'a 333'],
    ['no result of others', result('b', { best: 1, personIds: [9] }), 'a 333'],
  ])('has %s', (_, other, best) => {
    for (const all of [
      [result('a'), other],
      [other, result('a')],
    ])
      expect(bestEntry(all, 'single', entry())?.result).toBe(best);
  });

  it('is none where no result makes it', () => {
    expect(bestEntry([result('a', { singleBoard: null })], 'single', entry())).toBeNull();
  });
});

describe('a step', () => {
  const sameDay = entry({ value: 800, result: 'b 333' });

  it('is the same on one board and day with one value, whichever result has made it', () => {
    expect(isSameStep(entry(), entry({ result: 'b 333', regionCode: 'DE' }))).toBe(true);
    for (const change of [{ value: 901 }, { date: '2024-01-03' }, { board: 'other' }])
      expect(isSameStep(entry(), entry(change))).toBe(false);
  });

  it('takes the place of a worse one of its day only', () => {
    expect(isBetterThatDay(sameDay, entry())).toBe(true);
    expect(isBetterThatDay(entry(), entry())).toBe(false);
    expect(isBetterThatDay(sameDay, entry({ date: '2024-01-01' }))).toBe(false);
    expect(isBetterThatDay(sameDay, entry({ board: 'other' }))).toBe(false);
  });
});
