/** What an operator is told of files that cannot be written: which, and what to do. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { storageProblem } from '../../../../src/app/stores/storage-problem.js';
import { loadConfig } from '../../../../src/foundation/config.js';

describe('a problem of the storage', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-storage-'));
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'data', 'logs.duckdb'), '');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const problemIn = (name: string, refused?: { readonly name: string; readonly code: string }) =>
    storageProblem(loadConfig({ PODIUM_DATA: join(folder, name) }), (path) => {
      if (refused && path === join(folder, refused.name))
        throw Object.assign(new Error(refused.code), { code: refused.code });
    });

  it('is none in a folder that is there, and in one that is to be made', () => {
    expect(storageProblem(loadConfig({ PODIUM_DATA: join(folder, 'data') }))).toBeNull();
    expect(storageProblem(loadConfig({ PODIUM_DATA: join(folder, 'new', 'data') }))).toBeNull();
  });

  it('names a file where a folder is wanted', () => {
    expect(problemIn('data/logs.duckdb')).toMatch(
      /logs\.duckdb is no folder, so .+events\.sqlite cannot be made: set PODIUM_DATA to another folder$/,
    );
  });

  it.each([
    ['the folder', 'data', 'chown -R [0-9]+ DATA'],
    ['a file in it', 'data/logs.duckdb', 'chown -R [0-9]+ DATA'],
  ])(
    'names %s where it belongs to another user, and the command that gives it to this one',
    (_, refused, command) => {
      expect(problemIn('data', { name: refused, code: 'EACCES' })).toMatch(
        new RegExp(
          `^the user who runs Podium \\([0-9]+\\) may not read and write ${join(folder, refused)} \\(EACCES\\): .+, as with ${command.replace('DATA', join(folder, 'data'))}, or set`,
        ),
      );
    },
  );

  it('asks for the folder itself where the one above it belongs to another user', () => {
    expect(problemIn('new/data', { name: '', code: 'EACCES' })).toContain(
      `mkdir -p ${join(folder, 'new/data')} && chown `,
    );
  });

  it('names the setting of a store that is elsewhere, and gives away nothing but its folder and file', () => {
    const config = loadConfig({
      PODIUM_DATA: join(folder, 'data'),
      LOG_STORE_URL: `duckdb:${join(folder, 'logs.duckdb')}`,
    });
    const problem = storageProblem(config, (path) => {
      if (path === folder) throw Object.assign(new Error('no'), { code: 'EACCES' });
    });
    expect(problem).toMatch(
      new RegExp(`as with chown [0-9]+ ${folder}, or set LOG_STORE_URL to a file in another folder$`),
    );
  });

  it('says of a read-only file system that it is one', () => {
    expect(problemIn('data', { name: 'data', code: 'EROFS' })).toBe(
      `${join(folder, 'data')} is on a read-only file system: mount it for writing, or set PODIUM_DATA to another folder`,
    );
  });

  it('asks nothing of stores that servers of their own keep', () => {
    const elsewhere = {
      ...{
        EVENT_STORE_URL: 'esdb://db',
        OPERATIONAL_URL: 'mongodb://db/a',
        READ_MODEL_URL: 'mongodb://db/b',
      },
      ...{ LOG_STORE_URL: 'http://node:3000', PODIUM_DATA: join(folder, 'data', 'logs.duckdb') },
    };
    expect(storageProblem(loadConfig(elsewhere))).toBeNull();
  });
});
