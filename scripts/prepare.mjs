/**
 * What Podium needs before it runs in a checkout: a new enough Node, the packages of package-lock.json, and a
 * build as new as the sources. Each check takes milliseconds and acts only when something is missing. It uses
 * only Node, because it runs before the first install.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const OLDEST_NODE = [20, 19];
const INSTALL_STAMP = join(ROOT, 'node_modules', '.podium-installed');
const BUILD_STAMP = join(ROOT, 'dist', '.podium-built');
const BUILD_INPUTS = [
  'src',
  'web/src',
  'web/public',
  'web/vite.config.ts',
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  '.swcrc',
  'tsconfig.json',
];

/** Ends the process with one line, for a problem that the reader can fix. */
class Refusal extends Error {}

/** Returns null when this version (`20.19.0`) is new enough, else the line to print. */
export const nodeRefusal = (version) => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
    ? null
    : `Podium needs Node ${OLDEST_NODE.join('.')} or newer; this is ${version}. See https://nodejs.org/en/download`;
};

/** Changes with the lock file, and with the Node that native packages were built for. */
export const installFingerprint = (lock, { abi, platform, arch }) =>
  createHash('sha256').update(`${abi} ${platform} ${arch}\n`).update(lock).digest('hex');

/** Changes when a file of the list is added, removed or written. Entries: [path, size, mtimeMs]. */
export const buildFingerprint = (files) =>
  createHash('sha256')
    .update(
      [...files]
        .map((file) => file.join(' '))
        .sort()
        .join('\n'),
    )
    .digest('hex');

/**
 * What to install when better-sqlite3 could be neither downloaded nor compiled. `lacking`: tools that are not
 * on the PATH.
 */
export const compilerAdvice = ({ platform, packageManager, lacking, log }) => {
  const what =
    'better-sqlite3 has no prebuilt binary that can be reached from here and could not be compiled';
  if (platform === 'linux' && lacking.length === 0) {
    return `${what}, although python3, make and g++ are there: ${log} says why (most often Node's headers cannot be fetched).`;
  }
  const install = {
    apt: 'apt-get install -y python3 make g++',
    dnf: 'dnf install -y python3 make gcc-c++',
    apk: 'apk add python3 make g++',
    pacman: 'pacman -S --needed python make gcc',
    zypper: 'zypper install -y python3 make gcc-c++',
  };
  switch (platform) {
    case 'darwin':
      return `${what}: install a compiler with \`xcode-select --install\`, then start again. Log: ${log}`;
    case 'win32':
      return `${what}: install Python 3 and the Visual Studio Build Tools (C++), then start again. Log: ${log}`;
    default:
      return `${what}: install a compiler with \`${install[packageManager] ?? install.apt}\`, then start again. Log: ${log}`;
  }
};

const onPath = (tool) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, tool)));

const adviceHere = (log) =>
  compilerAdvice({
    platform: process.platform,
    packageManager: ['apt-get', 'dnf', 'apk', 'pacman', 'zypper'].find(onPath)?.replace('-get', ''),
    lacking: ['python3', 'make', 'g++'].filter((tool) => !onPath(tool)),
    log,
  });

const readOr = (path, otherwise) => (existsSync(path) ? readFileSync(path, 'utf8') : otherwise);

const wantedInstall = () =>
  installFingerprint(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'), {
    abi: `${process.versions.modules} ${process.versions.napi}`,
    platform: process.platform,
    arch: process.arch,
  });

/** A linked node_modules belongs to another checkout, which installs it. */
const isInstalled = () => {
  const modules = lstatSync(join(ROOT, 'node_modules'), { throwIfNoEntry: false });
  return modules?.isSymbolicLink() || readOr(INSTALL_STAMP, '') === wantedInstall();
};

const filesBelow = (path) => {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return [[path, stat.size, stat.mtimeMs]];
  return readdirSync(path).flatMap((name) => filesBelow(join(path, name)));
};

const wantedBuild = () => buildFingerprint(BUILD_INPUTS.flatMap((input) => filesBelow(join(ROOT, input))));

const isBuilt = () => readOr(BUILD_STAMP, '') === wantedBuild();

const npm = (args, options) =>
  spawnSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    cwd: ROOT,
    shell: process.platform === 'win32',
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    ...options,
  });

