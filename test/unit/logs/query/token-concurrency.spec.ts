/** Turns: never more than there are, one after the other for all who wait, and no end to one that no call waits for. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Turns } from '../../../../web/src/turns.js';

const LENGTH = 1_000;

let turns: Turns;
let having: string[];
let begun: string[];

const taker = (name: string) => ({
  start: () => {
    having.push(name);
    begun.push(name);
  },
  stop: () => {
    having = having.filter((other) => other !== name);
  },
});
const take = (name: string) => turns.take(taker(name));

beforeEach(() => {
  jest.useFakeTimers();
  turns = new Turns(2, LENGTH);
  having = [];
  begun = [];
});
afterEach(() => {
  jest.useRealTimers();
});

it('are had at once, and for as long as no call waits', () => {
  take('a');
  take('b');
  jest.advanceTimersByTime(10 * LENGTH);
  expect([having, begun]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('go round among those who are too many', () => {
  for (const name of ['a', 'b', 'c']) take(name);
  expect(having).toEqual(['a', 'b']);
  for (let passed = 0; passed < 6; passed += 1) {
    jest.advanceTimersByTime(LENGTH);
    expect(having).toHaveLength(2);
  }
  for (const name of ['a', 'b', 'c'])
    expect(begun.filter((other) => other === name).length).toBeGreaterThan(2);
});

it('pass on when a call leaves, and a call that left while waiting gets none', () => {
  const leaveA = take('a');
  take('b');
  const leaveC = take('c');
  take('d');
  leaveC();
  leaveA();
  expect([having, begun]).toEqual([
    ['b', 'd'],
    ['a', 'b', 'd'],
  ]);
  leaveA();
  expect(having).toEqual(['b', 'd']);
});

it('leave no clock behind', () => {
  const leave = [take('a'), take('b'), take('c')];
  for (const one of leave) one();
  expect([having, jest.getTimerCount()]).toEqual([[], 0]);
});
