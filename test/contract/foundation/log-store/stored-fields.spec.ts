/** The fields of each project follow its entries: derived for a file of before, gone with the last entry, and bounded. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openLogStore } from '../../../../src/app/stores/open-log-store.js';
import type { DuckDbLogStoreOptions } from '../../../../src/engines/duckdb/duckdb-log-store.js';
import type { RecordType } from '../../../../src/foundation/log-store/field-catalogue.js';
import { knownFieldsOf, PLATFORM_CATALOGUE } from '../../../../src/foundation/log-store/known-fields.js';
import type { LogStore } from '../../../../src/foundation/log-store/log-store.js';
import { EntryPacker, packEntries } from '../../../../src/foundation/log-store/packed-entries.js';
import type { BuiltInSource } from '../../../../src/foundation/log-store/sources.js';
import { logEntry, NOON } from '../../../support/log-entries.js';
import { temporaryFolder } from '../../../support/podium-app.js';

let folder: string;
let store: LogStore;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const open = async (options: Partial<DuckDbLogStoreOptions> = {}): Promise<void> => {
  store = await openLogStore(`duckdb:${join(folder, 'logs.duckdb')}`, { memoryMb: 256, ...options });
};

/** The names that the project has beyond the known ones. */
const namesOf = async (project: string | null, source: BuiltInSource = 'edge_logs') =>
  Object.keys((await store.catalogue(project)).sources[source].fields).filter(
    (name) => !Object.hasOwn(knownFieldsOf(source).fields, name),
  );

const DAY = 86_400_000_000;
const old = (project: string | null, name: string) =>
  logEntry({ project, timestamp: NOON - 2 * DAY, metadata: { [name]: 1 } });

/** As a body of a token that is tied to the project. */
const tied = (project: string, name: string) => {
  const packer = new EntryPacker({
    source: 'edge_logs',
    known: () => knownFieldsOf('edge_logs'),
    isTied: true,
  });
  packer.add(logEntry({ project, metadata: { [name]: 1 } }));
  return packer.pack();
};

it('are derived from the entries of a file of before, which has one catalogue for all projects', async () => {
  await open();
  await store.append('edge_logs', [
    logEntry({ project: 'one', metadata: { n: 1, list: [1, 'x'], empty: [], none: null, in: { a: true } } }),
    logEntry({ project: 'one', metadata: { n: 1.5, records: [{ a: 1 }, { b: 'x' }], in: { b: -1 } } }),
    logEntry({ project: 'two', metadata: { n: 'text', 'a\0b': 1, in: [1] } }),
    logEntry({ project: null, metadata: { lost: 1 } }),
  ]);
  await store.append('storage_logs', [logEntry({ metadata: { project: 'two', deep: { er: 1 } } })]);
  const learned = await Promise.all(['one', 'two', null].map((project) => store.catalogue(project)));
  await store.close();

  const instance = await DuckDBInstance.create(join(folder, 'logs.duckdb'));
  const connection = await instance.connect();
  await connection.run('DROP TABLE _podium.fields');
  await connection.run("DELETE FROM _podium.store WHERE name = 'fields'");
  const shared = JSON.stringify({ version: 7, sources: PLATFORM_CATALOGUE.sources });
  await connection.run("INSERT INTO _podium.store VALUES ('catalogue', $shared)", { shared });
  connection.closeSync();
  instance.closeSync();

  for (const _ of ['at the first start', 'at the next']) {
    await open();
    const derived = await Promise.all(['one', 'two', null].map((project) => store.catalogue(project)));
    expect(derived.map(({ sources }) => sources)).toEqual(learned.map(({ sources }) => sources));
    expect((await store.counts()).edge_logs).toBe(4);
    await store.close();
  }
  await open();
});

it('go with the last entries of their project, and come back with the next', async () => {
  await open();
  await store.append('edge_logs', [old('gone', 'a'), old('stays', 'b'), old(null, 'ofNone')]);
  await store.append('edge_logs', [logEntry({ project: 'stays', metadata: { c: 1 } })]);
  await store.append('auth_logs', [logEntry({ project: 'gone', metadata: { d: 1 } })]);
  expect(await namesOf(null)).toEqual(['a', 'b', 'ofNone', 'c']);
  expect(await store.removeBefore('edge_logs', NOON - DAY)).toBe(3);
  expect(await namesOf('gone')).toEqual([]);
  expect(await namesOf('stays')).toEqual(['b', 'c']);
  expect(await namesOf('gone', 'auth_logs')).toEqual(['d']);
  expect((await namesOf(null)).sort()).toEqual(['b', 'c']);
  // The sender has seen the field before, so it does not report it.
  const known = (): RecordType => ({
    kind: 'record',
    fields: { ...knownFieldsOf('edge_logs').fields, a: { kind: 'integer' } },
  });
  const entries = [logEntry({ project: 'gone', metadata: { a: 1 } })];
  await store.append('edge_logs', packEntries('edge_logs', entries, known));
  expect(await namesOf('gone')).toEqual(['a']);
  expect((await namesOf(null)).sort()).toEqual(['a', 'b', 'c']);
});

it('are kept of so many projects, and of those of tied tokens; of others once there is room', async () => {
  await open({ maxProjects: 3 });
  await store.append(
    'edge_logs',
    ['1', '2', '3', '4', '5'].map((project) => old(project, `of${project}`)),
  );
  // Derived fields come in any order.
  const names = async () =>
    Promise.all(
      ['1', '2', '3', '4', '5', 'tied', null].map(async (one) => (await namesOf(one)).sort().join(' ')),
    );
  expect(await names()).toEqual(['of1', 'of2', 'of3', '', '', '', 'of1 of2 of3 of4 of5']);
  await store.append('edge_logs', tied('tied', 'ofTied'));
  await store.append('edge_logs', tied('5', 'new'));
  await store.append('edge_logs', [logEntry({ project: '4', metadata: { new: 1 } }), old('6', 'of6')]);
  await store.close();
  await open({ maxProjects: 3 });
  expect(await names()).toEqual([
    'of1',
    'of2',
    'of3',
    '',
    'new of5',
    'ofTied',
    expect.stringContaining('of6'),
  ]);
  await store.removeBefore('edge_logs', NOON - DAY);
  // 4 has an entry left, from which its fields are derived.
  expect(await names()).toEqual(['', '', '', 'new', 'new of5', 'ofTied', expect.any(String)]);
  await store.append('edge_logs', [logEntry({ project: '7', metadata: { of7: 1 } })]);
  expect(await namesOf('7')).toEqual([]);
});
