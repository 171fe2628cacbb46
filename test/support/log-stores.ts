/** The log stores that a test opens, and the folder of its files. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import type { LogStore } from '../../src/foundation/log-store/log-store.js';
import { temporaryFolder } from './podium-app.js';

export interface OpenedLogStores {
  /** A path in the folder of the test. */
  path(name: string): string;
  /** Closes the store after the test. */
  closing<S extends LogStore>(store: S): S;
}

/** Each test of the file has a folder of its own, which is removed after it. */
export const logStoresForEach = (): OpenedLogStores => {
  let folder: string;
  let opened: LogStore[];
  beforeEach(async () => {
    folder = await temporaryFolder();
    opened = [];
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    await rm(folder, { recursive: true });
  });
  return {
    path: (name) => join(folder, name),
    closing: (store) => {
      opened.push(store);
      return store;
    },
  };
};
