/**
 * Gives the events from before checksums theirs, in the background of the writer thread, once they were compared with the
 * read models that were built from them. An event gets one when it can be read: its JSON, its type, its stream, and the event
 * before it in the stream. One that cannot be read gets none, and counts as damaged from then on.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { WRITE_WITHIN_MS, whenUnlocked } from '../locks.js';
import { storedEvent } from './event-rows.js';
import { chainOf, checksumOf } from './group-commit.js';
import { readComparison } from './old-events.js';
import { EVENT_COLUMNS, type EventRow, prepareUnstamped, type Range, writeStamped } from './statements.js';

/** Each transaction costs a flush of the disk, and appends wait for it. */
const STEP = 500;
/** Between two steps, in times of what the last one took. */
const RESTS = 9;
/** The file is locked, full or damaged. Appends say what ails it. */
const AGAIN_AFTER_MS = 10_000;
/** The projector compares them, when it is there. */
const LOOK_EVERY_MS = 1_000;

type OldRow = readonly [
  ...event: EventRow,
  stream: string | null,
  type: string | null,
  positionOfTheOneBefore: number | null,
];

const prepare = (database: Database.Database) => ({
  old: database
    .prepare<[Range], OldRow>(
      `SELECT ${EVENT_COLUMNS}, (SELECT name FROM streams WHERE id = e.stream), (SELECT name FROM types WHERE id = e.type),
         (SELECT position FROM events AS b WHERE b.stream = e.stream AND b.revision = e.revision - 1)
       FROM events AS e WHERE position > @above AND position <= @upTo ORDER BY position`,
    )
    .raw(),
  chain: database.prepare<[number], number | null>('SELECT chain FROM events WHERE position = ?').pluck(),
  stamp: database.prepare<[number, number, number]>(
    'UPDATE events SET checksum = ?, chain = ? WHERE position = ? AND checksum IS NULL',
  ),
});

/** Ends when all events have one, or when the database is closed. */
export const stampEvents = async (database: Database.Database): Promise<void> => {
  const stamping = new Stamping(database);
  while (database.open) {
    const begun = performance.now();
    const outcome = await stamping.step();
    if (outcome === 'done') return;
    await pause(restOf(outcome, performance.now() - begun), undefined, { ref: false });
  }
};

type Outcome = 'some left' | 'done' | 'not compared' | 'failed';

const restOf = (outcome: Outcome, tookMs: number): number => {
  if (outcome === 'failed') return AGAIN_AFTER_MS;
  return outcome === 'not compared' ? LOOK_EVERY_MS : tookMs * RESTS;
};

class Stamping {
  readonly #database: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #unstamped: () => Range;
  readonly #transaction: Database.Transaction<() => boolean>;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#statements = prepare(database);
    this.#unstamped = prepareUnstamped(database);
    this.#transaction = database.transaction(() => this.#stampSome());
  }

  async step(): Promise<Outcome> {
    try {
      const { above, upTo } = this.#unstamped();
      if (above >= upTo) return 'done';
      if (readComparison(this.#database)?.length !== 0) return 'not compared';
      return (await whenUnlocked(this.#transaction.immediate, WRITE_WITHIN_MS)) ? 'some left' : 'done';
    } catch {
      return 'failed';
    }
  }

  /** Returns whether some are left. */
  #stampSome(): boolean {
    const unstamped = this.#unstamped();
    const range = { above: unstamped.above, upTo: Math.min(unstamped.above + STEP, unstamped.upTo) };
    let chain = this.#statements.chain.get(range.above) ?? 0;
    for (const row of this.#statements.old.all(range)) {
      const [position, stream, type] = [row[0], row[9], row[10]];
      if (stream === null || type === null || !isReadable(row)) continue;
      const checksum = checksumOf(storedEvent(row, stream, type));
      chain = chainOf(chain, checksum);
      this.#statements.stamp.run(checksum, chain, position);
    }
    writeStamped(this.#database, range.upTo);
    return range.upTo < unstamped.upTo;
  }
}

const isReadable = (row: OldRow): boolean => {
  const [position, , revision, id, , data, metadata] = row;
  const before = row[11];
  const follows = revision === 0 ? before === null : before !== null && before < position;
  return follows && id.length === 32 && typeof parsed(data) === 'object' && Array.isArray(parsed(metadata));
};

/** Undefined: it is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
