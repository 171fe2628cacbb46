/**
 * The worlds that the benches run on: generated with a fixed seed, prepared for entry, and kept in one temporary folder
 * for the length of the run. A server or a peer that changes its store works on a copy.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './processes.mjs';

const CLI = fileURLToPath(new URL('../../dist/app/podium.js', import.meta.url));
const SEED = '1';

export const createWorlds = () => {
  const root = mkdtempSync(join(process.env.PODIUM_TEST_BENCH_DIR ?? tmpdir(), 'podium-bench-'));
  const made = new Map();
  let copies = 0;

  const make = async (results) => {
    const dataDir = join(root, `world-${results}`);
    process.stdout.write(`making a world of ${results.toLocaleString('en')} results\n`);
    const env = { ...process.env, PODIUM_DATA: dataDir, PODIUM_SAMPLE: 'false' };
    execFileSync(process.execPath, [CLI, 'generate', '--results', String(results), '--seed', SEED], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const { answer } = await startChild('./prepare.mjs', { dataDir });
    if (answer.error !== undefined) throw new Error(answer.error);
    const megabytes = (file) => Math.round(statSync(join(dataDir, file)).size / 2 ** 20);
    process.stdout.write(
      `events ${megabytes('events.sqlite')} MB, read models ${megabytes('read-models.sqlite')} MB\n`,
    );
    return { dataDir, results, ...answer.prepared };
  };

  return {
    root,
    of: async (results) => {
      if (!made.has(results)) made.set(results, await make(results));
      return made.get(results);
    },
    /** A folder with a copy of the world's stores, or of the one that is named. */
    copyOf: (world, only = '') => {
      copies += 1;
      const folder = join(root, `copy-${copies}`);
      cpSync(world.dataDir, folder, {
        recursive: true,
        filter: (path) => path === world.dataDir || path.slice(world.dataDir.length + 1).startsWith(only),
      });
      return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};
