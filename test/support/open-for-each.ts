/** What each test of a file has anew. */
import { afterEach, beforeEach } from '@jest/globals';

/** Opens it before each test, hands it to the file's tests, and closes it after each. */
export const openForEach = <T extends { close(): Promise<void> }>(
  open: () => Promise<T>,
  take: (opened: T) => void,
): void => {
  let opened: T | undefined;
  beforeEach(async () => {
    opened = await open();
    take(opened);
  });
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
};
