/**
 * Lets other processes of this machine use the log store that a server owns, so that CLI commands work beside it. It
 * serves the engine's frames on a socket beside the file, which only the file's user may open.
 */
import { createHash } from 'node:crypto';
import { chmod, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../foundation/basics/error-message.js';
import {
  LogQueryFailedError,
  type LogRows,
  LogStoreBusyError,
  LogStoreUnavailableError,
  LogsDamagedError,
} from '../../foundation/log-store/log-store.js';
import { readPacked } from '../../foundation/log-store/packed-entries.js';
import type { CallFailedError } from './call-channel.js';
import type { ChannelLogStore } from './channel-log-store.js';
import { type Frame, FrameReader, writeFrame } from './frames.js';
import {
  type Answer,
  type AppendAnswer,
  type FailureAnswer,
  type LogStoreMessage,
  READY_CALL,
  type RunMessage,
} from './messages.js';

/** Longer paths cannot be bound on every system. */
const MAX_SOCKET_PATH_LENGTH = 100;

export const ownerSocketPath = (storePath: string): string => {
  const name = `podium-logs-${createHash('sha256').update(storePath).digest('hex').slice(0, 16)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const beside = `${storePath}.sock`;
  return Buffer.byteLength(beside) <= MAX_SOCKET_PATH_LENGTH ? beside : join(tmpdir(), `${name}.sock`);
};

export interface OwnerSocket {
  close(): Promise<void>;
}

/** The caller owns the store, so an existing socket belongs to a dead owner. */
export const serveOwnerSocket = async (store: ChannelLogStore, storePath: string): Promise<OwnerSocket> => {
  const path = ownerSocketPath(storePath);
  const peers = new Set<Socket>();
  const server = createServer((socket) => {
    peers.add(socket);
    socket.on('close', () => peers.delete(socket));
    serve(store, socket);
  });
  if (process.platform !== 'win32') await rm(path, { force: true });
  await listening(server, path);
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return {
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const peer of peers) peer.destroy();
      await closed;
    },
  };
};

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });

const serve = (store: ChannelLogStore, socket: Socket): void => {
  const running = new Map<number, AbortController>();
  const send = (call: number, answer: Answer): void => {
    if (socket.writable)
      writeFrame(socket, { call, kind: 'text', payload: Buffer.from(JSON.stringify(answer)) });
  };
  const run = async (call: number, { sql, ...options }: RunMessage): Promise<LogRows> => {
    const abort = new AbortController();
    running.set(call, abort);
    return store.runSql(sql, { ...options, signal: abort.signal }).finally(() => running.delete(call));
  };
  const take = async ({ call, kind, payload }: Frame): Promise<void> => {
    if (kind === 'entries') return send(call, { done: await append(store, payload) });
    const message: LogStoreMessage = JSON.parse(payload.toString());
    if (message.kind === 'cancel') running.get(message.call)?.abort();
    else if (message.kind === 'close') socket.end();
    else
      send(call, {
        done: message.kind === 'run' ? await run(call, message) : await carryOut(store, message),
      });
  };
  const frames = new FrameReader();
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    for (const abort of running.values()) abort.abort();
  });
  socket.on('data', (piece: Buffer) => {
    for (const frame of frames.read(piece)) {
      take(frame).catch((error) => send(frame.call, { failed: failureOf(error) }));
    }
  });
  send(READY_CALL, { done: null });
};

/** Returns what is answered. */
const carryOut = async (
  store: ChannelLogStore,
  message: Exclude<LogStoreMessage, { kind: 'run' | 'cancel' | 'close' }>,
): Promise<unknown> => {
  switch (message.kind) {
    case 'remove-before':
      return store.removeBefore(message.source, message.timestamp, message.whose);
    case 'counts':
      return store.counts();
    case 'sources':
      return store.sources();
    case 'add-source':
      await store.addSource(message.source);
      return null;
    case 'position':
      return store.position();
    case 'fields':
      return store.catalogue(message.project);
    case 'project-with':
      return store.projectWith(message.candidates, message.atLeast);
    case 'backup':
      await store.backup(message.to);
      return null;
    default:
      throw new Error(`an unknown message: ${JSON.stringify(message satisfies never)}`);
  }
};

const append = async (store: ChannelLogStore, payload: Buffer): Promise<AppendAnswer> => {
  const bytes = new Uint8Array(payload);
  const { source, count, newFields } = readPacked(bytes);
  const appended = await store.append(source, { source, count, bytes, newFields });
  return { ...appended, learned: [] };
};

/** The owner's error, in the process that sent the call. */
export const errorOfOwner = (error: CallFailedError): Error => {
  const { trouble, message } = error.failure;
  if (trouble === 'busy') return new LogStoreBusyError();
  if (trouble === 'damaged') return new LogsDamagedError(message, { cause: error });
  if (trouble === 'unavailable') return new LogStoreUnavailableError(message, { cause: error });
  return new LogQueryFailedError(trouble, message, { cause: error });
};

const failureOf = (error: unknown): FailureAnswer => {
  const message = messageOf(error);
  if (error instanceof LogQueryFailedError) return { trouble: error.failure, message };
  if (error instanceof LogsDamagedError) return { trouble: 'damaged', message };
  return { trouble: error instanceof LogStoreBusyError ? 'busy' : 'unavailable', message };
};
