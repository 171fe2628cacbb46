/**
 * A file that the user names for a result. It gets its name, and takes the place of one from before, when it is whole: what a full disk
 * or a lost connection has cut off would look as if it were. A pipe or a device is written as it comes.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { makeResultFile } from './file-modes.js';
import { writingGiven } from './given-files.js';

export type Append = (bytes: Buffer) => Promise<void>;

/** Throws CliError where the file of --out cannot be written, and what `write` throws. */
export const writeResultFile = async <T>(path: string, write: (append: Append) => Promise<T>): Promise<T> => {
  const writing = <R>(work: () => Promise<R>): Promise<R> => writingGiven(path, '--out', work);
  const file = existsSync(path) ? realpathSync(path) : resolve(path);
  const before = existsSync(file) ? statSync(file) : null;
  const isFile = before === null || before.isFile();
  const part = isFile ? `${file}.part` : file;
  const target = await writing(() => {
    makeResultFile(part);
    return open(part, 'w');
  });
  try {
    const result = await write((bytes) => writing(() => target.appendFile(bytes)));
    if (isFile && before) await writing(() => target.chmod(before.mode));
    await target.close();
    if (isFile) await writing(() => rename(part, file));
    return result;
  } catch (error) {
    await target.close();
    if (isFile) await rm(part, { force: true });
    throw error;
  }
};
