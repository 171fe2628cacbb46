/**
 * What is the same in every log store that reaches its engine through a CallChannel: packing entries, and keeping the
 * newest catalogue that an answer brought.
 */
import type { CheckedQuery } from '../../foundation/log-store/checked-query.js';
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import type { AppendedEntries, LogRows, LogStore, RunOptions } from '../../foundation/log-store/log-store.js';
import { type PackedEntries, packEntries } from '../../foundation/log-store/packed-entries.js';
import type { LogEntry, LogSource } from '../../foundation/log-store/sources.js';
import type { CallChannel } from './call-channel.js';
import type { AppendAnswer, LogStoreMessage } from './messages.js';

export abstract class ChannelLogStore implements LogStore {
  #catalogue: FieldCatalogue;

  protected constructor(catalogue: FieldCatalogue) {
    this.#catalogue = catalogue;
  }

  abstract run(query: CheckedQuery, options: RunOptions): Promise<LogRows>;
  abstract backup(path: string): Promise<void>;
  abstract close(): Promise<void>;

  /** Sends one request over the channel and returns its answer. Throws the errors of the port LogStore. */
  protected abstract request(send: (channel: CallChannel) => Promise<unknown>): Promise<unknown>;

  async append(source: LogSource, entries: readonly LogEntry[] | PackedEntries): Promise<AppendedEntries> {
    const { bytes } =
      'bytes' in entries ? entries : packEntries(source, entries, this.#catalogue.sources[source]);
    const { accepted, duplicates, catalogue } = await this.appendBytes(bytes);
    if (catalogue) this.learn(catalogue);
    return { accepted, duplicates };
  }

  catalogue(): FieldCatalogue {
    return this.#catalogue;
  }

  async removeBefore(source: LogSource, timestamp: number): Promise<number> {
    return (await this.call({ kind: 'remove-before', source, timestamp })) as number;
  }

  async counts(): Promise<Readonly<Record<LogSource, number>>> {
    return (await this.call({ kind: 'counts' })) as Record<LogSource, number>;
  }

  protected async appendBytes(bytes: Uint8Array): Promise<AppendAnswer> {
    return (await this.request((channel) => channel.append(bytes))) as AppendAnswer;
  }

  protected call(message: LogStoreMessage): Promise<unknown> {
    return this.request((channel) => channel.call(message));
  }

  /** Keeps the catalogue when it is newer than the known one. */
  protected learn(catalogue: FieldCatalogue): void {
    if (catalogue.version > this.#catalogue.version) this.#catalogue = catalogue;
  }
}
