/** The log store of a server on this machine, used by another process through the server's socket. */
import { connect, type Socket } from 'node:net';
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import {
  type AppendedEntries,
  LogQueryFailedError,
  type LogRows,
  type LogStore,
  LogStoreBusyError,
  LogStoreUnavailableError,
  type RunOptions,
} from '../../foundation/log-store/log-store.js';
import { type PackedEntries, packEntries } from '../../foundation/log-store/packed-entries.js';
import type { LogEntry, LogSource } from '../../foundation/log-store/sources.js';
import { CallChannel, CallFailedError, ChannelClosedError } from './call-channel.js';
import type { AppendAnswer, LogStoreMessage } from './messages.js';
import { ownerSocketPath } from './owner-socket.js';

const RETRY_AFTER_SECONDS = 1;

export class OwnerLogStore implements LogStore {
  readonly #socket: Socket;
  readonly #channel: CallChannel;
  #catalogue: FieldCatalogue;
  readonly #pending = new Set<Promise<unknown>>();
  #closed = false;

  private constructor(socket: Socket, channel: CallChannel, catalogue: FieldCatalogue) {
    this.#socket = socket;
    this.#channel = channel;
    this.#catalogue = catalogue;
  }

  /** Null where no server owns the store at this path. */
  static async connect(storePath: string): Promise<OwnerLogStore | null> {
    const socket = await connected(ownerSocketPath(storePath));
    if (!socket) return null;
    const channel = new CallChannel(socket);
    try {
      return new OwnerLogStore(socket, channel, (await channel.ready) as FieldCatalogue);
    } catch (error) {
      if (error instanceof ChannelClosedError) return null;
      throw error;
    }
  }

  async append(source: LogSource, entries: readonly LogEntry[] | PackedEntries): Promise<AppendedEntries> {
    const { bytes } =
      'bytes' in entries ? entries : packEntries(source, entries, this.#catalogue.sources[source]);
    const answer = (await this.#answer(() => this.#channel.append(bytes))) as AppendAnswer;
    const { catalogue } = answer;
    if (catalogue && catalogue.version > this.#catalogue.version) this.#catalogue = catalogue;
    return { accepted: answer.accepted, duplicates: answer.duplicates };
  }

  async run({ sql }: CheckedQuery, { signal, ...options }: RunOptions): Promise<LogRows> {
    if (signal?.aborted) throw new LogQueryFailedError('cancelled', 'nobody waits for the query any more');
    let call = 0;
    const cancel = (): void => this.#channel.cancel(call);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const send = () =>
        this.#channel.call({ kind: 'run', sql, ...options }, (number) => {
          call = number;
        });
      return (await this.#answer(send)) as LogRows;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  catalogue(): FieldCatalogue {
    return this.#catalogue;
  }

  async removeBefore(source: LogSource, timestamp: number): Promise<number> {
    return (await this.#call({ kind: 'remove-before', source, timestamp })) as number;
  }

  async counts(): Promise<Readonly<Record<LogSource, number>>> {
    return (await this.#call({ kind: 'counts' })) as Record<LogSource, number>;
  }

  async backup(path: string): Promise<void> {
    await this.#call({ kind: 'backup', to: path });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#pending);
    this.#socket.destroy();
  }

  #call(message: LogStoreMessage): Promise<unknown> {
    return this.#answer(() => this.#channel.call(message));
  }

  async #answer(send: () => Promise<unknown>): Promise<unknown> {
    if (this.#closed) throw new LogStoreUnavailableError('the log store is closed');
    const sent = send();
    this.#pending.add(sent);
    try {
      return await sent;
    } catch (error) {
      if (!(error instanceof CallFailedError)) {
        throw new LogStoreUnavailableError('the server that owns the log store went away', { cause: error });
      }
      const { trouble, message } = error.failure;
      if (trouble === 'busy') throw new LogStoreBusyError(RETRY_AFTER_SECONDS);
      if (trouble === 'unavailable') throw new LogStoreUnavailableError(message, { cause: error });
      throw new LogQueryFailedError(trouble, message, { cause: error });
    } finally {
      this.#pending.delete(sent);
    }
  }
}

/** Null where nobody listens. */
const connected = (path: string): Promise<Socket | null> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(null));
  });
