/**
 * Finds the contests under a path, whatever format they are in: a folder of unofficial results, a folder of such
 * folders and files, a WCIF file, a results CSV. Each is read for itself, so a bad one does not hide the others.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reading } from './contest-file.js';
import { readResultsCsv } from './results-csv-reader.js';
import { isUnofficialFolder, readUnofficialFolder } from './unofficial-folder.js';
import { readWcif } from './wcif-reader.js';

/**
 * Every contest under the path, in the order of the names. Throws for a path that cannot be read at all; what is
 * wrong inside a file is in its reading.
 */
export async function* readContests(path: string): AsyncGenerator<Reading> {
  const kind = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error(`there is no file or folder ${path}`) : error;
  });
  if (!kind.isDirectory()) {
    yield* readContestsFile(path);
    return;
  }
  const entries = (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
  if (isUnofficialFolder(entries)) {
    yield await readUnofficialFolder(path);
    return;
  }
  yield* readFolderOfContests(path, entries);
}

async function* readFolderOfContests(path: string, entries: readonly string[]): AsyncGenerator<Reading> {
  for (const entry of entries) {
    const inside = join(path, entry);
    const kind = await stat(inside);
    if (kind.isDirectory()) {
      if (isUnofficialFolder(await readdir(inside))) yield await readUnofficialFolder(inside);
    } else if (/\.(json|csv)$/i.test(entry)) {
      yield* readContestsFile(inside);
    }
  }
}

async function* readContestsFile(path: string): AsyncGenerator<Reading> {
  if (/\.json$/i.test(path)) yield readWcif(path, await readFile(path, 'utf8'));
  else if (/\.csv$/i.test(path)) yield* readResultsCsv(path, await readFile(path, 'utf8'));
  else
    yield {
      ok: false,
      source: path,
      faults: [
        { file: path, line: null, column: null, reason: 'is neither a folder nor a .json or .csv file' },
      ],
    };
}
