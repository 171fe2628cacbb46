/** Readers of tails on a store in memory: one that is too slow, one that has missed much, and reads that fail. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckedQuery } from '../../../../src/foundation/log-store/checked-query.js';
import { PLATFORM_CATALOGUE } from '../../../../src/foundation/log-store/known-fields.js';
import {
  LogQueryFailedError,
  type LogRows,
  LogStoreUnavailableError,
  type RunOptions,
} from '../../../../src/foundation/log-store/log-store.js';
import { OWNER_COLUMN, POSITION_COLUMN } from '../../../../src/foundation/log-store/query-tree.js';
import type { EventReader } from '../../../../src/http/message/event-stream.js';
import { compile } from '../../../../src/logs/sql/compile.js';
import { type TailQuery, tailedTable, tailOf } from '../../../../src/logs/sql/tail.js';
import { LogTails, type Tail } from '../../../../src/logs/tail/log-tails.js';
import { until } from '../../../support/until.js';

const tailFor = (onlyProject: string | null): TailQuery =>
  tailOf(
    compile({ stored: tailedTable('edge_logs'), consumer: null, onlyProject, catalogue: PLATFORM_CATALOGUE })
      .query,
  );
const TAIL = tailFor(null);

/** The projects of a query for several; null: it is for one, or for all. */
const projectsOf = ({ tree }: CheckedQuery): readonly string[] | null => {
  const [named] = tree.named;
  const from = named?.query.kind === 'select' ? named.query.from : null;
  return from?.kind === 'source' ? (from.tail?.projects ?? null) : null;
};

/** Has the entries 1, 2, … with these positions. */
class CountingStore {
  entries = 0;
  runs = 0;
  failure: Error | null = null;
  /** The queries that fail. */
  fails: (asked: CheckedQuery) => boolean = () => true;
  readonly #listeners = new Set<() => void>();

  async position(): Promise<number> {
    return this.entries;
  }

  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(entries: number): void {
    this.entries += entries;
    for (const listener of this.#listeners) listener();
  }

  async run(asked: CheckedQuery, { range, maxRows }: RunOptions): Promise<LogRows> {
    this.runs += 1;
    if (this.failure && this.fails(asked)) throw this.failure;
    if (!range) throw new Error('a tail reads a range');
    const count = range.upTo - range.after;
    if (asked === TAIL.count) return { columns: [], rows: [{ entries: count }], truncated: false };
    const projects = projectsOf(asked) ?? [''];
    const rows = Array.from({ length: count }, (_, at) => range.after + at + 1).flatMap((n) =>
      projects.map((project) => ({ n, [POSITION_COLUMN]: n, [OWNER_COLUMN]: project })),
    );
    return { columns: [], rows: rows.slice(0, maxRows), truncated: rows.length > maxRows };
  }
}

class TestReader implements EventReader {
  isBehind = false;
  hasEnded = false;
  text = '';

  send(bytes: Buffer): void {
    this.text += bytes.toString();
  }

  end(): void {
    this.hasEnded = true;
  }

  /** The data of the events of a kind. */
  of(event: string): readonly unknown[] {
    return [...this.text.matchAll(new RegExp(`event: ${event}\ndata: (.*)`, 'g'))].map(([, data]) =>
      JSON.parse(data ?? 'null'),
    );
  }

  get entries(): readonly number[] {
    return [...this.text.matchAll(/"n":(\d+)/g)].map(([, n]) => Number(n));
  }

