/**
 * Reads all documents of the live generations and holds each to its checksum, its id and its indexed columns. Whether the
 * indexes list every row is a check of the engine's own, `PRAGMA integrity_check`.
 */
import type Database from 'better-sqlite3';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import type { Scalar } from '../../../foundation/read-models/read-model-store.js';
import { guarded } from './sqlite-errors.js';
import { isWhole } from './sqlite-rows.js';

const ROWS_AT_ONCE = 300;

interface StoredDocument {
  readonly id: string;
  readonly doc: string;
  readonly sum?: number | null;
  /** Column `f_NAME` holds the field NAME of the document. */
  readonly [column: string]: Scalar | undefined;
}

export async function* scrubReadModels(db: Database.Database): AsyncIterable<ScrubStep> {
  for (const table of guarded(() => liveTables(db))) yield* scrubTable(db, table);
}

const liveTables = (db: Database.Database): readonly string[] =>
  db
    .prepare<[], string>(
      `SELECT name FROM generation_tables JOIN generations ON number = generation WHERE state = 'live' ORDER BY name`,
    )
    .pluck()
    .all();

function* scrubTable(db: Database.Database, table: string): Iterable<ScrubStep> {
  for (let after = ''; ; ) {
    const rows = guarded(() => rowsAfter(db, table, after));
    const last = rows.at(-1);
    if (!last) return;
    const damages = rows.flatMap((row) => damageIn(table, row) ?? []);
    yield { checked: rows.length, unverified: rows.filter(isUnverified).length, damages };
    after = last.id;
  }
}

/** Between two steps the table may be dropped, when its generation is replaced. */
const rowsAfter = (db: Database.Database, table: string, after: string): readonly StoredDocument[] => {
  if (db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) === undefined) return [];
  return db
    .prepare<[string, number], StoredDocument>(`SELECT * FROM "${table}" WHERE id > ? ORDER BY id LIMIT ?`)
    .all(after, ROWS_AT_ONCE);
};

const isUnverified = ({ sum }: StoredDocument): boolean => sum === undefined || sum === null;

const damageIn = (table: string, row: StoredDocument): Damage | null => {
  const [collection] = table.split('__');
  const place = `collection ${collection}, document ${row.id}`;
  const damage = (reason: string): Damage => ({ store: 'read-models', place, reason });
  if (!isWhole([row.doc, row.sum ?? null])) return damage('its checksum does not fit its content');
  const document: Readonly<Record<string, unknown>> = JSON.parse(row.doc);
  const fields = Object.entries(row).filter(([column]) => column.startsWith('f_'));
  const isListed = fields.every(([column, value]) => (document[column.slice(2)] ?? null) === value);
  return document.id === row.id && isListed ? null : damage('its indexed columns do not fit its content');
};
