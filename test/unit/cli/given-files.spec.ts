/** Files that the user names: what cannot be read or written is said in one line with the option and the path. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readGiven } from '../../../src/cli/given-files.js';
import { Output } from '../../../src/cli/output.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-given-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('that cannot be read', async () => {
  const none = join(folder, 'none.sql');
  await expect(readGiven(none, '--query-file')).rejects.toThrow(
    new Error(`--query-file ${none} cannot be read: no such file or directory`),
  );
  await expect(readGiven(folder)).rejects.toThrow(
    new Error(`${folder} cannot be read: illegal operation on a directory`),
  );
});

it('that cannot be written', async () => {
  const out = new Output(false);
  const nowhere = join(folder, 'none', 'spring.csv');
  await expect(out.save('name\n', nowhere, { of: 'Spring' })).rejects.toThrow(
    new Error(`--out ${nowhere} cannot be written: no such file or directory`),
  );
  await expect(readFile(nowhere)).rejects.toThrow('ENOENT');
});
