/** The real server, built, with its own settings, on a port that the system picks. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endingWithUs, stopChild } from './processes.mjs';

const MAIN = fileURLToPath(new URL('../../dist/app/main.js', import.meta.url));
const LOOK_EVERY_MS = 50;

/**
 * Resolves when it listens. `more`: additional settings. Its log goes to a file, as that of a service does, so
 * that no process spends time reading it.
 */
export const startPodium = async (dataDir, more = {}) => {
  const log = `${dataDir}.log`;
  const file = openSync(log, 'w');
  const flags = (process.env.PODIUM_TEST_BENCH_NODE_FLAGS ?? '').split(' ').filter((flag) => flag !== '');
  const child = endingWithUs(
    spawn(process.execPath, [...flags, MAIN], {
      env: {
        PATH: process.env.PATH,
        HOST: '127.0.0.1',
        PORT: '0',
        PODIUM_DATA: dataDir,
        PODIUM_SAMPLE: 'false',
        ...more,
      },
      stdio: ['ignore', file, 'inherit'],
    }),
  );
  closeSync(file);
  for (;;) {
    const line = readFileSync(log, 'utf8')
      .split('\n')
      .find((text) => text.includes('"msg":"listening"'));
    if (line !== undefined) {
      return { port: JSON.parse(line).port, pid: child.pid, stop: (signal) => stopChild(child, signal) };
    }
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}, see ${log}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
};
