/** Makes the folders of Podium's files. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Other users of the machine must not read what is in it: passwords' hashes, secrets of second factors, log entries. */
const OWN = 0o700;

/**
 * Makes the folder, for the user of this process alone, and its parents, one after the other: Node's own recursive mode never returns for a folder that
 * cannot be made in a parent that exists, such as /proc. Throws the system's error.
 */
export const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: OWN });
  } catch (error) {
    // Another process may have made it first.
    if (!existsSync(path)) throw error;
  }
};
