/** The turns of a screen: every page of every round, in order, and on whatever changes meanwhile. */
import { describe, expect, it } from '@jest/globals';
import { FIRST_TURN, nextTurn, pagesFor, presentTurn, type Turn } from '../../../web/src/screen/turns.js';

const turnsOf = (pages: readonly number[], count: number): readonly string[] => {
  let turn: Turn = FIRST_TURN;
  return Array.from({ length: count }, () => {
    const { round, page } = turn;
    turn = nextTurn(turn, pages);
    return `${round}.${page}`;
  });
};

describe('turns', () => {
  it('go through each page of each round, and begin again', () => {
    expect(turnsOf([2, 1, 3], 8)).toEqual(['0.0', '0.1', '1.0', '2.0', '2.1', '2.2', '0.0', '0.1']);
    expect(turnsOf([1], 3)).toEqual(['0.0', '0.0', '0.0']);
    expect(turnsOf([], 2)).toEqual(['0.0', '0.0']);
  });

  it('go on when rounds or pages are gone or come', () => {
    expect(nextTurn({ round: 0, page: 3 }, [2, 1])).toEqual({ round: 1, page: 0 });
    expect(nextTurn({ round: 5, page: 0 }, [2, 1])).toEqual(FIRST_TURN);
    expect(presentTurn({ round: 0, page: 3 }, [2, 1])).toEqual({ round: 0, page: 1 });
    expect(presentTurn({ round: 4, page: 0 }, [2, 1])).toEqual(FIRST_TURN);
    expect(presentTurn({ round: 1, page: 0 }, [2, 1])).toEqual({ round: 1, page: 0 });
  });

  it.each([
    [0, 1],
    [1, 1],
    [11, 1],
    [12, 2],
    [600, 55],
  ])('need for %i rows %i pages of 11', (rows, pages) => expect(pagesFor(rows, 11)).toBe(pages));
});
