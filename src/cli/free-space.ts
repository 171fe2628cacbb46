/** The room on the disks, for doctor and backup. */
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from './refusals.js';
import { fileBytes, sizeText } from './sqlite-file.js';

/** Bytes; null: not known. */
export const freeBytes = async (folder: string): Promise<number | null> => {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
};

/** SQLite makes a shared-memory file and a log beside a file that no process has open. */
const OPENING_BYTES = 65_536;

interface Copies {
  readonly to: string;
  readonly files: readonly string[];
  /** The log engine makes its copy beside the file first. Null: there are no logs. */
  readonly logs: string | null;
}

/** Throws CliError, before anything is written, that names the missing room. */
export const requireRoom = async ({ to, files, logs }: Copies): Promise<void> => {
  const logBytes = logs === null ? 0 : fileBytes(logs);
  const total = files.reduce((sum, file) => sum + fileBytes(file), logBytes);
  const beside = logs === null ? to : dirname(logs);
  for (const file of files)
    if (!existsSync(`${file}-shm`)) await requireFree(dirname(file), OPENING_BYTES, `opening ${file}`);
  const isOneDisk = (await stat(to)).dev === (await stat(beside)).dev;
  await requireFree(to, isOneDisk && logs !== null ? total + logBytes : total, 'the copy');
  await requireFree(
    beside,
    logBytes,
    'the copy of the logs, which is made beside them,',
    '; --no-logs copies the rest',
  );
};

const requireFree = async (folder: string, bytes: number, what: string, more = ''): Promise<void> => {
  const free = await freeBytes(folder);
  if (free !== null && free < bytes)
    throw new CliError(
      `${what} needs ${sizeText(bytes)} in ${folder}, where ${sizeText(free)} are free${more}`,
    );
};
