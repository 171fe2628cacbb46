/** Turns: never more than there are, one after the other for all who wait, and no end to one that nobody waits for. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ConnectionSlots } from '../../web/src/connection-slots.js';

const LENGTH = 1_000;

let turns: ConnectionSlots;
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
const take = (name: string) => turns.acquire(taker(name));

beforeEach(() => {
  jest.useFakeTimers();
  turns = new ConnectionSlots(2, LENGTH);
  having = [];
  begun = [];
});
afterEach(() => {
  jest.useRealTimers();
});

it('are had at once, and for as long as nobody waits', () => {
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

it('pass on when somebody leaves, and nobody gets one who left while waiting', () => {
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
