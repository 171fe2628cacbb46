/**
 * Reads all documents of the live generations and holds each to its checksum, its id, its indexed columns and its entries in
 * the indexes. What no index and no table leads to is found by the comparison of the tallies, `sqlite-audit.ts`.
 */
import type Database from 'better-sqlite3';
import {
  DamagedGenerationError,
  type DamageExtent,
} from '../../../foundation/read-models/damaged-generation.js';
import type { GenerationScrubStep } from '../../../foundation/read-models/generation-healing.js';
import type { Scalar } from '../../../foundation/read-models/read-model-store.js';
import { pagesInOrder } from '../pages-in-order.js';
import { guarded } from './sqlite-errors.js';
import { hasTallies } from './sqlite-generations.js';
import { isWhole } from './sqlite-table-reader.js';
import { indexesOf } from './sqlite-tables.js';
import { TallyReader } from './sqlite-tallies.js';

const ROWS_AT_ONCE = 300;

interface LiveTable {
  readonly name: string;
  readonly generation: number;
}

interface StoredDocument {
  readonly id: string;
  readonly doc: string;
  readonly sum?: number | null;
  /** 1: every index that should list the row does. */
  readonly isListed: number;
  /** Column `f_NAME` holds the field NAME of the document. */
  readonly [column: string]: Scalar | undefined;
}

export async function* scrubReadModels(db: Database.Database): AsyncIterable<GenerationScrubStep> {
  const tables = guarded(() => liveTables(db));
  const total = guarded(() => rowsWritten(db, tables));
  let checked = 0;
  for (const table of tables) {
    for (const rows of scrubTable(db, table)) {
      checked += rows.length;
      yield {
        checked: rows.length,
        unverified: rows.filter(isUnverified).length,
        damaged: rows.flatMap((row) => damageIn(table, row) ?? []),
        ...(total > 0 && { progress: Math.min(1, checked / total) }),
      };
    }
  }
}

const liveTables = (db: Database.Database): readonly LiveTable[] =>
  db
    .prepare<[], LiveTable>(
      `SELECT name, generation FROM generation_tables JOIN generations ON number = generation
       WHERE state = 'live' ORDER BY name`,
    )
    .all();

/** For the progress; 0: not known. The comparison of the tallies names what of them is damaged. */
const rowsWritten = (db: Database.Database, tables: readonly LiveTable[]): number => {
  if (!hasTallies(db)) return 0;
  const reader = new TallyReader(db);
  try {
    return tables.reduce(
      (sum, { name, generation }) => sum + (reader.of(generation)?.get(collectionOf(name))?.rows ?? 0),
      0,
    );
  } catch (error) {
    if (error instanceof DamagedGenerationError) return 0;
    throw error;
  }
};

const collectionOf = (table: string): string => table.slice(0, table.indexOf('__'));

function* scrubTable(db: Database.Database, { name }: LiveTable): Iterable<readonly StoredDocument[]> {
  const next = (after: string) => guarded(() => rowsAfter(db, name, after));
  for (const rows of pagesInOrder(next, ({ id }) => id, '')) if (rows.length > 0) yield rows;
}

/** Between two steps the table may be dropped, when its generation is replaced. */
const rowsAfter = (db: Database.Database, table: string, after: string): readonly StoredDocument[] => {
  if (db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) === undefined) return [];
  const isListed = indexesOf(db, table).map((index) => isListedBy(db, table, index));
  return db
    .prepare<[string, number], StoredDocument>(
      `SELECT *, ${isListed.join(' AND ') || '1'} AS isListed FROM "${table}" AS row WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .all(after, ROWS_AT_ONCE);
};

/** Whether the index lists the row, unless a null keeps it out. */
const isListedBy = (db: Database.Database, table: string, index: string): string => {
  const columns = db.prepare<[string], string>('SELECT name FROM pragma_index_info(?)').pluck().all(index);
  const isNull = columns.map((column) => `row."${column}" IS NULL`).join(' OR ');
  const isEntry = columns.map((column) => `entry."${column}" = row."${column}"`).join(' AND ');
  return `(${isNull} OR EXISTS (SELECT 1 FROM "${table}" AS entry INDEXED BY "${index}" WHERE ${isEntry}))`;
};

const isUnverified = ({ sum }: StoredDocument): boolean => sum === undefined || sum === null;

const damageIn = ({ name, generation }: LiveTable, row: StoredDocument): DamagedGenerationError | null => {
  const damaged = (reason: string, extent: DamageExtent): DamagedGenerationError =>
    new DamagedGenerationError({
      generation,
      place: `collection ${collectionOf(name)}, document ${row.id}`,
      reason,
      extent,
    });
  if (!isWhole([row.doc, row.sum ?? null]))
    return damaged('its checksum does not fit its content', 'document');
  const document: Readonly<Record<string, unknown>> = JSON.parse(row.doc);
  const fields = Object.entries(row).filter(([column]) => column.startsWith('f_'));
  const isInPlace = fields.every(([column, value]) => (document[column.slice(2)] ?? null) === value);
  if (document.id !== row.id || !isInPlace)
    return damaged('its indexed columns do not fit its content', 'generation');
  return row.isListed === 1 ? null : damaged('an index does not list it', 'generation');
};
