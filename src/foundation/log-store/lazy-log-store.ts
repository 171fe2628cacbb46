/**
 * A log store that is opened with its first use. A CLI command rarely uses it, and beside a running server it must not
 * open the file.
 */

import type { CheckedQuery } from './checked-query.js';
import type { FieldCatalogue } from './field-catalogue.js';
import { PLATFORM_CATALOGUE } from './known-fields.js';
import type { AppendedEntries, LogRows, LogStore, RunOptions } from './log-store.js';
import type { LogSource } from './sources.js';

export class LazyLogStore implements LogStore {
  readonly #open: () => Promise<LogStore>;
  #opening: Promise<LogStore> | null = null;
  #opened: LogStore | null = null;
  readonly #onAppend = new Set<() => void>();
  #stopListening: (() => void) | null = null;

  constructor(open: () => Promise<LogStore>) {
    this.#open = open;
  }

  async append(...given: Parameters<LogStore['append']>): Promise<AppendedEntries> {
    return (await this.opened()).append(...given);
  }

  async run(query: CheckedQuery, options: RunOptions): Promise<LogRows> {
    return (await this.opened()).run(query, options);
  }

  async readAll(timeoutMs: number): Promise<void> {
    return (await this.opened()).readAll(timeoutMs);
  }

  async sources(): Promise<readonly LogSource[]> {
    return (await this.opened()).sources();
  }

  async addSource(source: LogSource): Promise<void> {
    await (await this.opened()).addSource(source);
  }

  /** Where the store cannot be opened: the known fields of the sources that each installation has. */
  async catalogue(project: string | null): Promise<FieldCatalogue> {
    const store = await this.opened().catch(() => null);
    return store?.catalogue(project) ?? PLATFORM_CATALOGUE;
  }

  async projectWith(...given: Parameters<LogStore['projectWith']>): Promise<readonly number[] | null> {
    return (await this.#opened?.projectWith(...given)) ?? null;
  }

  async position(): Promise<number> {
    return (await this.opened()).position();
  }

  onAppend(listener: () => void): () => void {
    this.#onAppend.add(listener);
    this.#listen();
    return () => {
      this.#onAppend.delete(listener);
      if (this.#onAppend.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = null;
    };
  }

  /** The store tells of appends that did not come through this one, too. */
  #listen(): void {
    if (this.#onAppend.size === 0) return;
    this.#stopListening ??=
      this.#opened?.onAppend(() => {
        for (const listener of this.#onAppend) listener();
      }) ?? null;
  }

  async removeBefore(...given: Parameters<LogStore['removeBefore']>): Promise<number> {
    return (await this.opened()).removeBefore(...given);
  }

  async counts(): Promise<Readonly<Record<LogSource, number>>> {
    return (await this.opened()).counts();
  }

  async backup(path: string): Promise<void> {
    return (await this.opened()).backup(path);
  }

  async close(): Promise<void> {
    const store = await this.#opening?.catch(() => null);
    await store?.close();
  }

  /** Returns the store itself, and opens it when it is not open. */
  async opened(): Promise<LogStore> {
    this.#opening ??= this.#open();
    try {
      this.#opened = await this.#opening;
      this.#listen();
      return this.#opened;
    } catch (error) {
      this.#opening = null;
      throw error;
    }
  }
}
