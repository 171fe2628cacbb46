/**
 * Reads all rows of the live generations: compares the tallies, and holds each row to its checksum, its id and its index
 * keys. Where it may write, rows of older code get their checksums, and generations of older code their tallies.
 */
import type { AnyBulkWriteOperation } from 'mongodb';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import type { GenerationScrubStep } from '../../../foundation/read-models/generation-healing.js';
import type { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import { chunksOf } from '../chunks.js';
import { type AuditOptions, TallyAudit } from './audit.js';
import type { GenerationState, Row, RowDocument } from './documents.js';
import { indexKeys } from './index-keys.js';
import { bodyIn, damagedRow, documentIn, RowTable, sumOf } from './tables.js';

const ROWS_AT_ONCE = 300;

export interface ReadModelScrubOptions extends AuditOptions {
  readonly schemas: ProjectionSchemas;
  /** Whether rows of older code get their checksums. */
  readonly stamps: boolean;
}

export class ReadModelScrub {
  readonly #options: ReadModelScrubOptions;
  readonly #audit: TallyAudit;

  constructor(options: ReadModelScrubOptions) {
    this.#options = options;
    this.#audit = new TallyAudit(options);
  }

  /** Compares all tallies. Returns what does not fit. */
  async compare(): Promise<readonly DamagedGenerationError[]> {
    const damaged: DamagedGenerationError[] = [];
    for (const { number, tables } of await this.#live())
      damaged.push(...(await this.#audit.compare(number, tables)));
    return damaged;
  }

  async *steps(): AsyncIterable<GenerationScrubStep> {
    yield { checked: 0, unverified: 0, damaged: await this.compare() };
    const all = await this.#live();
    const tables = all.flatMap((one) => one.tables);
    let total = 0;
    for (const { rows } of tables) total += await rows.estimatedDocumentCount();
    let checked = 0;
    for (const table of tables) {
      for await (const step of this.#rowsOf(table)) {
        checked += step.checked;
        yield { ...step, progress: Math.min(1, checked / Math.max(1, total)) };
      }
    }
    if (!this.#options.stamps) return;
    for (const { number, tables } of all) await this.#audit.adopt(number, tables);
  }

  /** Generations of other code have other collections and indexes, which that code reads. */
  async #live(): Promise<readonly { readonly number: number; readonly tables: readonly RowTable[] }[]> {
    const { books } = await this.#options.log.head();
    return books.generations
      .filter(({ phase }) => phase === 'live')
      .flatMap((state) => this.#tablesOf(state));
  }

  #tablesOf({ number, projection, version }: GenerationState) {
    const { schemas, connection } = this.#options;
    const schema = schemas.find(projection);
    if (schema?.version !== version) return [];
    return { number, tables: schema.collections.map((one) => new RowTable(connection, one, number)) };
  }

  async *#rowsOf(table: RowTable): AsyncIterable<GenerationScrubStep> {
    for (let after = ''; ; ) {
      const rows = await table.rows
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(ROWS_AT_ONCE)
        .toArray();
      const last = rows.at(-1);
      if (!last) return;
      const unsummed = rows.filter(({ r }) => r?.s === undefined);
      const damaged = rows.flatMap((row) => damageIn(table, row) ?? []);
      if (this.#options.stamps && damaged.length === 0) await this.#stamp(table, unsummed);
      yield { checked: rows.length, unverified: unsummed.length, damaged };
      after = last._id;
    }
  }

  /** A row that was replaced since has its checksum. */
  async #stamp({ rows }: RowTable, unsummed: readonly RowDocument[]): Promise<void> {
    const { updatesAtOnce } = await this.#options.connection.capabilities();
    const updates = unsummed.map(
      ({ _id, r }): AnyBulkWriteOperation<RowDocument> => ({
        updateOne: {
          filter: { _id, 'r.at': r.at, 'r.s': { $exists: false } },
          update: { $set: { 'r.s': sumOf(r) } },
        },
      }),
    );
    for (const some of chunksOf(updates, updatesAtOnce)) await rows.bulkWrite(some, { ordered: false });
  }
}

const damageIn = (table: RowTable, row: RowDocument): DamagedGenerationError | null => {
  try {
    const body = bodyIn(table.name, row);
    if (body === null) return null;
    const document = documentIn(table.name, row._id, body);
    return areKeysOf(row.r, indexKeys(table.collection, document))
      ? null
      : damagedRow(table.name, row._id, 'its index keys do not fit its content', 'generation');
  } catch (error) {
    if (error instanceof DamagedGenerationError) return error;
    throw error;
  }
};

/** A row may have keys of an index that the code has no more. */
const areKeysOf = ({ k = {} }: Row, keys: Readonly<Record<string, string>>): boolean =>
  Object.entries(keys).every(([name, key]) => k[name] === key);
