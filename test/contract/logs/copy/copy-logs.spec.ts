import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openLogStore } from '../../../../src/app/stores/open-log-store.js';
import { knownFieldsOf } from '../../../../src/foundation/log-store/known-fields.js';
import type { LogStore } from '../../../../src/foundation/log-store/log-store.js';
import { EntryPacker } from '../../../../src/foundation/log-store/packed-entries.js';
import { copyLogs } from '../../../../src/logs/copy/copy-logs.js';
import { entriesOf, HOUR_MICROS as HOUR, hoursOf } from '../../../../src/logs/copy/entry-reading.js';
import {
  type ClickhouseServer,
  describeOnClickhouse,
  startClickhouse,
} from '../../../support/clickhouse/clickhouse-server.js';
import { logEntries, logEntry, NOON } from '../../../support/log-entries.js';
import { logStoresForEach } from '../../../support/log-stores.js';

const stores = logStoresForEach();

const openAt = async (url: string): Promise<LogStore> =>
  stores.closing(await openLogStore(url, { memoryMb: 256 }));
const duckDb = (name: string) => openAt(`duckdb:${stores.path(name)}.duckdb`);
const copy = (from: LogStore, to: LogStore) => copyLogs({ from, to }, () => undefined);

/** All that a store has, as text. */
const contentOf = async (store: LogStore): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const source of await store.sources())
    for (const hour of (await hoursOf(store, source)).keys())
      for await (const page of entriesOf(store, source, { from: hour, to: hour + HOUR }))
        for (const { entry, text } of page) all.push(JSON.stringify({ source, ...entry, text }));
  return all.toSorted();
};

const fill = async (store: LogStore): Promise<number> => {
  // More than a page with one timestamp.
  await store.append(
    'edge_logs',
    logEntries(6_000, () => ({ timestamp: NOON })),
  );
  await store.append(
    'edge_logs',
    logEntries(50, (at) => ({ timestamp: NOON + at * HOUR, project: at % 3 ? `p${at % 3}` : null })),
  );
  await store.append('storage_logs', [logEntry({ metadata: { project: 'named in the metadata' } })]);
  await store.addSource('audit_logs');
  await store.append('audit_logs', [
    logEntry({
      eventMessage: 'odd \0 "text" \\ ä\n',
      timestamp: -1,
      metadata: { 'a\0b': [null, { c: 'd\0' }] },
    }),
  ]);
  // As a sender wrote it: no double holds these numbers.
  const packer = new EntryPacker({
    source: 'auth_logs',
    known: () => knownFieldsOf('auth_logs'),
    isTied: false,
  });
  const text = '{"n":12345678901234567890,"x":1.10,"y":1e400}';
  packer.add(logEntry({ metadata: JSON.parse(text) }), text);
  await store.append('auth_logs', packer.pack());
  return 6_053;
};

const copies = (openFrom: () => Promise<LogStore>, openTo: () => Promise<LogStore>): void => {
  it('has all entries as they were, their sources and their fields', async () => {
    const [from, to] = [await openFrom(), await openTo()];
    const count = await fill(from);
    const { sources, differences } = await copy(from, to);
    expect(differences).toEqual([]);
    expect(sources.reduce((sum, { appended }) => sum + appended, 0)).toBe(count);
    expect(sources.reduce((sum, { entries }) => sum + entries, 0)).toBe(count);
    expect(await contentOf(to)).toEqual(await contentOf(from));
    expect(await to.sources()).toEqual(await from.sources());
    expect((await to.catalogue(null)).sources).toEqual((await from.catalogue(null)).sources);
  });

  it('goes on where it was broken off, and doubles nothing when it is done again', async () => {
    const [from, to] = [await openFrom(), await openTo()];
    const count = await fill(from);
    let appends = 0;
    const append: LogStore['append'] = (...given) => {
      if (++appends === 2) throw new Error('killed');
      return to.append(...given);
    };
    const breaking = new Proxy(to, {
      get: (target, name) => {
        if (name === 'append') return append;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await expect(copy(from, breaking)).rejects.toThrow('killed');
    const before = Object.values(await to.counts()).reduce((sum, entries) => sum + entries, 0);
    expect(before).toBeGreaterThan(1_000);
    expect(before).toBeLessThan(count);
    const { sources, differences } = await copy(from, to);
    expect(differences).toEqual([]);
    expect(sources.reduce((sum, { appended }) => sum + appended, 0)).toBe(count - before);
    // The target would know the ids for a day only, so it is not asked.
    appends = 100;
    const again = await copy(from, breaking);
    expect(appends).toBe(100);
    expect(again.sources.reduce((sum, { appended }) => sum + appended, 0)).toBe(0);
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  it('names the hours and projects whose entries are not the same', async () => {
    const [from, to] = [await openFrom(), await openTo()];
    const entries = logEntries(4, (at) => ({ timestamp: NOON + at, project: 'p' }));
    await from.append('edge_logs', entries);
    const [first = logEntry()] = entries;
    await to.append('edge_logs', [{ ...first, eventMessage: 'another' }, logEntry({ timestamp: NOON })]);
    const { sources, differences } = await copy(from, to);
    expect(differences).toEqual([
      { source: 'edge_logs', project: 'p', hour: '2026-03-01T12:00:00.000Z', entries: 4, differing: 1 },
    ]);
    expect(sources).toContainEqual({ source: 'edge_logs', entries: 4, appended: 3, compared: 1 });
  });
};

describe('a copy from DuckDB into DuckDB', () => {
  copies(
    () => duckDb('from'),
    () => duckDb('to'),
  );
});

describeOnClickhouse('with ClickHouse', () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server.stop());

  describe('a copy from DuckDB into it', () => {
    copies(
      () => duckDb('from'),
      () => openAt(server.url()),
    );
  });

  describe('a copy from it into DuckDB', () => {
    copies(
      () => openAt(server.url()),
      () => duckDb('to'),
    );
  });
});
