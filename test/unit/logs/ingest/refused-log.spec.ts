/** The list of refused entries: what waits, what is left out, and a store that is away. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredRefusedEntry } from '../../../../src/foundation/operational/refused-entry-store.js';
import type { RefusedEntry } from '../../../../src/logs/ingest/refused-entry.js';
import { RefusedLog } from '../../../../src/logs/ingest/refused-log.js';

let stored: StoredRefusedEntry[];
let isAway: boolean;
let log: RefusedLog;

beforeEach(() => {
  stored = [];
  isAway = false;
  log = new RefusedLog({
    refusedEntries: {
      append: async (entries) => {
        if (isAway) throw new Error('away');
        stored.push(...entries);
      },
      page: async ({ limit }) => stored.slice(0, limit),
      removeBefore: async () => undefined,
    },
  });
});

const entries = (count: number): readonly RefusedEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ index, place: `[${index}]`, project: null, reason: 'r', entry: '{}' },
  }));
const SENT = { source: 'edge_logs', tenant: 'token t' } as const;

describe('the list', () => {
  it('has what waits when it is read', async () => {
    log.note(entries(2), SENT);
    expect(stored).toEqual([]);
    const { items } = await log.page({ limit: 10 });
    expect(items).toMatchObject([
      { source: 'edge_logs', index: 0 },
      { source: 'edge_logs', index: 1 },
    ]);
    expect(new Set(items.map(({ entryId }) => entryId)).size).toBe(2);
  });

  it('takes some of each sender between two writes, so a flood of one leaves room for another', async () => {
    for (let body = 0; body < 50; body++) log.note(entries(20), SENT);
    log.note(entries(3), { ...SENT, tenant: 'project p' });
    await log.flush();
    expect(stored.filter(({ sender }) => sender === 'token t')).toHaveLength(100);
    expect(stored.filter(({ sender }) => sender === 'project p')).toHaveLength(3);
    log.note(entries(1), SENT);
    await log.flush();
    expect(stored).toHaveLength(104);
  });

  it('says that the store is away, and goes on when it is back', async () => {
    isAway = true;
    log.note(entries(1), SENT);
    await expect(log.page({ limit: 10 })).rejects.toThrow('away');
    isAway = false;
    log.note(entries(1), SENT);
    expect((await log.page({ limit: 10 })).items).toHaveLength(1);
  });

  it('is written when the server stops', async () => {
    log.note(entries(1), SENT);
    await log.onApplicationShutdown();
    expect(stored).toHaveLength(1);
  });
});
