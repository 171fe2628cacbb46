/** When a drain waits, stops, skips and goes on. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { RejectedError } from '../../../../src/domain/rejections.js';
import {
  LogQueryFailedError,
  LogStoreUnavailableError,
} from '../../../../src/foundation/log-store/log-store.js';
import type { Drain } from '../../../../src/logs/drains/drain.js';
import { DrainBook } from '../../../../src/logs/drains/drain-book.js';
import type { Batch, FailedBatch } from '../../../../src/logs/drains/drain-destinations.js';
import { DrainRuns } from '../../../../src/logs/drains/drain-runs.js';
import { startAt } from '../../../../src/logs/drains/progress.js';
import type { EntryRange } from '../../../../src/logs/tail/tail-rights.js';
import { aDrain } from '../../../support/a-drain.js';
import { memoryAlerts } from '../../../support/memory-alerts.js';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;
const RANGE: EntryRange = {
  ...{ source: 'edge_logs', tenant: 't', redact: false, columns: [] },
  ...{ query: Object(null), count: Object(null) },
};

let book: DrainBook;
/** Positions of the matching entries. */
let log: number[];
let sent: Batch[];
let outcome: () => FailedBatch | null;
let refusal: Error | null;
/** Happens while the drain's entries are read. */
let meanwhile: () => Promise<unknown>;
let reads: number;
let now: number;
let clock: () => number;
let node: DrainRuns;

const aNode = (): DrainRuns =>
  new DrainRuns(
    book,
    {
      rangeOf: async () => {
        if (refusal === null) return RANGE;
        await meanwhile();
        throw refusal;
      },
      pages: async function* (_, { after, upTo }) {
        reads += 1;
        await meanwhile();
        const found = log.filter((position) => position > after && position <= upTo);
        yield { entries: found.map((position) => ({ position, entry: { id: String(position) } })), upTo };
      },
      count: async (_, { after, upTo }) =>
        log.filter((position) => position > after && position <= upTo).length,
    },
    {
      send: async (_, batch) => {
        sent.push(batch);
        return outcome();
      },
    },
    {
      logRetentionDays: {
        ...{ general: 30, ofSource: new Map() },
        ofProject: new Map([['edge_logs', new Map([['short', 7]])]]),
      },
    },
  );

const prepare = async (change: Partial<Drain> = {}): Promise<void> => {
  book = new DrainBook({ alerts: memoryAlerts() });
  await book.create(aDrain({ progress: startAt(NOW * 1_000), ...change }));
  node = aNode();
};

beforeEach(async () => {
  log = [];
  sent = [];
  outcome = () => null;
  refusal = null;
  meanwhile = async () => undefined;
  reads = 0;
  now = NOW;
  clock = () => now;
  await prepare();
});

const run = (head = now * 1_000, runs = node): Promise<void> =>
  runs.run('d', { head, now: clock, signal: new AbortController().signal });
const progress = async () => (await book.drain('d')).progress;
/** An entry that arrived so many milliseconds after the beginning. */
const arrives = (ms: number): void => {
  log.push((NOW + ms) * 1_000);
  now = NOW + ms;
};
const idsSent = () => sent.map(({ entries }) => entries.map(({ id }) => Number(id) / 1_000 - NOW));

