/** An engine in a process and on a folder of its own: a test kills it, and it comes back at the same address with its data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EngineProcess } from './cluster.js';
import { freePort } from './free-port.js';

export interface OwnEngine {
  readonly process: EngineProcess;
  /** `host:port` */
  address(): string;
  stop(): Promise<void>;
}

interface EngineProgram {
  /** Of its folder, and for errors. */
  readonly name: string;
  /** The program with its arguments. It listens at this address and says the URL in its first line. */
  readonly command: (folder: string, address: string) => readonly [program: string, ...args: string[]];
}

export const startEngine = async ({ name, command }: EngineProgram): Promise<OwnEngine> => {
  const folder = await mkdtemp(join(tmpdir(), `podium-${name}-data-`));
  const run = async (at: string): Promise<{ readonly child: ChildProcess; readonly address: string }> => {
    const [program, ...args] = command(folder, at);
    const started = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: started.stdout });
    const [line] = await Promise.race([once(lines, 'line'), once(started, 'exit')]);
    const [, served] = /^\w+:\/\/([^/]+)/.exec(String(line)) ?? [];
    if (served === undefined) throw new Error(`${name} ended before it served`);
    return { child: started, address: served };
  };
  let { child, address } = await run(`127.0.0.1:${await freePort()}`);
  const end: EngineProcess['end'] = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    process: {
      end,
      start: async () => {
        ({ child, address } = await run(address));
      },
      pause: () => void child.kill('SIGSTOP'),
      resume: () => void child.kill('SIGCONT'),
    },
    address: () => address,
    stop: async () => {
      await end('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
};
