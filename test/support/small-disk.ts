/** A disk of a few megabytes that a test fills: a file system in memory, which only root may mount. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { notRunOn } from './engines.js';

const run = promisify(execFile);
const CHUNK = Buffer.alloc(64 * 1024);

export interface SmallDisk {
  readonly folder: string;
  /** Leaves so many bytes, a multiple of 4,096. */
  fill(leaving?: number): Promise<void>;
  /** Gives back what `fill` took. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

/** Null where it cannot be mounted: then `what` is said not to have run. */
export const smallDisk = async (megabytes: number, what: string): Promise<SmallDisk | null> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'podium-test', folder]);
  } catch {
    await rm(folder, { recursive: true });
    notRunOn({ port: 'every store', engine: 'SQLite', what, why: 'only root may mount a small disk' });
    return null;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async (leaving = 0) => {
      const file = await open(ballast, 'a');
      try {
        for (let size = CHUNK.length; size > 0; ) {
          const { bytesWritten } = await file
            .write(CHUNK.subarray(0, size))
            .catch(() => ({ bytesWritten: 0 }));
          if (bytesWritten < size) size = bytesWritten === 0 ? Math.floor(size / 2) : size;
        }
        await file.truncate((await file.stat()).size - leaving);
      } finally {
        await file.close();
      }
    },
    empty: () => rm(ballast, { force: true }),
    remove: async () => {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true });
    },
  };
};
