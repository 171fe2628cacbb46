/** Making folders, also where none can be made. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { makeFolder } from '../../../../src/foundation/basics/folders.js';

it('makes a folder with those above it, and leaves one that is there', () => {
  const root = mkdtempSync(join(tmpdir(), 'podium-folders-'));
  try {
    const path = join(root, 'a', 'b', 'c');
    for (let time = 0; time < 2; time++) makeFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
    // Windows has no such modes.
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('says why where the system makes none', () => {
  expect(() => makeFolder('/dev/null/podium')).toThrow(/ENOTDIR|EEXIST|ENOENT/);
  // On Linux this is where Node itself would try for ever; elsewhere it is below a root that is not there.
  expect(() => makeFolder('/proc/podium/data')).toThrow(/mkdir '\/proc/);
});
