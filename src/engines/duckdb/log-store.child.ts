/**
 * The process that owns a log store's file. It receives calls as frames on descriptor 3 and answers each once. It never
 * outlives its parent. It runs at low priority and is the first that Linux kills when memory runs out, so that result
 * entry continues.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { messageOf } from '../../foundation/basics/error-message.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { backUp } from './backup.js';
import { type Engine, openEngine } from './engine.js';
import { EngineFailure, isDamage, isDamageFound } from './engine-failure.js';
import { EntryWriter } from './entry-writer.js';
import { type Frame, FrameReader, writeFrame } from './frames.js';
import {
  type Answer,
  type EngineOptions,
  type FailureAnswer,
  type LogStoreMessage,
  READY_CALL,
} from './messages.js';
import { projectWith } from './project-with.js';
import { QueryRunner } from './query-runner.js';
import { tableOf } from './source-tables.js';
import { fieldsOf } from './stored-fields.js';

const CHANNEL = 3;
/** Nice value 10: about a tenth of the processor while result entry is busy, all of it while it is idle. */
const PRIORITY = 10;

/** Nothing is left to finish: answered appends are on disk, and the parent retries the others. */
const killProcess = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('ended');
};

/** Later threads inherit the priority. */
const lowerPriority = (): void => {
  try {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), PRIORITY);
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed: the process itself is what can be set everywhere.
    setPriority(PRIORITY);
  }
};

const OPEN_TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = 50;

/** Retries while the process before this one may still hold the file. */
const openWithRetries = async (options: EngineOptions): Promise<Engine> => {
  const until = performance.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      return await openEngine(options);
    } catch (error) {
      const locked = error instanceof Error && /lock/i.test(error.message);
      if (!locked || performance.now() > until) throw error;
      await pause(RETRY_AFTER_MS);
    }
  }
};

/** Answers calls, each once. */
class Answers {
  constructor(private readonly channel: Socket) {}

  text(call: number, content: string): void {
    writeFrame(this.channel, { call, kind: 'text', payload: Buffer.from(content) });
  }

  done(call: number, value: unknown): void {
    this.text(call, JSON.stringify({ done: value } satisfies Answer));
  }

  failed(call: number, failed: FailureAnswer): void {
    this.text(call, JSON.stringify({ failed } satisfies Answer));
  }
}

/** Ends the process when the engine cannot go on. */
const failureOf = (error: unknown): FailureAnswer => {
  const message = messageOf(error);
  const words = error instanceof EngineFailure ? (error.engineWords ?? '') : message;
  // An invalidated engine refuses all further work; the next process recovers. Quoted text is from an entry, so it does
  // not count.
  if (/^FATAL|^[^'"]*database has been invalidated/.test(words)) killProcess();
  return error instanceof EngineFailure && !isDamage(words)
    ? { trouble: error.failure, message, ...(error.engineWords && { engineWords: error.engineWords }) }
    : { trouble: isDamage(words) ? 'damaged' : 'unavailable', message: words };
};

const countsOf = async (
  connection: DuckDBConnection,
  sources: readonly LogSource[],
): Promise<Record<string, number>> => {
  const counted: [string, number][] = [];
  for (const source of sources) {
    const result = await connection.runAndReadAll(`SELECT count(*) FROM ${tableOf(source)}`);
    counted.push([source, Number(result.getRows()[0]?.[0])]);
  }
  return Object.fromEntries(counted);
};

const serve = async (channel: Socket, answers: Answers, options: EngineOptions): Promise<void> => {
  const engine = await openWithRetries(options);
  const runner = new QueryRunner(engine.instance);
  const writer = await EntryWriter.open(engine, {
    maxIds: options.recentIds,
    maxProjects: options.maxProjects,
    isQuerying: () => runner.isRunning,
  });
  answers.done(READY_CALL, null);

  // Not on the writer's connection, which may be in a transaction. A scan takes long, so it has its own.
  const looking = await engine.instance.connect();
  const scanning = await engine.instance.connect();
  const take = async ({ call, kind, payload }: Frame): Promise<void> => {
    if (kind === 'entries') return answers.done(call, await writer.append(payload));
    const message: LogStoreMessage = JSON.parse(payload.toString());
    switch (message.kind) {
      case 'run':
        return answers.text(call, `{"done":${await runner.run(call, message)}}`);
      case 'cancel':
        return runner.cancel(message.call);
      case 'remove-before':
        return answers.done(call, await writer.removeBefore(message, scanning));
      case 'counts':
        return answers.done(call, await countsOf(looking, engine.sources.names));
      case 'sources':
        return answers.done(call, engine.sources.names);
      case 'add-source':
        await writer.addSource(message.source);
        return answers.done(call, null);
      case 'position':
        return answers.done(call, writer.position);
      case 'fields':
        return answers.done(call, await fieldsOf(looking, message.project));
      case 'project-with':
        return answers.done(call, await projectWith(looking, message.candidates, message.atLeast));
      case 'backup':
        await backUp(engine.instance, message.to);
        return answers.done(call, null);
      case 'close':
        await writer.idle();
        await engine.writer.run('CHECKPOINT').catch(() => undefined);
        answers.done(call, null);
        channel.end(() => killProcess());
        return;
      default:
        throw new Error(`an unknown message: ${JSON.stringify(message satisfies never)}`);
    }
  };

  const frames = new FrameReader();
  channel.on('data', (piece: Buffer) => {
    for (const frame of frames.read(piece))
      take(frame).catch((error) => answers.failed(frame.call, failureOf(error)));
  });
};

lowerPriority();
// A terminal signals every process of the group, but the parent decides when this one ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
const channel = new Socket({ fd: CHANNEL });
channel.on('end', killProcess);
channel.on('error', killProcess);
const answers = new Answers(channel);
const [, , given = '{}'] = process.argv;
serve(channel, answers, JSON.parse(given)).catch((error) => {
  const message = messageOf(error);
  answers.failed(READY_CALL, { trouble: isDamageFound(message) ? 'damaged' : 'unavailable', message });
  channel.end(killProcess);
});
