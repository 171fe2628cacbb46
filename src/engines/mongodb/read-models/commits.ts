/**
 * Commits the writes of projections without transactions. The writes go into the journal; one insert into the log decides
 * the commit; the rows follow, each guarded by its position; the mark for readers is last. When a process dies on the
 * way, an undecided commit never happened, and the next process finishes a decided one.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import type { Position } from '../../../foundation/event-store/event-store.js';
import { StoreDamagedError } from '../../../foundation/integrity/damage.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import {
  type AnyCollection,
  type Document,
  type ProjectionBatch,
  ReadModelUnavailableError,
} from '../../../foundation/read-models/read-model-store.js';
import { chunksOf } from '../chunks.js';
import { textSum } from '../content-sum.js';
import { advanced, areNext, stateOf, stepsOf } from './bookkeeping.js';
import type { Bookkeeping, LogEntry, Row, RowDocument } from './documents.js';
import { indexKeys, indexNames } from './index-keys.js';
import type { Journal, JournalPart, RowWrite } from './journal.js';
import type { DecisionLog } from './log.js';
import type { RowWriter } from './rows.js';
import { bodyIn, documentIn, sumOf, tableName } from './tables.js';
import { TallyChange, type TallyChanges } from './tallies.js';

/** Attempts against other processes that decide at the same time. In each round one of them succeeds. */
const MAX_ATTEMPTS = 100;

export interface CommitsOptions {
  readonly db: Db;
  readonly log: DecisionLog;
  readonly journal: Journal;
  readonly rows: RowWriter;
  /** Called with each generation that cannot be completed. */
  readonly onDamaged: (error: DamagedGenerationError) => Promise<void>;
}

/** The last state of a document in a commit. `before`: the stored one; undefined: not known. */
interface Change {
  readonly write: RowWrite;
  readonly generation: number;
  readonly collection: AnyCollection;
  readonly before: Document | null | undefined;
  readonly isLive: boolean;
}

/** The stored document with its JSON. */
interface Body {
  readonly document: Document;
  readonly text: string;
}

/** A journaled commit; `live` says which of its batches are for live generations. */
interface Prepared {
  readonly live: readonly boolean[];
  readonly changes: readonly Change[];
  readonly tallies: TallyChanges;
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
      if (!areNext(books, batches)) {
        if (prepared) await journal.drop(prepared.part);
        return 'superseded';
      }
      prepared = await this.#prepared(prepared, batches, books);
      const { changes, part, tallies } = prepared;
      const next = advanced(books, batches, tallies);
      const entry = { ...next, steps: stepsOf(batches), ...part, applied: false };
      if (!(await log.append(entry))) continue;
      await this.#apply(entry.sequence, changes);
      if (changes.every(({ isLive }) => !isLive)) await journal.drop(part);
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
    const { log, rows } = this.#options;
    if (entry.token === null) return log.markApplied(entry.sequence);
    const writes = await this.#redo(entry, entry.token);
    if (writes) {
      await rows.apply(writes);
      await log.markApplied(entry.sequence);
      return;
    }
    const now = await log.entry(entry.sequence);
    if (now && !now.applied) await this.#giveUp(now);
  }

  /** Null: its journal is lost or damaged. */
  async #redo(entry: LogEntry, token: string): Promise<readonly RowWrite[] | null> {
    try {
      return await this.#options.journal.redo({ ...entry, token });
    } catch (error) {
      if (error instanceof StoreDamagedError) return null;
      throw error;
    }
  }

  /** Rows that were decided cannot be written: their generations are built anew. */
  async #giveUp({ sequence, steps }: LogEntry): Promise<void> {
    for (const { generation } of steps) {
      const place = `the journal of entry ${sequence}`;
      const reason = 'it is lost or damaged, and its rows were not all written';
      await this.#options.onDamaged(
        new DamagedGenerationError({ generation, place, reason, extent: 'generation' }),
      );
    }
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
    const before = await this.#before(changes);
    // Only the projector reads a building generation, so it needs no undo.
    const undo = changes.flatMap(({ write: { table, id }, isLive }, at) =>
      isLive ? { table, id, body: before[at]?.text ?? null } : [],
    );
    const parts = { redo: changes.map(({ write }) => write), undo };
    const part = await journal.write(randomUUID(), books.sequence, parts);
    return { live, changes, tallies: tallyChanges(changes, before), part };
  }

  /** Returns the replaced documents, in the order of the changes; null where there was none. */
  async #before(changes: readonly Change[]): Promise<readonly (Body | null)[]> {
    const unknown = new Map<string, string[]>();
    for (const { write, before } of changes)
      if (before === undefined) unknown.set(write.table, [...(unknown.get(write.table) ?? []), write.id]);
    const read = new Map<string, ReadonlyMap<string, string>>();
    for (const [table, ids] of unknown) read.set(table, await this.#read(table, ids));
    return changes.map(({ write: { table, id }, before }) => {
      if (before) return { document: before, text: JSON.stringify(before) };
      const text = before === null ? undefined : read.get(table)?.get(id);
      return text === undefined ? null : { document: documentIn(table, id, text), text };
    });
  }

  /** By id. */
  async #read(table: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const bodies = new Map<string, string>();
    for (const some of chunksOf(ids)) {
      const rows = this.#options.db.collection<RowDocument>(table).find({ _id: { $in: some } });
      for await (const row of rows) {
        const body = bodyIn(table, row);
        if (body !== null) bodies.set(row._id, body);
      }
    }
    return bodies;
  }
}

const tallyChanges = (changes: readonly Change[], before: readonly (Body | null)[]): TallyChanges => {
  const all = new Map<number, Map<string, TallyChange>>();
  for (const [at, { generation, collection, write }] of changes.entries()) {
    const ofGeneration = all.get(generation) ?? new Map<string, TallyChange>();
    all.set(generation, ofGeneration);
    const change = ofGeneration.get(collection.name) ?? new TallyChange();
    ofGeneration.set(collection.name, change);
    const { k, b, s = 0 } = write.row;
    const body = before[at];
    change.replace(
      body ? { sum: textSum(body.text), lists: indexNames(collection, body.document) } : null,
      b === undefined ? null : { sum: s, lists: Object.keys(k ?? {}) },
    );
  }
  return all;
};

/** Throws TypeError on a document that cannot be stored, before anything is written. */
const changesOf = (batches: readonly ProjectionBatch[], live: readonly boolean[]): readonly Change[] => {
  const changes = new Map<string, Change>();
  for (const [place, { generation, writes }] of batches.entries()) {
    const isLive = live[place] === true;
    for (const write of writes) {
      const { collection, at } = write;
      const table = tableName(collection, generation.number);
      const id = write.kind === 'put' ? write.document.id : write.id;
      const key = `${table}/${id}`;
      const earlier = changes.get(key);
      const before = earlier ? earlier.before : write.previous;
      const row = write.kind === 'put' ? rowOf(collection, write.document, at) : { at, s: sumOf({}) };
      const isNew = !isLive && before === null && write.kind === 'put';
      const of = { generation: generation.number, collection };
      changes.set(key, { write: { table, id, row, isNew }, ...of, before, isLive });
    }
  }
  return [...changes.values()];
};

/** Throws TypeError on a document that cannot be stored. */
const rowOf = (collection: AnyCollection, document: Document, at: Position): Row => {
  const b = JSON.stringify(document);
  return { at, b, k: indexKeys(collection, document), s: sumOf({ b }) };
};
