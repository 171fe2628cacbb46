/**
 * Adds to package-lock.json the packages for other platforms that a lock file made against an incomplete mirror of
 * the registry leaves out; `npm ci` refuses such a lock file everywhere. Run it after `npm install NAME` when
 * test/unit/project/lock-file.spec.ts asks for it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const PLATFORM =
  /-(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x|loong64)(?:-(\w+))?$/;

/** `name@version` of optional packages that an installed package names and the lock file does not hold. */
export const missingFrom = (lock) =>
  Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(
        ([name]) =>
          !(`${path}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages),
      )
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  );

const libcOf = (abi) => {
  if (abi?.startsWith('musl')) return { libc: ['musl'] };
  return abi?.startsWith('gnu') ? { libc: ['glibc'] } : {};
};

const entryOf = ({ name, version, dev }) => {
  const [, os, cpu, abi] = PLATFORM.exec(name) ?? [];
  if (os === undefined) throw new Error(`${name} does not say its platform: add it with a complete registry`);
  return {
    version,
    cpu: [cpu],
    ...(dev ? { dev } : {}),
    ...(os === 'linux' ? libcOf(abi) : {}),
    optional: true,
    os: [os],
  };
};

/** The lock file with those entries in it, in npm's order. */
export const completed = (lock) => ({
  ...lock,
  packages: Object.fromEntries(
    [
      ...Object.entries(lock.packages),
      ...missingFrom(lock).map((missing) => [`node_modules/${missing.name}`, entryOf(missing)]),
    ].sort(([a], [b]) => a.localeCompare(b, 'en')),
  ),
});

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  for (const { name, version } of missingFrom(lock)) console.log(`added ${name}@${version}`);
  writeFileSync('package-lock.json', `${JSON.stringify(completed(lock), null, 2)}\n`);
}
