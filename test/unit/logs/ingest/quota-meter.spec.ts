/** The daily quota of a project in a source: what counts, when it is full, and what a restart and a new day do. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { loadConfig } from '../../../../src/foundation/config.js';
import { type LogCount, logCountKeys } from '../../../../src/foundation/operational/log-count-store.js';
import { FailureError } from '../../../../src/http/problems/failure.js';
import { type OwnedEntries, QuotaMeter } from '../../../../src/logs/ingest/quota-meter.js';

const NOON = Date.UTC(2026, 2, 17, 12);
const DAY_MS = 86_400_000;

let stored: Map<string, LogCount>;
let isAway: boolean;
/** How many counts the store adds at once. */
let addsAtMost: number;
let meter: QuotaMeter;

const open = (
  text = '10,auth_logs=none,vip/edge_logs=100',
  env: Readonly<Record<string, string>> = {},
): QuotaMeter => {
  const whenHere = (): void => {
    if (isAway) throw new Error('away');
  };
  return new QuotaMeter(loadConfig({ PODIUM_LOG_QUOTA: text, ...env }), {
    logCounts: {
      add: async (counts) => {
        whenHere();
        const added = counts.slice(0, addsAtMost);
        for (const count of added) {
          const before = stored.get(logCountKeys.of(count))?.entries ?? 0;
          stored.set(logCountKeys.of(count), { ...count, entries: before + count.entries });
        }
        return added.length;
      },
      ofDay: async (of) => {
        whenHere();
        return [...stored.values()].filter(({ day }) => day === of);
      },
      removeBefore: async (before) => {
        for (const [key, { day }] of stored) if (day < before) stored.delete(key);
      },
    },
  });
};

beforeEach(() => {
  stored = new Map();
  isAway = false;
  addsAtMost = Number.POSITIVE_INFINITY;
  meter = open();
});

const take = (owned: OwnedEntries, now = NOON, source: 'edge_logs' | 'auth_logs' = 'edge_logs') =>
  meter.take(source, owned, now);
const refusal = (owned: OwnedEntries, now = NOON): Promise<unknown> =>
  take(owned, now).then(
    () => null,
    (error: unknown) => (error instanceof FailureError ? error.failure : error),
  );

describe('a quota', () => {
  it('is full to the last entry, and then says until when', async () => {
    await take([['p', 7]]);
    expect(await refusal([['p', 4]])).toMatchObject({
      code: 'log-quota',
      status: 429,
      detail: expect.stringContaining('Project p may write 10 entries a day into edge_logs, and 3 are left'),
      headers: { 'Retry-After': String(12 * 3_600) },
    });
    await take([['p', 3]]);
    expect(await refusal([['p', 1]], NOON + 12 * 3_600_000 - 1)).toMatchObject({
      headers: { 'Retry-After': '1' },
    });
  });

  it('is that of a project, and of a source', async () => {
    await take([['p', 10]]);
    await take([['q', 10]]);
    await take([[null, 10]]);
    await take([['vip', 100]]);
    await take([['p', 1_000]], NOON, 'auth_logs');
    for (const project of ['p', 'q', null, 'vip'])
      expect(await refusal([[project, 1]])).toMatchObject({ status: 429 });
  });

  it('takes nothing of a body that has too many entries of one project', async () => {
    expect(
      await refusal([
        ['p', 5],
        ['q', 11],
      ]),
    ).toMatchObject({ detail: expect.stringContaining('Project q') });
    await take([['p', 10]]);
  });

  it('holds for bodies that come together', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => refusal([['p', 1]])));
    expect(replies.filter((reply) => reply === null)).toHaveLength(10);
  });

  it('gives back what was there already, and all of what was not written', async () => {
    (await take([['p', 10]])).keep(4);
    (await take([['p', 6]])).release();
    await take([['p', 6]]);
    expect(await refusal([['p', 1]])).toMatchObject({ status: 429 });
  });

  it('begins anew each day, and forgets the day before', async () => {
    await take([['p', 10]]);
    await take([['p', 10]], NOON + DAY_MS);
    expect(await refusal([['p', 1]], NOON + DAY_MS)).toMatchObject({ status: 429 });
    // Its reading began before midnight.
    expect(await refusal([['p', 1]])).toMatchObject({ status: 429 });
    await meter.onApplicationShutdown();
    expect([...stored.values()].map(({ day }) => day)).toEqual(['2026-03-18']);
  });

  it('is as full after a restart', async () => {
    await take([['p', 10]]);
    await meter.onApplicationShutdown();
    meter = open();
    expect(await refusal([['p', 1]])).toMatchObject({ status: 429 });
  });

  it('waits for a store that is away', async () => {
    isAway = true;
    await expect(take([['p', 1]])).rejects.toThrow('away');
    isAway = false;
    await take([['p', 10]]);
    isAway = true;
    await meter.onApplicationShutdown();
    isAway = false;
    await meter.onApplicationShutdown();
    expect([...stored.values()]).toMatchObject([{ project: 'p', entries: 10 }]);
  });

  it('counts an entry once in a store that stops at a count which fails', async () => {
    addsAtMost = 1;
    await take([
      ['p', 4],
      ['q', 5],
    ]);
    for (let write = 0; write < 2; write++) await meter.onApplicationShutdown();
    expect([...stored.values()]).toMatchObject([
      { project: 'p', entries: 4 },
      { project: 'q', entries: 5 },
    ]);
  });

  it('that nothing has asks no store', async () => {
    isAway = true;
    meter = open('none');
    await take([['p', 1_000_000]]);
  });
});

describe('a quota where several nodes write', () => {
  const shared = { LOG_STORE_URL: 'clickhouse://127.0.0.1/podium' };
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('counts what other nodes have written, and no entry of its own twice', async () => {
    const [one, other] = [open('10', shared), open('10', shared)];
    await one.take('edge_logs', [['p', 4]], NOON);
    await other.take('edge_logs', [['p', 4]], NOON);
    await jest.advanceTimersByTimeAsync(2_500);
    await one.take('edge_logs', [['p', 1]], NOON);
    await jest.advanceTimersByTimeAsync(2_500);
    await expect(other.take('edge_logs', [['p', 2]], NOON)).rejects.toThrow('Project p may write 10');
    await other.take('edge_logs', [['p', 1]], NOON);
    await Promise.all([one, other].map((meter) => meter.onApplicationShutdown()));
    expect([...stored.values()]).toMatchObject([{ project: 'p', entries: 10 }]);
  });
});
