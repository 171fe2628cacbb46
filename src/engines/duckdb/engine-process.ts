/**
 * One run of the process that owns the file. This side watches its memory and kills it above the limit, because an
 * engine that uses up all memory does not react to requests.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { threadUrl } from '../../foundation/basics/threads.js';
import { LogStoreUnavailableError, LogsDamagedError } from '../../foundation/log-store/log-store.js';
import type { KillReason } from '../../foundation/log-store/queries/query-attempt.js';
import { CallChannel, CallFailedError } from './call-channel.js';
import type { EngineOptions } from './messages.js';

const WATCH_EVERY_MS = 250;
const PAGE_BYTES = 4_096;
/** Memory for Node, the ids of a day and results, beside the engine's own. */
const BESIDE_ENGINE_MB = 768;
/** Each query, and the writer, holds a thread of the pool while it runs. */
const SPARE_POOL_THREADS = 4;

export class EngineProcess {
  /** Why this side killed the process; null: it did not. */
  killedFor: KillReason | null = null;
  readonly channel: CallChannel;
  /** Resolves with the signal that ended it; null: it ended by itself. */
  readonly ended: Promise<NodeJS.Signals | null>;
  readonly #child: ChildProcess;
  readonly #watch: NodeJS.Timeout;

  private constructor(child: ChildProcess, channel: CallChannel, maxMb: number) {
    this.#child = child;
    this.channel = channel;
    this.#watch = setInterval(() => this.#look(maxMb), WATCH_EVERY_MS);
    this.#watch.unref();
    // A child that hangs would keep the file from the next server.
    const killIt = (): void => this.kill();
    process.once('exit', killIt);
    this.ended = once(child, 'exit').then(([, signal]) => {
      clearInterval(this.#watch);
      process.removeListener('exit', killIt);
      return signal;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Throws LogStoreUnavailableError with one line. A file that crashes the engine twice in a row is damaged. */
  static async start(options: EngineOptions): Promise<EngineProcess> {
    try {
      return await EngineProcess.#open(options);
    } catch (error) {
      if (!(error instanceof EngineCrashed)) throw error;
      return EngineProcess.#open(options);
    }
  }

  static async #open(options: EngineOptions): Promise<EngineProcess> {
    const file = fileURLToPath(threadUrl('./log-store.child.js', import.meta.url));
    const child = spawn(process.execPath, [file, JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
      env: {
        ...process.env,
        TZ: 'UTC',
        UV_THREADPOOL_SIZE: String(options.maxRunning + SPARE_POOL_THREADS),
        NODE_OPTIONS: '',
      },
    });
    const stream = child.stdio[3];
    if (!(stream instanceof Duplex)) throw new LogStoreUnavailableError('the log store has no channel');
    const started = new EngineProcess(
      child,
      new CallChannel(stream),
      options.memoryMb * 1.25 + BESIDE_ENGINE_MB,
    );
    try {
      await started.channel.ready;
      return started;
    } catch (error) {
      started.kill();
      const message = `cannot open the log store ${options.path}: `;
      if (error instanceof CallFailedError) throw refusalOf(error, message);
      const signal = await started.ended;
      const ended = `${message}its process ended${signal === null ? '' : ` (${signal})`}`;
      const isCrash = signal !== null && CRASHES.has(signal);
      throw new (isCrash ? EngineCrashed : EngineEndedError)(ended, { cause: error });
    }
  }

  /** At once, whatever it is doing. */
  kill(reason: KillReason | null = null): void {
    this.killedFor ??= reason;
    this.#child.kill('SIGKILL');
  }

  async #look(maxMb: number): Promise<void> {
    const text = await readFile(`/proc/${this.pid}/statm`, 'utf8').catch(() => '');
    const pages = Number(text.split(' ')[1]);
    if (pages * PAGE_BYTES > maxMb * 1024 * 1024) this.kill('memory');
  }
}

/** The process was ended while it opened the file, for lack of memory perhaps. The file may be sound: opening it again may do. */
export class EngineEndedError extends LogStoreUnavailableError {}

/** The engine met what it does not survive. */
class EngineCrashed extends LogsDamagedError {}

const CRASHES: ReadonlySet<NodeJS.Signals> = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGFPE', 'SIGILL']);

const refusalOf = (error: CallFailedError, message: string): LogStoreUnavailableError => {
  const { trouble, message: words } = error.failure;
  const isLocked = words.includes('Could not set lock');
  const Failure = trouble === 'damaged' ? LogsDamagedError : LogStoreUnavailableError;
  return new Failure(message + (isLocked ? IN_USE : words), { cause: error });
};

const IN_USE =
  'another process has it; a second server names the one that does, as in LOG_STORE_URL=http://127.0.0.1:3000';
