/**
 * The files that a command makes are for its user alone, as those of a server: hashes of passwords are in them. A file that
 * the user names for a result is made with the mask of the user.
 */
import { closeSync, openSync } from 'node:fs';

const PRIVATE = 0o077;

let usersMask: number | null = null;

/** From now on, in all threads and children of the process. */
export const makeFilesPrivate = (): void => {
  usersMask = process.umask(PRIVATE);
};

/** Makes a file that is not there. Throws the system's error. */
export const makeNewResultFile = (path: string): void => {
  if (usersMask !== null) process.umask(usersMask);
  try {
    closeSync(openSync(path, 'wx'));
  } finally {
    if (usersMask !== null) process.umask(PRIVATE);
  }
};
