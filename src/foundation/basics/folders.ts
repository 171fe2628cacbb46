/** Folders that Podium makes for what it keeps. */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the folder and those above it. One after the other: Node's own way for all at once never ends where there is none to be
 * made though the one above is there, as below /proc. Throws what the system says.
 */
export const makeFolder = (path: string): void => {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been quicker.
    if (!existsSync(path)) throw error;
  }
};
