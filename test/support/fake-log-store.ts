/** A log store whose answers a test arranges: it tells what it was asked, and keeps nothing. */

import type { CheckedQuery } from '../../src/foundation/log-store/checked-query.js';
import type { FieldCatalogue } from '../../src/foundation/log-store/field-catalogue.js';
import { PLATFORM_CATALOGUE } from '../../src/foundation/log-store/known-fields.js';
import type { LogRows, LogStore, RunOptions } from '../../src/foundation/log-store/log-store.js';
import type { JsonRecord, LogSource } from '../../src/foundation/log-store/sources.js';

export class FakeLogStore implements LogStore {
  readonly asked: { readonly query: CheckedQuery; readonly options: RunOptions }[] = [];
  /** What the next queries give. */
  answer: (options: RunOptions) => Promise<readonly JsonRecord[]> = async () => [];
  fields: FieldCatalogue = PLATFORM_CATALOGUE;

  async run(query: CheckedQuery, options: RunOptions): Promise<LogRows> {
    this.asked.push({ query, options });
    const rows = await this.answer(options);
    const kept = rows.slice(0, options.maxRows);
    return { columns: Object.keys(kept[0] ?? {}), rows: kept, truncated: rows.length > kept.length };
  }

  async catalogue(): Promise<FieldCatalogue> {
    return this.fields;
  }

  async sources(): Promise<readonly LogSource[]> {
    return Object.keys(this.fields.sources);
  }

  addSource = notHere;
  projectWith = notHere;
  readAll = notHere;
  append = notHere;
  position = notHere;
  onAppend = notHere;
  removeBefore = notHere;
  counts = notHere;
  backup = notHere;
  async close(): Promise<void> {}
}

const notHere = (): never => {
  throw new Error('this log store only answers queries');
};
