/** Slots: never more than the maximum, one after the other for all in the queue, and no rotation without a queue. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ConnectionSlots } from '../../../web/src/connection-slots.js';

const SLOT_MS = 1_000;

let slots: ConnectionSlots;
let holding: string[];
let started: string[];

const holder = (name: string) => ({
  start: () => {
    holding.push(name);
    started.push(name);
  },
  stop: () => {
    holding = holding.filter((other) => other !== name);
  },
});
const acquire = (name: string) => slots.acquire(holder(name));

beforeEach(() => {
  jest.useFakeTimers();
  slots = new ConnectionSlots(2, SLOT_MS);
  holding = [];
  started = [];
});
afterEach(() => {
  jest.useRealTimers();
});

it('are given at once, and kept while the queue is empty', () => {
  acquire('a');
  acquire('b');
  jest.advanceTimersByTime(10 * SLOT_MS);
  expect([holding, started]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ]);
});

it('rotate among more holders than slots', () => {
  for (const name of ['a', 'b', 'c']) acquire(name);
  expect(holding).toEqual(['a', 'b']);
  for (let passed = 0; passed < 6; passed += 1) {
    jest.advanceTimersByTime(SLOT_MS);
    expect(holding).toHaveLength(2);
  }
  for (const name of ['a', 'b', 'c'])
    expect(started.filter((other) => other === name).length).toBeGreaterThan(2);
});

it('pass on when a holder leaves, and skip a holder that left the queue', () => {
  const leaveA = acquire('a');
  acquire('b');
  const leaveC = acquire('c');
  acquire('d');
  leaveC();
  leaveA();
  expect([holding, started]).toEqual([
    ['b', 'd'],
    ['a', 'b', 'd'],
  ]);
  leaveA();
  expect(holding).toEqual(['b', 'd']);
});

it('leave no timer behind', () => {
  const leave = [acquire('a'), acquire('b'), acquire('c')];
  for (const one of leave) one();
  expect([holding, jest.getTimerCount()]).toEqual([[], 0]);
});