describe('a drain', () => {
  it('waits so many seconds for others of a batch, and reads nothing meanwhile', async () => {
    arrives(1);
    await run();
    now = NOW + 900;
    log.push(now * 1_000);
    await run();
    expect([sent, reads]).toEqual([[], 1]);
    now = NOW + 1_001;
    await run();
    expect(idsSent()).toEqual([[1, 900]]);
    expect(await progress()).toMatchObject({
      position: now * 1_000,
      entries: 2,
      batches: 1,
      lastSentAt: now,
    });
  });

  it.each(['lql', 'project'] as const)(
    'sends nothing that it read before a change of its %s, and reads it again',
    async (field) => {
      arrives(1);
      now = NOW + 5_000;
      meanwhile = () => book.change('d', (drain) => ({ ...drain, [field]: 'other' }));
      await run();
      expect([idsSent(), (await progress()).position]).toEqual([[], NOW * 1_000]);
      meanwhile = async () => undefined;
      await run();
      expect(idsSent()).toEqual([[1]]);
    },
  );

  it('does not stop for the fault of a filter that it has no more', async () => {
    arrives(1);
    now = NOW + 5_000;
    refusal = new RejectedError({ code: 'token-scope', detail: 'of the filter before' });
    meanwhile = () => book.change('d', (drain) => ({ ...drain, lql: 'other' }));
    await run();
    refusal = null;
    meanwhile = async () => undefined;
    await run();
    expect([idsSent(), (await progress()).lastError]).toEqual([[[1]], null]);
  });

  it('does not wait for a clock that was set back', async () => {
    arrives(60_000);
    await run();
    now = NOW - DAY_MS;
    await run((NOW + 60_000) * 1_000);
    expect(idsSent()).toEqual([[60_000]]);
  });

  it('passes over what does not match without a batch, and reads it once', async () => {
    now = NOW + 20_000;
    await run();
    await run();
    expect([sent, reads, (await progress()).position]).toEqual([[], 1, now * 1_000]);
    now += 1_000;
    await run();
    expect((await progress()).position).toBe((NOW + 20_000) * 1_000);
    await run();
    expect((await progress()).position).toBe(now * 1_000);
  });

  it('is sent by one of two nodes', async () => {
    arrives(1);
    now += 5_000;
    await Promise.all([run(), run(now * 1_000, aNode())]);
    expect(idsSent()).toEqual([[1]]);
  });

  it('sends the same batch again when the receiver is away, though more has come', async () => {
    arrives(1);
    now += 5_000;
    outcome = () => ({ problem: 'the receiver answered 503', final: false, tooLarge: false });
    await run();
    arrives(6_000);
    await run();
    expect(await progress()).toMatchObject({
      failures: 1,
      lastError: { problem: 'the receiver answered 503' },
    });
    outcome = () => null;
    now += 10_000;
    await run();
    expect(idsSent()).toEqual([[1], [1], [6_000]]);
    expect(sent[0]?.id).toBe(sent[1]?.id);
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  it('stops when the receiver wants no more, and when its owner may not read any more, and says why', async () => {
    arrives(1);
    now += 5_000;
    outcome = () => ({ problem: 'the receiver answered 410', final: true, tooLarge: false });
    await run();
    await run();
    expect(sent).toHaveLength(1);
    expect((await progress()).stopped).toBe('the receiver answered 410');
    await prepare();
    refusal = new RejectedError({
      code: 'token-revoked',
      detail: 'the access token of its owner was revoked',
    });
    await run();
    expect((await progress()).stopped).toBe('the access token of its owner was revoked');
    expect(sent).toHaveLength(1);
  });

  it('goes on after a query that failed for now, stops after one that always will, and leaves it where a store is away', async () => {
    arrives(1);
    now += 5_000;
    refusal = new LogQueryFailedError('memory', 'too much');
    await run();
    expect(await progress()).toMatchObject({ stopped: null, failures: 1 });
    now += 5_000;
    refusal = new LogStoreUnavailableError('away');
    await expect(run()).rejects.toThrow('away');
    expect(await progress()).toMatchObject({ stopped: null, failures: 1 });
    refusal = new LogQueryFailedError('value', 'not a number');
    await run();
    expect((await progress()).stopped).toBe('not a number');
  });

  describe('whose receiver finds a batch too large', () => {
    const answersFrom = (isTooLarge: (ids: readonly unknown[]) => boolean): void => {
      outcome = () =>
        isTooLarge(idsSent().at(-1) ?? [])
          ? { problem: 'the receiver answered 413', final: false, tooLarge: true }
          : null;
    };

    it('halves it down to what the receiver takes, at once and in order, each half with an id of its own', async () => {
      for (const ms of [1, 2, 3, 4, 5]) arrives(ms);
      now += 5_000;
      answersFrom(({ length }) => length > 2);
      await run();
      expect(idsSent()).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [3], [4, 5]]);
      expect(new Set(sent.map(({ id }) => id)).size).toBe(5);
      expect(new Set(sent.map(({ key }) => key)).size).toBe(5);
      expect(await progress()).toMatchObject({
        ...{ entries: 5, batches: 3, tooLarge: 0, failures: 0, pending: null, rest: [], lastError: null },
        position: now * 1_000,
      });
    });

    it('passes over the entry that is too large alone, counts it and names it', async () => {
      for (const ms of [1, 2, 3, 4]) arrives(ms);
      now += 5_000;
      answersFrom((ids) => ids.includes(3));
      await run();
      expect(idsSent()).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
      expect(await progress()).toMatchObject({
        ...{ entries: 3, batches: 2, tooLarge: 1, skipped: 0, failures: 0 },
        lastError: {
          problem: `the receiver answered 413 to the entry ${(NOW + 3) * 1_000} alone, which was passed over`,
        },
      });
    });

    it('keeps the halves when it fails for another reason meanwhile, and when another node goes on', async () => {
      for (const ms of [1, 2, 3, 4]) arrives(ms);
      now += 5_000;
      outcome = () => {
        if (sent.length === 1) return { problem: 'the receiver answered 413', final: false, tooLarge: true };
        return sent.length === 2
          ? { problem: 'the receiver answered 503', final: false, tooLarge: false }
          : null;
      };
      await run();
      now += 10_000;
      await run(now * 1_000, aNode());
      expect(idsSent()).toEqual([
        [1, 2, 3, 4],
        [1, 2],
        [1, 2],
        [3, 4],
      ]);
      expect(sent[1]?.id).toBe(sent[2]?.id);
    });
  });

  it('looks again at what did not match once it is to send other entries', async () => {
    now = NOW + 5_000;
    await run();
    expect(reads).toBe(1);
    log.push((NOW + 1) * 1_000);
    await book.change('d', (drain) => ({ ...drain, lql: 'other' }));
    await run();
    now += 1_001;
    await run();
    expect(idsSent()).toEqual([[1]]);
  });

  it('sends nothing while it is paused, and nothing once it is removed', async () => {
    await prepare({ isPaused: true });
    arrives(1);
    now += 5_000;
    await run();
    await book.remove('d');
    await run();
    expect(sent).toEqual([]);
  });

  it.each([
    [null, 7],
    ['short', 7],
    ['other', 30],
  ])('skips what is older than the retention of %p, counts it, and says so', async (project, days) => {
    const old = NOW - 40 * DAY_MS;
    await prepare({ project, progress: startAt(old * 1_000) });
    log = [1, 2, 40 * DAY_MS - 1].map((ms) => (old + ms) * 1_000);
    now = NOW + 5_000;
    // The limit moves on meanwhile.
    clock = () => {
      now += 1;
      return now;
    };
    await run();
    expect(idsSent()).toEqual([[-1]]);
    expect(await progress()).toMatchObject({
      skipped: 2,
      lastError: { problem: `2 entries were not sent within ${days} days, and were skipped` },
    });
  });
});
