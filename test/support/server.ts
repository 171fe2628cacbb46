/**
 * Starts the real built server (dist/app/main.js) as a process of its own, with its own data folder and a free port, and
 * talks to it over real sockets.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from './client.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface TestServer {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Its log so far, one parsed line each. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Ends it with SIGTERM; resolves with its exit code. The data folder stays until `remove`. */
  stop(): Promise<number | null>;
  kill(): Promise<void>;
  remove(): Promise<void>;
}

export interface TestServerOptions {
  /** An existing data folder: another server had it before. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export const newDataDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'podium-test-'));

/** The environment of a server on the loopback, on a port that the system picks. */
export const serverEnv = (dataDir: string, env: TestServerOptions['env']): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOST: '127.0.0.1',
  PORT: '0',
  PODIUM_DATA: dataDir,
  PODIUM_SAMPLE: 'false',
  // Entries of fixed days stay, however long ago they are: 30 s after its start a server removes those of more than 30 days.
  PODIUM_LOG_RETENTION: '3650',
  ...env,
});

/** Resolves once it listens and its read models have caught up; rejects with its output when it ends instead. */
export const startServer = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const dataDir = options.dataDir ?? (await newDataDir());
  const child = spawn(process.execPath, [join(root, 'dist/app/main.js')], {
    cwd: root,
    env: serverEnv(dataDir, { PORT: String(await freePort()), ...options.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: Readonly<Record<string, unknown>>[] = [];
  const url = await listening(child, log);
  const ended = once(child, 'exit');
  await answering(url);
  return {
    url,
    dataDir,
    process: child,
    log,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      return child.exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  };
};

/** Serves this data folder while `work` runs. */
export const whileServing = async (
  dataDir: string,
  work: (client: Client, server: TestServer) => Promise<void>,
  env: TestServerOptions['env'] = {},
): Promise<void> => {
  const server = await startServer({ dataDir, env });
  const client = new Client(server.url);
  try {
    await work(client, server);
  } finally {
    client.close();
    await server.stop();
  }
};

/** The read models of a new store take a moment to be built. */
const answering = async (url: string): Promise<void> => {
  const client = new Client(url);
  try {
    await until(
      async () => {
        const { status, text } = await client.get('/api/healthcheck');
        return { status, text };
      },
      ({ status }) => status === 200,
    );
  } finally {
    client.close();
  }
};

const listening = (child: ChildProcess, log: Readonly<Record<string, unknown>>[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const output: string[] = [];
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('the server has no output');
    stderr.on('data', (chunk) => output.push(String(chunk)));
    createInterface({ input: stdout }).on('line', (text) => {
      output.push(text);
      const line = parseLine(text);
      log.push(line);
      if (line.msg === 'listening' && typeof line.url === 'string') resolve(line.url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output.join('\n')}`)));
  });

const parseLine = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : { text };
  } catch {
    return { text };
  }
};
