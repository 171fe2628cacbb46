/**
 * A file that the user names for a result. It gets its name, and takes the place of one from before, when it is whole: what a full disk
 * or a lost connection has cut off would look as if it were. A pipe, a device, and a file in a folder where no other file can be made
 * are written as the result comes.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeNewResultFile } from './file-modes.js';
import { writingGiven } from './given-files.js';

export type Append = (bytes: Buffer) => Promise<void>;

/** Throws CliError where the file of --out cannot be written, and what `write` throws. */
export const writeResultFile = async <T>(path: string, write: (append: Append) => Promise<T>): Promise<T> => {
  const writing = <R>(work: () => Promise<R>): Promise<R> => writingGiven(path, '--out', work);
  const { file, part, mode } = await writing(() => placesOf(resolve(path)));
  const target = await writing(() => open(part, 'w'));
  try {
    const result = await write((bytes) => writing(() => target.appendFile(bytes)));
    await writing(async () => {
      if (mode !== null) await target.chmod(mode);
      await target.close();
      if (part !== file) await rename(part, file);
    });
    return result;
  } catch (error) {
    await target.close();
    if (part !== file) await rm(part, { force: true });
    throw error;
  }
};

interface Places {
  readonly file: string;
  /** Has the result until it is whole; the file itself when it is written as the result comes. */
  readonly part: string;
  /** Of the file from before, which the new one gets; null: none. */
  readonly mode: number | null;
}

/** Makes the part. Its name is its own: another command may write the same file. */
const placesOf = async (named: string): Promise<Places> => {
  const before = existsSync(named) ? await stat(named) : null;
  const asItComes = { file: named, part: named, mode: null };
  if (before !== null && !before.isFile()) return asItComes;
  const file = before === null ? named : await realpath(named);
  // Its folder would let a file be replaced that is protected from writing.
  if (before !== null) await (await open(file, 'r+')).close();
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    makeNewResultFile(part);
  } catch (error) {
    if (before !== null && isForbidden(error)) return asItComes;
    throw error;
  }
  return { file, part, mode: before?.mode ?? null };
};

const FORBIDDEN: readonly unknown[] = ['EACCES', 'EPERM', 'EROFS'];

const isForbidden = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && FORBIDDEN.includes(error.code);
