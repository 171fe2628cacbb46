/** Builds folders of unofficial results in a temporary directory, for the tests of their reader. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type {
  ContestFile,
  Fault,
  Reading,
} from '../../../../src/competition/exchange/formats/contest-file.js';
import { readUnofficialFolder } from '../../../../src/competition/exchange/formats/unofficial-folder.js';

export interface FolderContent {
  /** Text of competition-info.json, or its value. */
  readonly info: string | object;
  /** Text of each file in round-results. */
  readonly rounds: Readonly<Record<string, string>>;
}

const made: string[] = [];
afterAll(() => Promise.all(made.map((folder) => rm(folder, { recursive: true }))));

/** It lasts as long as the tests of the file. */
export const makeFolder = async ({ info, rounds }: FolderContent): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-folder-'));
  made.push(folder);
  await mkdir(join(folder, 'round-results'));
  await writeFile(
    join(folder, 'competition-info.json'),
    typeof info === 'string' ? info : JSON.stringify(info),
  );
  for (const [name, text] of Object.entries(rounds))
    await writeFile(join(folder, 'round-results', name), text);
  return folder;
};

export const readFolder = async (content: FolderContent): Promise<Reading> =>
  readUnofficialFolder(await makeFolder(content));

/** A contest of one round of `event`. */
export const oneRound = (event: string, roundFormatID: string, csv: string): FolderContent => ({
  info: {
    id: 'Test2020',
    fullName: 'Test 2020',
    roundsByEvent: { [event]: [{ roundFormatID, roundEndDate: '2020-02-29' }] },
  },
  rounds: { [`${event}-round1.csv`]: csv },
});

export const contestOf = (reading: Reading): ContestFile => {
  if (!reading.ok) throw new Error(reading.faults.map(({ reason }) => reason).join('; '));
  return reading.contest;
};

/** Faults with the file cut down to its name. */
export const faultsOf = (reading: Reading): readonly Fault[] =>
  reading.ok ? [] : reading.faults.map((fault) => ({ ...fault, file: fault.file.split('/').at(-1) ?? '' }));
