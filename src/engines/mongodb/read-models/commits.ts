/**
 * Commits the writes of projections without transactions. The writes go into the journal; one insert into the log decides
 * the commit; the rows follow, each guarded by its position; the mark for readers is last. When a process dies on the
 * way, an undecided commit never happened, and the next process finishes a decided one.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import {
  type Document,
  type ProjectionBatch,
  ReadModelUnavailableError,
} from '../../../foundation/read-models/read-model-store.js';
import { chunksOf } from '../chunks.js';
import { advanced, stateOf, stepsOf } from './bookkeeping.js';
import type { Bookkeeping, LogEntry, RowDocument } from './documents.js';
import { indexKeys } from './index-keys.js';
import type { Journal, JournalPart, RowBefore, RowWrite } from './journal.js';
import type { DecisionLog } from './log.js';
import type { RowWriter } from './rows.js';
import { tableName } from './tables.js';

/** Attempts against other processes that decide at the same time. In each round one of them succeeds. */
const MAX_ATTEMPTS = 100;

export interface CommitsOptions {
  readonly db: Db;
  readonly log: DecisionLog;
  readonly journal: Journal;
  readonly rows: RowWriter;
}

/** The last state of a document in a commit. `before`: the stored one; undefined: not known. */
interface Change {
  readonly write: RowWrite;
  readonly before: Document | null | undefined;
  readonly isLive: boolean;
}

/** A journaled commit; `live` says which of its batches are for live generations. */
interface Prepared {
  readonly live: readonly boolean[];
  readonly changes: readonly Change[];
  readonly part: JournalPart;
}

export class Commits {
  readonly #options: CommitsOptions;

  constructor(options: CommitsOptions) {
    this.#options = options;
  }

  async commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    const { log, journal } = this.#options;
    const numbers = new Set(batches.map(({ generation }) => generation.number));
    let prepared: Prepared | null = null;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const { books, pending } = await log.head();
      await this.finishFor(numbers, pending);
      const next = advanced(books, batches);
      if (next === null) {
        if (prepared) await journal.drop(prepared.part.token);
        return 'superseded';
      }
      prepared = await this.#prepared(prepared, batches, books);
      const { changes, part } = prepared;
      const entry = { ...next, steps: stepsOf(batches), ...part, applied: false };
      if (!(await log.append(entry))) continue;
      await this.#apply(entry.sequence, changes);
      if (changes.every(({ isLive }) => !isLive)) await journal.drop(part.token);
      return 'committed';
    }
    throw new ReadModelUnavailableError('other processes keep changing the read models');
  }

  /** Finishes the pending commits of these generations. */
  async finishFor(numbers: ReadonlySet<number>, pending: readonly LogEntry[]): Promise<void> {
    for (const entry of pending) {
      if (entry.steps.some(({ generation }) => numbers.has(generation))) await this.finish(entry);
    }
  }

  async finish(entry: LogEntry): Promise<void> {
    const { log, journal, rows } = this.#options;
    if (entry.token === null) return log.markApplied(entry.sequence);
    const writes = await journal.redo({ ...entry, token: entry.token });
    if (writes) {
      await rows.apply(writes);
      await log.markApplied(entry.sequence);
      return;
    }
    const now = await log.entry(entry.sequence);
    if (now && !now.applied) throw new Error(`the journal of entry ${entry.sequence} is lost`);
  }

  async #apply(sequence: number, changes: readonly Change[]): Promise<void> {
    await this.#options.rows.apply(changes.map(({ write }) => write));
    await this.#options.log.markApplied(sequence);
  }

  /**
   * Writes the journal once, as long as the same generations are live. It stays valid while the generations are at the
   * `from` of their batches.
   */
  async #prepared(
    earlier: Prepared | null,
    batches: readonly ProjectionBatch[],
    books: Bookkeeping,
  ): Promise<Prepared> {
    const { journal } = this.#options;
    const live = batches.map(({ generation }) => stateOf(books, generation.number)?.phase === 'live');
    const isSame = earlier?.live.join() === live.join();
    if (earlier && isSame && (await journal.keepAfter(earlier.part, books.sequence))) return earlier;
    const changes = changesOf(batches, live);
    const parts = { redo: changes.map(({ write }) => write), undo: await this.#before(changes) };
    return { live, changes, part: await journal.write(randomUUID(), books.sequence, parts) };
  }

  /** Returns the replaced rows of live generations. Only the projector reads a building one, so it needs no undo. */
  async #before(changes: readonly Change[]): Promise<readonly RowBefore[]> {
    const known: RowBefore[] = [];
    const unknown = new Map<string, string[]>();
    for (const { write, before, isLive } of changes) {
      const { table, id } = write;
      if (!isLive) continue;
      if (before !== undefined) known.push({ table, id, body: before && JSON.stringify(before) });
      else unknown.set(table, [...(unknown.get(table) ?? []), id]);
    }
    for (const [table, ids] of unknown) known.push(...(await this.#read(table, ids)));
    return known;
  }

  async #read(table: string, ids: readonly string[]): Promise<readonly RowBefore[]> {
    const bodies = new Map<string, string>();
    for (const some of chunksOf(ids)) {
      const rows = this.#options.db.collection<RowDocument>(table).find({ _id: { $in: some } });
      for await (const { _id, r } of rows) if (r.b !== undefined) bodies.set(_id, r.b);
    }
    return ids.map((id) => ({ table, id, body: bodies.get(id) ?? null }));
  }
}

/** Throws TypeError on a document that cannot be stored, before anything is written. */
const changesOf = (batches: readonly ProjectionBatch[], live: readonly boolean[]): readonly Change[] => {
  const changes = new Map<string, Change>();
  for (const [place, { generation, writes }] of batches.entries()) {
    const isLive = live[place] === true;
    for (const write of writes) {
      const { collection, at } = write;
      const table = tableName(collection, generation.number);
      const id = write.kind === 'put' ? write.document.id : write.id;
      const known = write.kind === 'put' ? write.previous : undefined;
      const key = `${table}/${id}`;
      const earlier = changes.get(key);
      const before = earlier ? earlier.before : known;
      const row =
        write.kind === 'put'
          ? { at, b: JSON.stringify(write.document), k: indexKeys(collection, write.document) }
          : { at };
      const isNew = !isLive && before === null && write.kind === 'put';
      changes.set(key, { write: { table, id, row, isNew }, before, isLive });
    }
  }
  return [...changes.values()];
};
