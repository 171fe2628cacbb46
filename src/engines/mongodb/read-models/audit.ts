/**
 * Compares the tallies in the log with the rows that are there. A count needs rows of one moment: a snapshot where the server
 * has them, else a time in which no commit changes the generation. Where none is found, the next scrub looks again.
 */
import type { ClientSession } from 'mongodb';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import { rowsFault, type Tally, tallyFault, wrapped } from '../../../foundation/read-models/tally.js';
import type { MongoConnection } from '../mongo-connection.js';
import { counted, stateOf } from './bookkeeping.js';
import type { GenerationState } from './documents.js';
import { type DecisionLog, NOTHING_WRITTEN } from './log.js';
import { placeOfTable, type RowTable, type StoredRow } from './tables.js';
import { type CollectionTally, EMPTY_COLLECTION } from './tallies.js';

const MAX_ATTEMPTS = 5;
const READ_AT_ONCE = 5_000;

export interface AuditOptions {
  readonly connection: MongoConnection;
  readonly log: DecisionLog;
}

/** What is there. */
interface FoundTally extends CollectionTally {
  /** Rows of older code, which add nothing to the sum. */
  readonly unsummed: number;
}

export class TallyAudit {
  readonly #options: AuditOptions;

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  /** Returns what does not fit. `tables`: of one live generation. */
  async compare(number: number, tables: readonly RowTable[]): Promise<readonly DamagedGenerationError[]> {
    const damaged: DamagedGenerationError[] = [];
    for (const table of tables) {
      const counted = await this.#count(number, table);
      if (counted?.state.tallies?.at !== counted?.state.position) continue;
      const written = counted?.state.tallies?.of[table.collection.name] ?? EMPTY_COLLECTION;
      if (counted) damaged.push(...faultsIn(table, written, counted.found));
    }
    return damaged;
  }

  /** Counts anew what older code has written, once every row has its checksum. */
  async adopt(number: number, tables: readonly RowTable[]): Promise<void> {
    const { log } = this.#options;
    const of: Record<string, CollectionTally> = {};
    const { books } = await log.head();
    const state = stateOf(books, number);
    if (!state || state.tallies?.at === state.position) return;
    for (const table of tables) {
      const now = await this.#count(number, table);
      if (now?.state.entry !== state.entry || now.found.unsummed > 0) return;
      const { rows, sum, listed } = now.found;
      of[table.collection.name] = { rows, sum, listed };
    }
    // Refused when a commit or another decision came meanwhile; the next scrub counts again.
    await log.append({ ...counted(books, number, { at: state.position, of }), ...NOTHING_WRITTEN });
  }

  /** Null: commits keep changing the generation, or it is replaced. */
  async #count(
    number: number,
    table: RowTable,
  ): Promise<{ readonly state: GenerationState; readonly found: FoundTally } | null> {
    const { connection } = this.#options;
    const { snapshotReads } = await connection.capabilities();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const counted = await (snapshotReads
        ? connection.withSnapshot((session) => this.#countOnce(number, table, session))
        : this.#countOnce(number, table));
      if (counted) return counted;
    }
    return null;
  }

  async #countOnce(number: number, table: RowTable, session?: ClientSession) {
    const state = await this.#settled(number, session);
    if (!state) return null;
    const found = await tallyOf(table, session);
    const after = session ? state : await this.#settled(number);
    return after?.entry === state.entry && after.position === state.position ? { state, found } : null;
  }

  /** Null: a commit is under way, or nothing of the generation is read any more. */
  async #settled(number: number, session?: ClientSession): Promise<GenerationState | null> {
    const { books, pending } = await this.#options.log.head(session);
    const isPending = pending.some(({ steps }) => steps.some(({ generation }) => generation === number));
    const state = stateOf(books, number);
    return state?.phase === 'live' && state.version >= 0 && !isPending ? state : null;
  }
}

const tallyOf = async (table: RowTable, session?: ClientSession): Promise<FoundTally> => {
  const options = session ? { session } : {};
  let rows = 0;
  let sum = 0;
  let unsummed = 0;
  const cursor = table.rows
    .find({ 'r.b': { $exists: true } }, options)
    .project<StoredRow>({ _id: 0, 'r.s': 1 })
    .batchSize(READ_AT_ONCE);
  for await (const { r } of cursor) {
    rows += 1;
    sum = wrapped(sum + (r?.s ?? 0));
    if (r?.s === undefined) unsummed += 1;
  }
  const listed: Record<string, number> = {};
  for (const [name, path] of table.indexPaths())
    listed[name] = await table.rows.countDocuments({ [path]: { $exists: true } }, options);
  return { rows, sum, listed, unsummed };
};

const faultsIn = (
  table: RowTable,
  written: CollectionTally,
  found: FoundTally,
): readonly DamagedGenerationError[] => {
  const damaged = (place: string, reason: string): DamagedGenerationError =>
    new DamagedGenerationError({ generation: table.generation, place, reason, extent: 'generation' });
  const place = placeOfTable(table.name);
  const rows: Tally = { ...written, sum: found.unsummed > 0 ? found.sum : written.sum };
  const fault = tallyFault(rows, found);
  const unlisted = Object.keys(found.listed).flatMap((name) => {
    const reason = rowsFault(written.listed[name] ?? 0, found.listed[name] ?? 0);
    return reason === null ? [] : damaged(`${place}, index ${name.split('__')[0]}`, reason);
  });
  return fault === null ? unlisted : [damaged(place, fault), ...unlisted];
};
