/** The server's own requests while the store takes long, or none of them: what is held is bounded, and what is let go is counted. */
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { OwnRequests } from '../../../src/logs/own-requests.js';
import { gate } from '../../support/gate.js';

const SECOND = 1_000;
const MOST_HELD = 1_000;
const REPLY = { address: '127.0.0.1', status: 200, milliseconds: 1 };
/** Codec: of a request, no more is looked at. */
const REQUEST = { method: 'GET', url: '/api/events', headers: { host: 'podium' } } as IncomingMessage;

let written: number[];
let answer: () => Promise<void>;
let requests: OwnRequests;

const note = (count: number): void => {
  for (let index = 0; index < count; index += 1) requests.note(REQUEST, REPLY);
};

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  written = [];
  answer = async () => undefined;
  requests = new OwnRequests({
    write: async (lines) => {
      written.push(lines.toString().split('\n').length);
      await answer();
    },
    close: async () => undefined,
  });
  requests.onModuleInit();
});
afterEach(async () => {
  await requests.beforeApplicationShutdown();
  jest.useRealTimers();
});

/** Until the slices of a batch have been put together. */
const putTogether = async (batches: number): Promise<void> => {
  while (written.length < batches) await new Promise((resolve) => setImmediate(resolve));
};

it('are written together, and held up to a bound beyond which they are counted', async () => {
  note(MOST_HELD + 7);
  expect(requests.dropped).toBe(7);
  jest.advanceTimersByTime(SECOND);
  await putTogether(1);
  expect(written).toEqual([MOST_HELD]);
});

it('are held to the same bound while a write is under way, and written behind it', async () => {
  const held = gate();
  answer = () => held.opened;
  note(1);
  jest.advanceTimersByTime(SECOND);
  await putTogether(1);
  note(MOST_HELD + 3);
  jest.advanceTimersByTime(10 * SECOND);
  expect([requests.dropped, written]).toEqual([3, [1]]);
  held.open();
  await requests.beforeApplicationShutdown();
  expect([requests.dropped, written]).toEqual([3, [1, MOST_HELD]]);
});

it('count as let go where the store takes none of them', async () => {
  answer = () => Promise.reject(new Error('the store is busy'));
  note(5);
  await requests.beforeApplicationShutdown();
  expect(requests.dropped).toBe(5);
});
