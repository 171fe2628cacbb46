/** Requests that a store lets fail: one line a second for each reason, however many they are. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { EventStoreUnavailableError } from '../../../src/foundation/event-store/event-store.js';
import { logFailure } from '../../../src/http/problems/problem-filter.js';

let lines: object[];
beforeEach(() => {
  jest.useFakeTimers();
  lines = [];
});
afterEach(() => {
  jest.runAllTimers();
  jest.useRealTimers();
});

const fail = (id: string, reason: string): void => {
  const log = { warn: (line: object, message: string) => lines.push({ ...line, message }) };
  const request = { id, method: 'POST', url: '/api/enter-attempt', is404: false, raw: {}, log };
  logFailure(new EventStoreUnavailableError(reason), request as unknown as FastifyRequest);
};

describe('the log of requests that fail because of a store', () => {
  it('names the first, and counts those behind it once a second', () => {
    for (let index = 0; index < 600; index += 1) fail(`r${index}`, 'the disk is full');
    expect(lines).toEqual([{ reqId: 'r0', reason: 'the disk is full', message: 'request failed' }]);
    jest.advanceTimersByTime(1_000);
    expect(lines.slice(1)).toEqual([{ reason: 'the disk is full', count: 599, message: 'requests failed' }]);
    fail('r600', 'the disk is full');
    jest.advanceTimersByTime(1_000);
    expect(lines.slice(2)).toEqual([{ reason: 'the disk is full', count: 1, message: 'requests failed' }]);
  });

  it('names each reason, and the first again after a second without any', () => {
    fail('r1', 'the disk is full');
    fail('r2', 'it does not answer');
    jest.advanceTimersByTime(1_000);
    fail('r3', 'the disk is full');
    expect(lines).toMatchObject([{ reqId: 'r1' }, { reqId: 'r2' }, { reqId: 'r3' }]);
  });
});