  has(count: number): Promise<unknown> {
    return until(
      async () => this.entries.length,
      (length) => length >= count,
    );
  }
}

let store: CountingStore;
let tails: LogTails;

beforeEach(() => {
  store = new CountingStore();
  tails = new LogTails(store, { logQueryTimeoutMs: 1_000 });
});

interface Watching {
  readonly after?: number | null;
  readonly key?: string;
  readonly tenant?: string;
  readonly tail?: TailQuery;
}

const watch = (
  reader: TestReader,
  { after = null, tail = TAIL, key = tail.project ?? 'all', tenant = 'one' }: Watching = {},
): Promise<Tail> => tails.watch({ key, tenant, redact: false, compile: async () => tail }, reader, after);

const readersOf = async (...projects: readonly string[]): Promise<readonly TestReader[]> => {
  const readers = projects.map(() => new TestReader());
  for (const [at, project] of projects.entries())
    await watch(readers[at] ?? new TestReader(), { tail: tailFor(project) });
  return readers;
};

const upTo = (last: number, from = 1): readonly number[] =>
  Array.from({ length: last - from + 1 }, (_, at) => from + at);

describe('a reader', () => {
  it('has every entry once, in order, from where it was, beside others of the same filter', async () => {
    store.add(3_500);
    const [now, resumed, ahead] = [new TestReader(), new TestReader(), new TestReader()];
    await watch(now);
    await watch(resumed, { after: 10 });
    // A position of the store before it was restored from a backup.
    await watch(ahead, { after: 9_000 });
    store.add(5);
    await Promise.all([now.has(5), ahead.has(5), resumed.has(3_495)]);
    store.add(1);
    await Promise.all([now.has(6), ahead.has(6), resumed.has(3_496)]);
    expect(now.entries).toEqual(upTo(3_506, 3_501));
    expect(ahead.entries).toEqual(upTo(3_506, 3_501));
    expect(resumed.entries).toEqual(upTo(3_506, 11));
    expect(resumed.of('started')).toEqual([{ position: 10 }]);
    expect(tails.counts).toEqual({ delivered: 6 + 6 + 3_496, skipped: 0 });
  });

  it('that is too slow misses entries, and is told how many before the next ones', async () => {
    const [slow, quick] = [new TestReader(), new TestReader()];
    const { member } = await watch(slow);
    await watch(quick);
    slow.isBehind = true;
    store.add(7);
    await quick.has(7);
    store.add(2);
    await quick.has(9);
    expect(slow.text).not.toContain('event: entry');
    expect(member.ping).toBe(':\n\n');
    slow.isBehind = false;
    member.caughtUp();
    store.add(1);
    await slow.has(1);
    expect(slow.of('skipped')).toEqual([{ count: 9 }]);
    expect(slow.text.indexOf('event: skipped')).toBeLessThan(slow.text.indexOf('event: entry'));
    expect(slow.entries).toEqual([10]);
    expect(member.ping).toBe('id: 10\n\n');
    expect(tails.counts.skipped).toBe(9);
  });

  it('that has missed more than one page is given the next when it can take it', async () => {
    store.add(2_500);
    const reader = new TestReader();
    const { member, leave } = await watch(reader, { after: 0 });
    reader.isBehind = true;
    await reader.has(1_000);
    expect(reader.entries).toEqual(upTo(1_000));
    reader.isBehind = false;
    member.caughtUp();
    await reader.has(2_500);
    expect(reader.entries).toEqual(upTo(2_500));
    leave();
    expect(tails.readers).toBe(0);
  });

  it('of more entries than it could read is told how many were skipped', async () => {
    const reader = new TestReader();
    await watch(reader);
    store.add(9_000);
    await until(
      async () => tails.counts.skipped,
      (skipped) => skipped > 0,
    );
    expect(reader.of('skipped')).toEqual([{ count: 4_000 }]);
    store.add(1);
    await reader.has(5_001);
    expect(reader.entries).toEqual([...upTo(5_000), 9_001]);
  });

  it('costs no read after it has left', async () => {
    const { leave } = await watch(new TestReader());
    leave();
    leave();
    store.add(1);
    const other = new TestReader();
    await watch(other, { key: 'other', after: 0 });
    await other.has(1);
    expect(store.runs).toBe(1);
    expect(tails.readers).toBe(1);
  });
});

describe('a filter', () => {
  it('is read once for all its readers', async () => {
    const readers = upTo(20).map(() => new TestReader());
    for (const reader of readers) await watch(reader);
    store.add(3);
    for (const reader of readers) await reader.has(3);
    expect(store.runs).toBe(1);
  });

  it('is read together with those that differ in their project alone', async () => {
    const readers = await readersOf('a', 'b', 'c');
    store.add(3);
    for (const reader of readers) await reader.has(3);
    expect(store.runs).toBe(1);
    for (const reader of readers) expect(reader.entries).toEqual(upTo(3));
    expect(readers[0]?.of('entry')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    // Too many for one read.
    store.add(2_000);
    for (const reader of readers) await reader.has(2_003);
    for (const reader of readers) expect(reader.entries).toEqual(upTo(2_003));
  });

  it('that fails on an entry of one project does not end the tails of another', async () => {
    const ofB = tailFor('b');
    const [failing, other] = [new TestReader(), new TestReader()];
    await watch(failing, { tail: tailFor('a') });
    await watch(other, { tail: ofB });
    store.failure = new LogQueryFailedError('value', 'this is no number');
    store.fails = (asked) => asked !== ofB.rows;
    store.add(2);
    await until(
      async () => failing.hasEnded,
      (hasEnded) => hasEnded,
    );
    await other.has(2);
    expect(other.hasEnded).toBe(false);
    expect(failing.entries).toEqual([]);
  });

  it('that fails on an entry ends its tails, and says why', async () => {
    const [failing, after] = [new TestReader(), new TestReader()];
    await watch(failing);
    store.failure = new LogQueryFailedError('value', 'this is no number');
    store.add(1);
    await until(
      async () => failing.hasEnded,
      (hasEnded) => hasEnded,
    );
    expect(failing.of('ended')).toEqual([{ code: 'query-value', detail: 'this is no number' }]);
    await watch(after, { after: 0 });
    await until(
      async () => after.hasEnded,
      (hasEnded) => hasEnded,
    );
  });

  it('is read again when the store did not answer', async () => {
    const readers = [new TestReader(), ...(await readersOf('a', 'b'))];
    const [alone = new TestReader()] = readers;
    await watch(alone);
    store.failure = new LogStoreUnavailableError('away');
    store.add(2);
    await until(
      async () => store.runs,
      (runs) => runs === 2,
    );
    store.failure = null;
    for (const reader of readers) {
      await reader.has(2);
      expect([reader.entries, reader.hasEnded]).toEqual([[1, 2], false]);
    }
    expect(store.runs).toBe(4);
  });
});

describe('limits', () => {
  it('lets each tenant have so many readers, and others theirs', async () => {
    for (const _ of upTo(100)) await watch(new TestReader());
    await expect(watch(new TestReader())).rejects.toMatchObject({ failure: { status: 429 } });
    await watch(new TestReader(), { tenant: 'two' });
    expect(tails.readers).toBe(101);
  });

  it('counts no reader that was refused', async () => {
    const compileFails = {
      key: 'x',
      tenant: 'one',
      redact: false,
      compile: () => Promise.reject(new Error('no')),
    };
    await expect(tails.watch(compileFails, new TestReader(), null)).rejects.toThrow('no');
    expect(tails.readers).toBe(0);
  });

  it('ends every reader when the server stops', async () => {
    const reader = new TestReader();
    await watch(reader);
    tails.beforeApplicationShutdown();
    expect(reader.hasEnded).toBe(true);
    expect(reader.of('ended')).toEqual([]);
  });
});
