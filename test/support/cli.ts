/** Runs the built `podium` command as a process of its own on a data folder, as a script would. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface CliRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What stdout holds as JSON. Throws when it is not. */
  json(): unknown;
}

/** The command as a process that a test may end early. */
export const podiumProcess = (
  dataDir: string,
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
) =>
  spawn(process.execPath, [join(root, 'dist/app/podium.js'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, PODIUM_DATA: dataDir, PODIUM_SAMPLE: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

export const podiumOn =
  (dataDir: string, env: Readonly<Record<string, string>> = {}) =>
  async (...args: readonly string[]): Promise<CliRun> => {
    const child = podiumProcess(dataDir, env, ...args);
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    return { status, stdout, stderr, json: () => JSON.parse(stdout) };
  };

export type Podium = ReturnType<typeof podiumOn>;

/** Runs one that has to succeed, and answers its JSON. */
export const done = async (podium: Podium, ...args: readonly string[]): Promise<unknown> => {
  const run = await podium(...args, '--json');
  if (run.status !== 0) throw new Error(`podium ${args.join(' ')} ended with ${run.status}: ${run.stderr}`);
  return run.json();
};