/** Runs a command, and shows its output only when it fails. */
const quietly = (what, run) => {
  const { status, stdout, stderr, error } = run;
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  throw new Refusal(`${what} failed${error ? `: ${error.message}` : ''}`);
};

/** The headers of Node, when its installation has them: compiling then needs no download. */
const headersBeside = () => {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node_version.h')) ? { npm_config_nodedir: prefix } : {};
};

/** What src/engines/sqlite/sqlite.ts loads: 13 comes with its binaries, which need Node-API 10 (`process.versions.napi`); 12 does not. */
export const sqlitePackage = (napi) => (Number(napi) >= 10 ? 'better-sqlite3-napi' : 'better-sqlite3');

const sqliteLoads = (name) =>
  spawnSync(process.execPath, ['-e', `new (require('${name}'))(':memory:').close()`], { cwd: ROOT })
    .status === 0;

/**
 * The one native package that may need compiling, installed separately: its failure is one that the reader can
 * fix.
 */
const provideSqlite = () => {
  const name = sqlitePackage(process.versions.napi);
  if (name !== 'better-sqlite3') {
    if (sqliteLoads(name)) return;
    throw new Refusal(
      `better-sqlite3 13 has no binary for ${process.platform} on ${process.arch}: start Podium with Node 20, for which 12 is compiled.`,
    );
  }
  const { status, stdout, stderr } = npm(['rebuild', name, '--foreground-scripts'], {
    env: { ...process.env, ...headersBeside() },
  });
  if (status === 0 && sqliteLoads(name)) return;
  const log = join(mkdtempSync(join(tmpdir(), 'podium-install-')), 'better-sqlite3.log');
  writeFileSync(log, `${stdout}${stderr}`);
  throw new Refusal(adviceHere(log));
};

const install = (say) => {
  say('Installing what package-lock.json asks for (only when it changes; a minute or two)');
  // Scripts of packages are left out; the only one that Podium may need is better-sqlite3's, which follows.
  quietly('npm ci', npm(['ci', '--include=dev', '--ignore-scripts', '--loglevel=error']));
  provideSqlite();
  writeFileSync(INSTALL_STAMP, wantedInstall());
};

const build = (say) => {
  say('Building');
  const wanted = wantedBuild();
  const run = (program, ...args) =>
    spawnSync(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    });
  quietly('The build', run('@nestjs/cli/bin/nest.js', 'build'));
  quietly('The build of the pages', run('vite/bin/vite.js', 'build', 'web'));
  quietly('The build of the pages', run('vite/bin/vite.js', 'build', 'web', '--ssr'));
  writeFileSync(BUILD_STAMP, wanted);
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** One preparation at a time per checkout: `npm start` and the CLI may start together in a fresh clone. */
const alone = (work) => {
  const lock = join(
    tmpdir(),
    `podium-prepare-${createHash('sha256').update(ROOT).digest('hex').slice(0, 16)}`,
  );
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const holder = Number(readOr(lock, ''));
      if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
};

/** Prints a refusal as one line and ends the process. Any other error is a fault and keeps its stack. */
const orRefuse = (work) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exit(1);
  }
};

/** Prepares Node and packages. Ends the process with one line when it cannot. */
export const prepareInstall = ({ say }) =>
  orRefuse(() => {
    const refusal = nodeRefusal(process.versions.node);
    if (refusal !== null) throw new Refusal(refusal);
    if (!isInstalled()) alone(() => isInstalled() || install(say));
  });

/** Prepares Node, packages and the build. Ends the process with one line when it cannot. */
export const prepare = ({ say }) => {
  prepareInstall({ say });
  orRefuse(() => isBuilt() || alone(() => isBuilt() || build(say)));
};

/**
 * Runs the built program in this process, so that signals, exit status and terminal are its own. `program` is a
 * path inside dist/.
 */
export const becomeBuilt = async (program) => {
  const path = join(ROOT, 'dist', program);
  process.argv[1] = path;
  await import(pathToFileURL(path).href);
};

/** Runs a child that shares stdin and output, or has those of `stdio`. Signals to this process reach it. Resolves to its exit status. */
export const runThrough = (command, args, stdio = 'inherit') =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio });
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    child.once('error', reject);
    child.once('exit', (status, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
      if (signal !== null) process.exitCode = 1;
      resolve(status ?? 1);
    });
  });
