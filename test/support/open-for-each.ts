/** What each test of a file has anew. */
import { afterEach, beforeEach } from '@jest/globals';

/** Opens it before each test and closes it after each. Returns what a test of the file asks for the one that is open. */
export const openForEach = <T extends { close(): Promise<void> }>(open: () => Promise<T>): (() => T) => {
  let opened: T | undefined;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  return () => {
    if (opened === undefined) throw new Error('it is open within a test alone');
    return opened;
  };
};
