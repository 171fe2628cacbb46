/** The log store of a server on this machine, used by another process through the server's socket. */
import { connect, type Socket } from 'node:net';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import {
  LogQueryFailedError,
  type LogRows,
  LogStoreUnavailableError,
  type RunOptions,
} from '../../foundation/log-store/log-store.js';
import { CallChannel, CallFailedError, ChannelClosedError } from './call-channel.js';
import { ChannelLogStore } from './channel-log-store.js';
import { errorOfOwner, ownerSocketPath } from './owner-socket.js';

export class OwnerLogStore extends ChannelLogStore {
  readonly #socket: Socket;
  readonly #channel: CallChannel;
  readonly #pending = new Set<Promise<unknown>>();
  #closed = false;

  private constructor(socket: Socket, channel: CallChannel) {
    super();
    this.#socket = socket;
    this.#channel = channel;
  }

  /** Returns null when no server owns the store at this path. */
  static async connect(storePath: string): Promise<OwnerLogStore | null> {
    const socket = await connected(ownerSocketPath(storePath));
    if (!socket) return null;
    const channel = new CallChannel(socket);
    try {
      await channel.ready;
      return new OwnerLogStore(socket, channel);
    } catch (error) {
      if (error instanceof ChannelClosedError) return null;
      throw error;
    }
  }

  async runSql(sql: string, { signal, ...options }: RunOptions): Promise<LogRows> {
    if (signal?.aborted) throw new LogQueryFailedError('cancelled', 'the query was cancelled');
    let call = 0;
    const cancel = (): void => this.#channel.cancel(call);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const rows = await this.request((channel) =>
        channel.call({ kind: 'run', sql, ...options }, (number) => {
          call = number;
        }),
      );
      return rows as LogRows;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async catalogue(project: string | null): Promise<FieldCatalogue> {
    return (await this.call({ kind: 'fields', project })) as FieldCatalogue;
  }

  async backup(path: string): Promise<void> {
    await this.call({ kind: 'backup', to: path });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#pending);
    this.#socket.destroy();
  }

  protected async request(send: (channel: CallChannel) => Promise<unknown>): Promise<unknown> {
    if (this.#closed) throw new LogStoreUnavailableError('the log store is closed');
    const sent = send(this.#channel);
    this.#pending.add(sent);
    try {
      return await sent;
    } catch (error) {
      if (error instanceof CallFailedError) throw errorOfOwner(error);
      throw new LogStoreUnavailableError('the server that owns the log store has ended', { cause: error });
    } finally {
      this.#pending.delete(sent);
    }
  }
}

/** Null when no process listens. */
const connected = (path: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(null));
  });
