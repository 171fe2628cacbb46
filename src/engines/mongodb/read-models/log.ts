/**
 * The log of decisions about generations. An entry is appended under the next number, and only one process can succeed.
 * So each atomic decision (several checkpoints, a swap) is one insert of one document. The rows follow, and the mark
 * `applied` is last.
 */
import type { ClientSession, Collection } from 'mongodb';
import { StoreDamagedError } from '../../../foundation/integrity/damage.js';
import { contentSum } from '../content-sum.js';
import { isDuplicateKey } from '../mongo-connection.js';
import { begunAnew, EMPTY_BOOKS } from './bookkeeping.js';
import type { Bookkeeping, LogEntry, Step } from './documents.js';

/** Sixteen digits, so that ids sort as numbers do. */
const idOf = (sequence: number): string => String(sequence).padStart(16, '0');

/** The end of the log, and its entries that readers may not see yet. */
export interface LogHead {
  readonly books: Bookkeeping;
  /** Entries whose rows may not be written yet. */
  readonly pending: readonly LogEntry[];
}

export type NewEntry = Bookkeeping & Pick<LogEntry, 'steps' | 'token' | 'redo' | 'undo' | 'applied'>;

/** Of a decision that writes no rows. */
export const NOTHING_WRITTEN = { steps: [], token: null, redo: 0, undo: 0, applied: true } as const;

/** A decision is not the one that was made, so nothing that follows from it can be trusted. */
export class DamagedLogError extends StoreDamagedError {}

/**
 * For this long after the newest entry was seen, the next entries are read by their ids, one after the other, because
 * some servers scan the whole log for its end. No entry is dropped so soon.
 */
const NEWEST_IS_KNOWN_FOR_MS = 2_000;

/** How many applied sequences are cached. Evicted ones are read again. */
const MAX_CACHED = 10_000;

export class DecisionLog {
  readonly #entries: Collection<LogEntry>;
  /** With how many heads had been asked for when it became known. */
  readonly #applied = new Map<number, number>();
  #asked = 0;
  #newest: { readonly entry: LogEntry; readonly at: number } | null = null;

  constructor(entries: Collection<LogEntry>) {
    this.#entries = entries;
  }

  async head(session?: ClientSession): Promise<LogHead> {
    const options = session ? { session } : {};
    this.#asked += 1;
    const asked = this.#asked;
    const last = session ? await this.#end(session) : await this.#newestEntry();
    if (!last) return { books: EMPTY_BOOKS, pending: [] };
    if (last.applied) this.#remember(last.sequence);
    // A session reads its own snapshot: what became known later may not be true there.
    const isApplied = (sequence: number): boolean => {
      if (last.applied && sequence === last.sequence) return true;
      const known = this.#applied.get(sequence);
      return known !== undefined && (session === undefined || known < asked);
    };
    const open = new Set<number>();
    for (const { entry, phase } of last.generations) {
      if (entry !== 0 && phase !== 'retired' && !isApplied(entry)) open.add(entry);
    }
    const books = booksIn(last);
    if (open.size === 0) return { books, pending: [] };
    const ids = [...open].map(idOf);
    const entries = (await this.#entries.find({ _id: { $in: ids } }, options).toArray()).map(whole);
    for (const { applied, sequence } of entries) if (applied) this.#remember(sequence);
    return { books, pending: entries.filter(({ applied }) => !applied) };
  }

  /** Returns false on a conflict: another process has appended meanwhile. */
  async append(entry: NewEntry): Promise<boolean> {
    const at = performance.now();
    const appended = { ...entry, _id: idOf(entry.sequence), sum: sumOf(entry) };
    try {
      await this.#entries.insertOne(appended);
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
    if (entry.applied) this.#remember(entry.sequence);
    this.#newest = { entry: appended, at };
    return true;
  }

  async entry(sequence: number): Promise<LogEntry | null> {
    const entry = await this.#entries.findOne({ _id: idOf(sequence) });
    return entry && whole(entry);
  }

  /** Appends to a damaged log. Returns false when another process has done it meanwhile. */
  async beginAnew(projections: readonly string[]): Promise<boolean> {
    const [last] = await this.#entries
      .find()
      .project<Pick<LogEntry, '_id'>>({ _id: 1 })
      .sort({ _id: -1 })
      .limit(1)
      .toArray();
    const sequence = Number(last?._id) + 1;
    if (!Number.isSafeInteger(sequence)) return false;
    // No table of the damaged log has such a number.
    return this.append({ ...begunAnew(sequence, Date.now(), projections), ...NOTHING_WRITTEN });
  }

  /** In order. Of a sequence that was the newest a moment ago. */
  async after(sequence: number): Promise<readonly LogEntry[]> {
    const entries: LogEntry[] = [];
    for (let next = await this.entry(sequence + 1); next; next = await this.entry(next.sequence + 1)) {
      entries.push(next);
    }
    return entries;
  }

  async markApplied(sequence: number): Promise<void> {
    await this.#entries.updateOne({ _id: idOf(sequence) }, { $set: { applied: true } });
    this.#remember(sequence);
  }

  async #newestEntry(): Promise<LogEntry | null> {
    const at = performance.now();
    const known = this.#newest;
    const isFresh = known !== null && at - known.at < NEWEST_IS_KNOWN_FOR_MS;
    let last = isFresh ? known.entry : await this.#end();
    for (let next = last; next !== null && isFresh; ) {
      next = await this.entry(next.sequence + 1);
      last = next ?? last;
    }
    this.#newest = last && { entry: last, at };
    return last;
  }

  async #end(session?: ClientSession): Promise<LogEntry | null> {
    const options = session ? { session } : {};
    const [last] = await this.#entries.find({}, options).sort({ _id: -1 }).limit(1).toArray();
    return last ? whole(last) : null;
  }

  /** Drops entries before `sequence`, except for these. Returns the journal tokens of the remaining ones. */
  async prune(sequence: number, kept: readonly number[]): Promise<readonly string[]> {
    await this.#entries.deleteMany({ _id: { $lt: idOf(sequence), $nin: kept.map(idOf) } });
    const left = await this.#entries.find().project<Pick<LogEntry, 'token'>>({ token: 1 }).toArray();
    return left.flatMap(({ token }) => token ?? []);
  }

  #remember(sequence: number): void {
    if (this.#applied.size >= MAX_CACHED) this.#applied.clear();
    if (!this.#applied.has(sequence)) this.#applied.set(sequence, this.#asked);
  }
}

/** The visible positions of generations with pending entries: where those entries began. */
export const positionsBefore = (pending: readonly LogEntry[]): ReadonlyMap<number, number> =>
  new Map(
    pending.flatMap(({ steps }) => steps.map(({ generation, from }: Step) => [generation, from] as const)),
  );

const booksIn = ({ sequence, nextNumber, generations }: LogEntry): Bookkeeping => ({
  sequence,
  nextNumber,
  generations,
});

const sumOf = ({ sequence, nextNumber, generations, steps, token, redo, undo }: NewEntry): number =>
  contentSum({ sequence, nextNumber, generations, steps, token, redo, undo });

/** Throws DamagedLogError. */
const whole = (entry: LogEntry): LogEntry => {
  const { _id, sequence, sum } = entry;
  if (_id === idOf(sequence) && (sum === undefined || sum === sumOf(entry))) return entry;
  const reason = 'its checksum does not fit its content';
  throw new DamagedLogError({ store: 'read-models', place: `log, entry ${_id}`, reason });
};
