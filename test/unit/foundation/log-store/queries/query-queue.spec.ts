/** Whose turn it is, in simulated time: queries of an engine that is never done, beside short ones that take long on a busy machine. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import {
  LogQueryFailedError,
  type LogRows,
  type RunOptions,
} from '../../../../../src/foundation/log-store/log-store.js';
import type {
  QueryEngine,
  StartedQuery,
} from '../../../../../src/foundation/log-store/queries/query-attempt.js';
import { QueryQueue } from '../../../../../src/foundation/log-store/queries/query-queue.js';

const ENDLESS = 'endless';
/** Runs for as long, whoever interrupts it. */
const STUBBORN = 'stubborn';
const STUBBORN_MS = 8_000;
/** Needs all memory: it fails beside another query, and is endless alone. */
const HUNGRY = 'hungry';
/** How long a short query runs, and how long the engine takes to interrupt one. */
const SHORT_MS = 60;
const INTERRUPT_MS = 20;
const TIMEOUT_MS = 10_000;

/** Runs each query for its time. */
class SimulatedEngine implements QueryEngine {
  #running = 0;

  kill(): void {
    throw new Error('the engine was killed');
  }

  start(sql: string, { timeoutMs }: RunOptions): StartedQuery {
    let stop = (): void => undefined;
    const rows = new Promise<LogRows>((resolve, reject) => {
      const fail = (failure: 'cancelled' | 'time' | 'memory') => () => {
        this.#running--;
        reject(new LogQueryFailedError(failure, failure, { cause: failure }));
      };
      const done = () => {
        this.#running--;
        resolve({ rows: [], columns: [], truncated: false });
      };
      const isBesideOthers = this.#running > 0;
      this.#running++;
      const end = this.#ending({ sql, timeoutMs }, { done, fail, isBesideOthers });
      stop = () => {
        if (sql === STUBBORN) return;
        clearTimeout(end);
        stop = () => undefined;
        setTimeout(fail('cancelled'), INTERRUPT_MS);
      };
    });
    return { rows, stop: () => stop() };
  }

  #ending(
    { sql, timeoutMs }: { readonly sql: string; readonly timeoutMs: number },
    ends: {
      readonly done: () => void;
      readonly fail: (trouble: 'time' | 'memory') => () => void;
      readonly isBesideOthers: boolean;
    },
  ): NodeJS.Timeout {
    if (sql === STUBBORN) return setTimeout(ends.done, STUBBORN_MS);
    if (sql === HUNGRY && ends.isBesideOthers) return setTimeout(ends.fail('memory'), INTERRUPT_MS);
    if (sql === ENDLESS || sql === HUNGRY) return setTimeout(ends.fail('time'), timeoutMs);
    return setTimeout(ends.done, SHORT_MS);
  }
}

let queue: QueryQueue;

beforeEach(() => {
  jest.useFakeTimers();
  const engine = new SimulatedEngine();
  queue = new QueryQueue({ engine: async () => engine, readers: 4, maxRunning: 48, maxWaiting: 1_024 });
});
afterEach(() => {
  jest.useRealTimers();
});

const run = (sql: string, tenant: string) =>
  queue.run(sql, { parameters: {}, now: 0, maxRows: 1, timeoutMs: TIMEOUT_MS, tenant });

/** Sends one query after the other. The simulated time ends with the test. */
const keepSending = async (sql: string, tenant: string): Promise<void> => {
  for (;;) await run(sql, tenant).catch(() => undefined);
};

/** Sends short queries, one after the other. Returns how long the slowest of them waited. */
const longestWait = async (queries: number): Promise<number> => {
  const waits: number[] = [];
  for (let at = 0; at < queries; at++) {
    let took: number | null = null;
    const began = performance.now();
    const asked = run('short', 'light').finally(() => {
      took = performance.now() - began;
    });
    asked.catch(() => undefined);
    while (took === null) await jest.advanceTimersByTimeAsync(10);
    await asked;
    waits.push(took - SHORT_MS);
  }
  return Math.max(...waits);
};

it.each([1, 8, 32])(
  'lets short queries wait a moment only, beside %i tenants that each keep 16 endless ones in line',
  async (tenants) => {
    for (let at = 0; at < 16 * tenants; at++) void keepSending(ENDLESS, `heavy ${at % tenants}`);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await longestWait(100)).toBeLessThan(300);
  },
  60_000,
);

it.each([1, 8, 32])(
  'gives the place of a query that cannot be interrupted to another tenant, also of %i tenants',
  async (tenants) => {
    for (let at = 0; at < 16 * tenants; at++) void keepSending(STUBBORN, `heavy ${at % tenants}`);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await longestWait(100)).toBeLessThan(700);
  },
  60_000,
);

it('lets short queries wait a moment only while another has the engine alone', async () => {
  void keepSending(ENDLESS, 'heavy');
  for (let at = 0; at < 16; at++) void keepSending(HUNGRY, `hungry ${at % 4}`);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(await longestWait(100)).toBeLessThan(700);
}, 60_000);

it('runs an endless query for as long as it may, whatever short ones another tenant sends', async () => {
  const fates: unknown[] = [];
  for (let at = 0; at < 2; at++)
    run(ENDLESS, `heavy ${at}`).then(undefined, (error: unknown) => fates.push(error));
  for (let at = 0; at < 16; at++) void keepSending('short', 'light');
  for (let at = 0; at < 120_000 && fates.length < 2; at += 100) await jest.advanceTimersByTimeAsync(100);
  expect(fates).toHaveLength(2);
  for (const fate of fates) expect(fate).toMatchObject({ failure: 'time' });
});

it('leaves nothing behind on a signal that outlives its queries', async () => {
  const { signal } = new AbortController();
  const options = { parameters: {}, now: 0, maxRows: 1, timeoutMs: TIMEOUT_MS, signal };
  const short = queue.run('short', options);
  const endless = queue.run(ENDLESS, options).catch(() => undefined);
  expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(0);
  await jest.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
  await Promise.all([short, endless]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
