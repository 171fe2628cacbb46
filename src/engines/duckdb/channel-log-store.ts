/**
 * What is the same in every log store that reaches its engine through a CallChannel: packing entries, and sending calls.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import type {
  AppendedEntries,
  FieldPlaces,
  LogRows,
  LogStore,
  ProjectChoice,
  RunOptions,
} from '../../foundation/log-store/log-store.js';
import { type PackedEntries, packEntries } from '../../foundation/log-store/packed-entries.js';
import type { LogEntry, LogSource } from '../../foundation/log-store/sources.js';
import type { CallChannel } from './call-channel.js';
import type { AppendAnswer, LogStoreMessage } from './messages.js';
import { tableOf } from './source-tables.js';
import { printQuery } from './sql/print-query.js';

export abstract class ChannelLogStore implements LogStore {
  readonly #onAppend = new Set<() => void>();

  /** Runs a SELECT in DuckDB's SQL: that of a checked query, or one of our own. */
  abstract runSql(sql: string, options: RunOptions): Promise<LogRows>;
  abstract catalogue(project: string | null): Promise<FieldCatalogue>;
  abstract backup(path: string): Promise<void>;
  abstract close(): Promise<void>;

  /** Sends one request over the channel and returns its answer. Throws the errors of the port LogStore. */
  protected abstract request(send: (channel: CallChannel) => Promise<unknown>): Promise<unknown>;

  run(query: CheckedQuery, options: RunOptions): Promise<LogRows> {
    return this.runSql(printQuery(query), options);
  }

  async readAll(timeoutMs: number): Promise<void> {
    for (const source of await this.sources()) {
      const sql = `SELECT bit_xor(hash(entry)) AS content FROM ${tableOf(source)} AS entry`;
      await this.runSql(sql, { parameters: {}, now: 0, maxRows: 1, timeoutMs });
    }
  }

  async append(
    source: LogSource,
    entries: readonly LogEntry[] | PackedEntries,
    tenant = '',
  ): Promise<AppendedEntries> {
    const { bytes } = 'bytes' in entries ? entries : packEntries(source, entries);
    const { accepted, duplicates } = await this.appendBytes(bytes, tenant);
    for (const listener of this.#onAppend) listener();
    return { accepted, duplicates };
  }

  async sources(): Promise<readonly LogSource[]> {
    return (await this.call({ kind: 'sources' })) as readonly LogSource[];
  }

  async addSource(source: LogSource): Promise<void> {
    await this.call({ kind: 'add-source', source });
  }

  async position(): Promise<number> {
    return (await this.call({ kind: 'position' })) as number;
  }

  onAppend(listener: () => void): () => void {
    this.#onAppend.add(listener);
    return () => this.#onAppend.delete(listener);
  }

  async removeBefore(source: LogSource, timestamp: number, whose?: ProjectChoice): Promise<number> {
    return (await this.call({ kind: 'remove-before', source, timestamp, whose })) as number;
  }

  async counts(): Promise<Readonly<Record<LogSource, number>>> {
    return (await this.call({ kind: 'counts' })) as Record<LogSource, number>;
  }

  async projectWith(candidates: readonly FieldPlaces[], atLeast: number): Promise<readonly number[] | null> {
    return (await this.call({ kind: 'project-with', candidates, atLeast })) as readonly number[] | null;
  }

  protected async appendBytes(bytes: Uint8Array, _tenant: string): Promise<AppendAnswer> {
    return (await this.request((channel) => channel.append(bytes))) as AppendAnswer;
  }

  protected call(message: LogStoreMessage): Promise<unknown> {
    return this.request((channel) => channel.call(message));
  }
}
