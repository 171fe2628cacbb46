/** The ClickHouse of the benches: a server of its own, else the engine in process that the tests use; null where there is neither. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endingWithUs, firstLine, stopChild } from './processes.mjs';

const SERVER = fileURLToPath(new URL('../../test/support/clickhouse/server.py', import.meta.url));
const PYTHON = join(tmpdir(), 'podium-chdb', 'bin', 'python');

const storeUrl = (url) => {
  const store = new URL(url.replace(/^http/, 'clickhouse'));
  store.pathname = `/podium_bench_${randomBytes(4).toString('hex')}`;
  return store.href;
};

/** `url`: for LOG_STORE_URL, with a database of the bench's own. */
export const startClickhouse = async (root) => {
  const named = process.env.PODIUM_TEST_CLICKHOUSE_URL;
  if (named !== undefined)
    return { url: storeUrl(named), name: 'PODIUM_TEST_CLICKHOUSE_URL', stop: async () => {} };
  if (!existsSync(PYTHON)) return null;
  const folder = join(root, 'clickhouse');
  mkdirSync(folder, { recursive: true });
  const child = endingWithUs(spawn(PYTHON, [SERVER, folder, '0'], { stdio: ['pipe', 'pipe', 'inherit'] }));
  const url = (await firstLine(child)).trim();
  return {
    url: storeUrl(url),
    name: 'the engine in process (chdb) behind the server of the tests',
    stop: () => stopChild(child),
  };
};
