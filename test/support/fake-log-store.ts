/** A log store whose answers a test arranges: it tells what it was asked, and keeps nothing. */
import { KNOWN_FIELDS } from '../../src/logs/known-fields.js';
import type { JsonRecord } from '../../src/logs/sources.js';
import type { CheckedQuery } from '../../src/logstore/checked-query.js';
import type { FieldCatalogue } from '../../src/logstore/field-catalogue.js';
import type { LogRows, LogStore, RunOptions } from '../../src/logstore/log-store.js';

export class FakeLogStore implements LogStore {
  readonly asked: { readonly query: CheckedQuery; readonly options: RunOptions }[] = [];
  /** What the next queries give. */
  answer: (options: RunOptions) => Promise<readonly JsonRecord[]> = async () => [];
  fields: FieldCatalogue = { version: 1, sources: KNOWN_FIELDS };

  async run(query: CheckedQuery, options: RunOptions): Promise<LogRows> {
    this.asked.push({ query, options });
    const rows = await this.answer(options);
    const kept = rows.slice(0, options.maxRows);
    return { columns: Object.keys(kept[0] ?? {}), rows: kept, truncated: rows.length > kept.length };
  }

  catalogue(): FieldCatalogue {
    return this.fields;
  }

  append = notHere;
  removeBefore = notHere;
  counts = notHere;
  backup = notHere;
  async close(): Promise<void> {}
}

const notHere = (): never => {
  throw new Error('this log store only answers queries');
};
