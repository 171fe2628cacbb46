/**
 * A temporary PostgreSQL for one bench: a cluster on a socket in a temporary folder, run by a user other than
 * root, with memory for all data. Null when PostgreSQL is not installed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { endingWithUs } from './processes.mjs';

const DEBIAN = '/usr/lib/postgresql';

const findBinaries = () => {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const folders = [...debian.sort().reverse(), '/usr/local/pgsql/bin', '/usr/local/bin', '/usr/bin'];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
};

/** PostgreSQL refuses to run as root; any other user runs it as itself. */
const runAs = () => {
  if (process.getuid() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag) => Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // no such user: the next one
    }
  }
  return null;
};

/** `{ pool, folder, version, stop }` or null. */
export const startPostgres = async () => {
  const binaries = findBinaries();
  const user = runAs();
  if (binaries === undefined || user === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'podium-bench-pg-'));
  const data = join(folder, 'data');
  mkdirSync(data);
  if (user.uid !== undefined) for (const path of [folder, data]) chownSync(path, user.uid, user.gid);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: folder } };
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    {
      ...options,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    shared_buffers: '1GB',
    effective_cache_size: '4GB',
    work_mem: '64MB',
    random_page_cost: '1.1',
    max_wal_size: '8GB',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = join(binaries, 'postgres');
  const server = endingWithUs(spawn(postgres, ['-D', data, ...flags], { ...options, stdio: 'ignore' }));
  const pool = new pg.Pool({ host: folder, user: 'bench', database: 'postgres', max: 16 });
  // An idle connection breaks when the cluster is stopped; the pool must not throw for it.
  pool.on('error', () => undefined);
  const version = await firstAnswer(pool, server);
  const stop = async () => {
    await pool.end();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { pool, folder, version, stop };
};

const firstAnswer = async (pool, server) => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { rows } = await pool.query('SHOW server_version');
      return rows[0].server_version;
    } catch (error) {
      if (server.exitCode !== null || attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
};
