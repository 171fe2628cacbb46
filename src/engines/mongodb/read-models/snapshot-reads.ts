/**
 * Takes snapshots of the live generations, and gives each reader the older rows that its snapshot needs. Every node keeps
 * these for at least the lifetime of a view, by its monotonic clock. A view that lives longer is refused, and data is
 * dropped only after a much longer time.
 */
import type { ClientSession } from 'mongodb';
import { isUnreadable, REBUILDING } from '../../../foundation/read-models/damaged-generation.js';
import {
  type AnyCollection,
  ReadModelUnavailableError,
  type ReadView,
} from '../../../foundation/read-models/read-model-store.js';
import type { MongoConnection } from '../mongo-connection.js';
import type { GenerationState, LogEntry } from './documents.js';
import type { Journal, RowBefore } from './journal.js';
import { type DecisionLog, type LogHead, positionsBefore } from './log.js';
import { RowTable } from './tables.js';
import { type CollectionTally, EMPTY_COLLECTION } from './tallies.js';
import { MongoReadView, type Overlay, type ReadSource } from './view.js';

/** Lifetime of a view. */
const VIEW_LIVES_MS = 15_000;
/** How long data is kept after no new snapshot can need it. */
export const RETENTION_MS = 45_000;

const MAX_JOURNALS = 64;

export interface SnapshotReadsOptions {
  readonly connection: MongoConnection;
  readonly log: DecisionLog;
  readonly journal: Journal;
  /** Which projection a collection belongs to, by the collection's name. */
  readonly owners: ReadonlyMap<string, string>;
}

export class SnapshotReads {
  readonly #options: SnapshotReadsOptions;
  /** The rows that entries replaced, by sequence, because concurrent readers need the same ones. */
  readonly #replaced = new Map<number, Promise<ReadonlyMap<string, Overlay>>>();

  constructor(options: SnapshotReadsOptions) {
    this.#options = options;
  }

  async read<T>(read: (view: ReadView) => Promise<T>): Promise<T> {
    const { connection, log } = this.#options;
    const { snapshotReads } = await connection.capabilities();
    const readAs = async (session?: ClientSession): Promise<T> => {
      const head = await log.head(session);
      return read(new MongoReadView(new SnapshotSource(connection, this, { head, session })));
    };
    return snapshotReads ? connection.withSnapshot(readAs) : readAs();
  }

  ownerOf(collection: AnyCollection): string {
    const projection = this.#options.owners.get(collection.name);
    if (projection === undefined) throw new Error(`collection ${collection.name} was not prepared`);
    return projection;
  }

  entriesAfter(sequence: number): Promise<readonly LogEntry[]> {
    return this.#options.log.after(sequence);
  }

  /** By table. */
  replacedBy(entry: LogEntry): Promise<ReadonlyMap<string, Overlay>> {
    const known = this.#replaced.get(entry.sequence);
    if (known) return known;
    const replaced = this.#load(entry);
    this.#replaced.set(entry.sequence, replaced);
    replaced.catch(() => this.#replaced.delete(entry.sequence));
    for (const sequence of this.#replaced.keys()) {
      if (this.#replaced.size <= MAX_JOURNALS) break;
      this.#replaced.delete(sequence);
    }
    return replaced;
  }

  async #load(entry: LogEntry): Promise<ReadonlyMap<string, Overlay>> {
    const { token, redo, undo } = entry;
    const before = token === null ? [] : await this.#options.journal.undo({ token, redo, undo });
    if (before === null) throw tooOld();
    return byTable(before);
  }
}

const tooOld = (): ReadModelUnavailableError =>
  new ReadModelUnavailableError('reading took so long that what it read is gone; read again');

const byTable = (before: readonly RowBefore[]): ReadonlyMap<string, Overlay> => {
  const tables = new Map<string, Map<string, string | null>>();
  for (const { table, id, body } of before) {
    const rows = tables.get(table) ?? new Map<string, string | null>();
    tables.set(table, rows.set(id, body));
  }
  return tables;
};

interface Snapshot {
  readonly head: LogHead;
  readonly session: ClientSession | undefined;
}

class SnapshotSource implements ReadSource {
  readonly session: ClientSession | undefined;
  readonly #connection: MongoConnection;
  readonly #snapshots: SnapshotReads;
  readonly #head: LogHead;
  readonly #positions: ReadonlyMap<number, number>;
  readonly #live: ReadonlyMap<string, GenerationState>;
  readonly #tables = new Map<string, RowTable>();
  readonly #takenAt = performance.now();

  constructor(connection: MongoConnection, snapshots: SnapshotReads, { head, session }: Snapshot) {
    this.#connection = connection;
    this.#snapshots = snapshots;
    this.#head = head;
    this.session = session;
    this.#positions = positionsBefore(head.pending);
    const live = head.books.generations.filter(({ phase }) => phase === 'live');
    this.#live = new Map(live.map((generation) => [generation.projection, generation]));
  }

  async position(projection: string): Promise<number> {
    const live = this.#live.get(projection);
    return live ? (this.#positions.get(live.number) ?? live.position) : 0;
  }

  table(collection: AnyCollection): RowTable | null {
    const live = this.#live.get(this.#snapshots.ownerOf(collection));
    if (!live) return null;
    if (isUnreadable(live)) throw new ReadModelUnavailableError(REBUILDING);
    let table = this.#tables.get(collection.name);
    if (!table) {
      table = new RowTable(this.#connection, collection, live.number);
      this.#tables.set(collection.name, table);
    }
    return table;
  }

  async beforeScan(): Promise<void> {}

  /** The tallies of an entry that is pending hold once its rows are written. */
  tally({ collection, generation }: RowTable): CollectionTally | null {
    const live = this.#head.books.generations.find(({ number }) => number === generation);
    if (live?.tallies?.at !== live?.position || this.#positions.has(generation)) return null;
    return live?.tallies ? (live.tallies.of[collection.name] ?? EMPTY_COLLECTION) : null;
  }

  async overlay({ name }: RowTable): Promise<Overlay> {
    const later = this.session ? [] : await this.#snapshots.entriesAfter(this.#head.books.sequence);
    const replaced = new Map<string, string | null>();
    // The entry nearest to the snapshot has the rows of that time.
    for (const entry of [...later].reverse()) await this.#putBack(replaced, name, entry);
    for (const entry of this.#head.pending) await this.#putBack(replaced, name, entry);
    if (performance.now() - this.#takenAt > VIEW_LIVES_MS) throw tooOld();
    return replaced;
  }

  async #putBack(replaced: Map<string, string | null>, table: string, entry: LogEntry): Promise<void> {
    if (entry.undo === 0) return;
    const rows = (await this.#snapshots.replacedBy(entry)).get(table);
    for (const [id, body] of rows ?? []) replaced.set(id, body);
  }
}
