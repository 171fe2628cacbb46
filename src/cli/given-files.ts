/** Files that the user names. A failure is one line with the option and the path. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileProblem } from '../foundation/basics/file-problem.js';
import { CliError } from './refusals.js';

/** Throws CliError. `option`: which one names the file; left out: an argument does. */
export const readGiven = (path: string, option?: string): Promise<Buffer> =>
  readFile(resolve(path)).catch((error: unknown) => {
    throw new CliError(`${shown(path, option)} cannot be read: ${fileProblem(error)}`);
  });

/** What makes or writes the file or folder. Throws CliError where that cannot be done. */
export const writingGiven = async <T>(
  path: string,
  option: string | undefined,
  write: () => Promise<T>,
): Promise<T> => {
  try {
    return await write();
  } catch (error) {
    throw new CliError(`${shown(path, option)} cannot be written: ${fileProblem(error)}`);
  }
};

const shown = (path: string, option: string | undefined): string =>
  option === undefined ? path : `${option} ${path}`;
