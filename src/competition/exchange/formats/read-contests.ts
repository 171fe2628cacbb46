/**
 * Reads all contests under a path: a folder of unofficial results, a folder of such folders and files, a WCIF file,
 * or a results CSV. Each is read separately, so a fault in one does not hide the others.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileProblem } from '../../../foundation/basics/file-problem.js';
import { FaultList, type Reading } from './contest-file.js';
import { readText, unreadable } from './file-text.js';
import { readResultsCsv } from './results-csv-reader.js';
import { isUnofficialFolder, readUnofficialFolder } from './unofficial-folder.js';
import { readWcif } from './wcif-reader.js';

/**
 * Reads every contest under the path, sorted by name. Throws when the path cannot be read. Faults inside a file are
 * in its reading.
 */
export async function* readContests(path: string): AsyncGenerator<Reading> {
  const failed = (error: unknown): never => {
    throw new Error(`${path} cannot be read: ${fileProblem(error)}`);
  };
  const kind = await stat(path).catch(failed);
  if (!kind.isDirectory()) {
    yield* await readContestsFile(path);
    return;
  }
  const entries = (await readdir(path).catch(failed)).filter((name) => !name.startsWith('.')).sort();
  if (isUnofficialFolder(entries)) {
    yield await readUnofficialFolder(path);
    return;
  }
  yield* readFolderOfContests(path, entries);
}

async function* readFolderOfContests(path: string, entries: readonly string[]): AsyncGenerator<Reading> {
  for (const entry of entries) {
    const inside = join(path, entry);
    const faults = new FaultList();
    const readings = await faults.awaited(readEntry(inside));
    yield* readings ?? [{ ok: false, source: inside, faults: faults.faults }];
  }
}

/** Returns no readings for other files. Throws FaultError. */
const readEntry = async (path: string): Promise<readonly Reading[]> => {
  const failed = (error: unknown): never => {
    throw unreadable(path, error);
  };
  const kind = await stat(path).catch(failed);
  if (!kind.isDirectory()) return /\.(json|csv)$/i.test(path) ? readContestsFile(path) : [];
  const entries = await readdir(path).catch(failed);
  return isUnofficialFolder(entries) ? [await readUnofficialFolder(path)] : [];
};

const readContestsFile = async (path: string): Promise<readonly Reading[]> => {
  const faults = new FaultList();
  const left = (): readonly Reading[] => [{ ok: false, source: path, faults: faults.faults }];
  const isWcif = /\.json$/i.test(path);
  if (!isWcif && !/\.csv$/i.test(path)) {
    faults.add({ file: path, line: null, column: null }, 'is neither a folder nor a .json or .csv file');
    return left();
  }
  const text = await faults.awaited(readText(path));
  if (text === null) return left();
  return isWcif ? [readWcif(path, text)] : readResultsCsv(path, text);
};
