/** What the comparison of the events from before checksums with the read models has found (the OldEvents of the port). */
import type Database from 'better-sqlite3';
import type { Position } from '../../../foundation/event-store/event-store.js';
import type { Damage } from '../../../foundation/integrity/damage.js';
import { readMeta, writeMeta } from './meta.js';
import { openForWriting } from './schema.js';
import { prepareUnstamped } from './statements.js';

/** In `meta`: the differences, as JSON. */
const COMPARED = 'compared';

/** Null: they were not compared yet. */
export const readComparison = (database: Database.Database): readonly Damage[] | null => {
  const text = readMeta(database).get(COMPARED);
  // Codec: only this file writes it.
  return text === undefined ? null : (JSON.parse(text) as readonly Damage[]);
};

/** Null: there are none, or they were compared. */
export const readUncompared = (database: Database.Database): Position | null => {
  const { above, upTo } = prepareUnstamped(database)();
  return above < upTo && readComparison(database) === null ? upTo : null;
};

/** Does nothing where no event is from before checksums. */
export const writeComparison = (path: string, differences: readonly Damage[]): void => {
  const database = openForWriting(path);
  try {
    const { above, upTo } = prepareUnstamped(database)();
    if (above >= upTo) return;
    database.transaction(() => writeMeta(database, { [COMPARED]: JSON.stringify(differences) })).immediate();
  } finally {
    database.close();
  }
};
