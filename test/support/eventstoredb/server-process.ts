/** The test server as a process of its own that a test kills and starts again, always on the same file and port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EngineProcess } from '../cluster.js';
import { engineUsed } from '../engines.js';
import { freePort } from '../free-port.js';
import { ENGINE, VERSION } from './test-server.js';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const LOADER = new URL('../typescript-loader.mjs', import.meta.url).href;

export class EsdbServerProcess implements EngineProcess {
  readonly #folder: string;
  #child: ChildProcess | null = null;

  private constructor(
    folder: string,
    readonly port: number,
  ) {
    this.#folder = folder;
  }

  static async start(): Promise<EsdbServerProcess> {
    engineUsed({ port: 'EventStore', engine: ENGINE, version: VERSION });
    const server = new EsdbServerProcess(await mkdtemp(join(tmpdir(), 'podium-esdb-')), await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  async start(): Promise<void> {
    const file = join(this.#folder, 'records.sqlite');
    const child = spawn(process.execPath, ['--import', LOADER, MAIN, file, String(this.port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const lines = createInterface({ input: child.stdout });
    const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
    if (!String(line).startsWith('{')) throw new Error(`the test server did not start: ${line}`);
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }
}
