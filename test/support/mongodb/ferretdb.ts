/** FerretDB on a folder of its own: a server that speaks MongoDB's protocol, can be killed, and comes back with its data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EngineProcess } from '../cluster.js';
import { ferretdbBinary } from './ferretdb-binary.mjs';
import type { TestServer } from './mongo-server.js';

/** Of the module in test/support/ferretdb/go.mod. */
const VERSION = '1.24.2 (SQLite)';

export const startFerretdb = async (): Promise<TestServer> => {
  const program = await ferretdbBinary();
  const folder = await mkdtemp(join(tmpdir(), 'podium-ferretdb-data-'));
  let { child, host } = await run(program, folder, '127.0.0.1:0');
  const end: EngineProcess['end'] = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    engine: 'FerretDB',
    version: VERSION,
    isReal: false,
    url: (database) => `mongodb://${host}/${database}`,
    process: {
      end,
      start: async () => {
        ({ child, host } = await run(program, folder, host));
      },
      pause: () => void child.kill('SIGSTOP'),
      resume: () => void child.kill('SIGCONT'),
    },
    stop: async () => {
      await end('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
};

const run = async (
  program: string,
  folder: string,
  address: string,
): Promise<{ readonly child: ChildProcess; readonly host: string }> => {
  const child = spawn(program, [folder, address], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  const [, host] = /^mongodb:\/\/([^/]+)/.exec(String(line)) ?? [];
  if (host === undefined) throw new Error('FerretDB ended before it served');
  return { child, host };
};
