/**
 * Builds the test server in test/support/ferretdb, once for each state of its sources, into a folder of the system's
 * own for temporary files. `ferretdbBinary()` gives the path of the program, or throws saying what is missing; run as a
 * program, it does so beforehand, as `.ci/run` and the first test do. Tests of several processes build it only once.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../ferretdb/', import.meta.url));
const BUILD_TAKES_AT_MOST_MS = 600_000;
/** Where Go's own installer puts it, whether or not it is on the PATH. */
const PATH = [process.env.PATH ?? '', '/usr/local/go/bin'].join(delimiter);

const folderFor = () => {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum', 'main.go']) hash.update(readFileSync(join(SOURCES, file)));
  return join(tmpdir(), `podium-ferretdb-${hash.digest('hex').slice(0, 16)}`);
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Whether this process is the one to build. A lock of a process that is gone does not count. */
const lock = (file) => {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
    return false;
  }
};

const build = (program) => {
  const made = `${program}.${process.pid}`;
  const { status, error, stderr } = spawnSync('go', ['build', '-o', made, '.'], {
    cwd: SOURCES,
    env: { ...process.env, PATH, GOFLAGS: '-mod=readonly' },
    encoding: 'utf8',
    timeout: BUILD_TAKES_AT_MOST_MS,
  });
  if (error) throw new Error(`there is no Go to build FerretDB with (${error.message})`);
  if (status !== 0) throw new Error(`FerretDB could not be built: ${stderr.trim().split('\n').at(-1)}`);
  renameSync(made, program);
};

export const ferretdbBinary = async () => {
  const folder = folderFor();
  const program = join(folder, 'ferretdb');
  mkdirSync(folder, { recursive: true });
  const lockFile = join(folder, 'lock');
  while (!existsSync(program)) {
    if (!lock(lockFile)) {
      await pause(200);
      continue;
    }
    try {
      if (!existsSync(program)) build(program);
    } finally {
      rmSync(lockFile, { force: true });
    }
  }
  return program;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${await ferretdbBinary()}\n`);
