/** A file of before, with one catalogue for all projects: each project gets its own, from the entries. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from '@jest/globals';
import { openLogStore } from '../../../../src/app/stores/open-log-store.js';
import { KNOWN_FIELDS } from '../../../../src/foundation/log-store/known-fields.js';
import { logEntry } from '../../../support/log-entries.js';
import { temporaryFolder } from '../../../support/podium-app.js';

it('gives each project the fields of its entries', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'logs.duckdb');
  const url = `duckdb:${path}`;
  const store = await openLogStore(url, { memoryMb: 256 });
  await store.append('edge_logs', [
    logEntry({ project: 'one', metadata: { n: 1, list: [1, 'x'], empty: [], none: null, in: { a: true } } }),
    logEntry({ project: 'one', metadata: { n: 1.5, records: [{ a: 1 }, { b: 'x' }], in: { b: -1 } } }),
    logEntry({ project: 'two', metadata: { n: 'text', 'a\0b': 1, in: [1] } }),
    logEntry({ project: null, metadata: { lost: 1 } }),
  ]);
  await store.append('storage_logs', [logEntry({ metadata: { project: 'two', deep: { er: 1 } } })]);
  const learned = await Promise.all(['one', 'two', null].map((project) => store.catalogue(project)));
  await store.close();

  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('DROP TABLE _podium.fields');
  const shared = JSON.stringify({ version: 7, sources: KNOWN_FIELDS });
  await connection.run("INSERT INTO _podium.store VALUES ('catalogue', $shared)", { shared });
  connection.closeSync();
  instance.closeSync();

  for (const _ of ['at the first start', 'at the next']) {
    const opened = await openLogStore(url, { memoryMb: 256 });
    const derived = await Promise.all(['one', 'two', null].map((project) => opened.catalogue(project)));
    expect(derived.map(({ sources }) => sources)).toEqual(learned.map(({ sources }) => sources));
    expect((await opened.counts()).edge_logs).toBe(4);
    await opened.close();
  }
  await rm(folder, { recursive: true });
});
