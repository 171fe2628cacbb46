/**
 * Read models in MongoDB, or a server that speaks its protocol, for any number of nodes. It needs no multi-document
 * transactions and no change streams: one insert decides a commit, rows are guarded by their positions, and readers see
 * consistent snapshots. Writes wait for a majority of the replica set. docs/architecture.md says how and why.
 */

import { lazy } from '../../../foundation/basics/lazy.js';
import { settlesWithin } from '../../../foundation/basics/settles-within.js';
import type { ScrubStep, Verifiable } from '../../../foundation/integrity/damage.js';
import type { CachedResults } from '../../../foundation/read-models/cached-results.js';
import type { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import {
  COMPARE_WITHIN_MS,
  type HealingListener,
} from '../../../foundation/read-models/generation-healing.js';
import { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import {
  type AnyCollection,
  type Generation,
  type Lease,
  type LeaseRequest,
  type ProjectionBatch,
  type ProjectionProgress,
  type ProjectionSchema,
  type PromotionOutcome,
  type ReadModelStore,
  ReadModelUnavailableError,
  type ReadView,
} from '../../../foundation/read-models/read-model-store.js';
import type { StateSnapshots } from '../../../foundation/read-models/state-snapshots.js';
import { MongoConnection } from '../mongo-connection.js';
import { begun, generationOf, inPhase, outcomesOf, progressOf, promoted } from './bookkeeping.js';
import { Commits } from './commits.js';
import { DamageGuard } from './damage-guard.js';
import { type JournalDocument, type LogEntry, READ_MODEL_SHARD_KEYS, ROW_SHARD_KEY } from './documents.js';
import { Handover } from './handover.js';
import { Housekeeping } from './housekeeping.js';
import { Journal } from './journal.js';
import { MongoLeases } from './leases.js';
import { DecisionLog, type LogHead, NOTHING_WRITTEN, positionsBefore } from './log.js';
import { type CachedResultDocument, MongodbCachedResults } from './mongodb-cached-results.js';
import { MongodbSnapshots } from './mongodb-snapshots.js';
import { RowWriter } from './rows.js';
import { RETENTION_MS, SnapshotReads } from './snapshot-reads.js';
import { RowTable, tableName } from './tables.js';
import { MongoReadView, noOverlay } from './view.js';

export interface MongoReadModelOptions extends HealingListener {
  /** For threads and tools that only take snapshots: makes nothing. */
  readonly readOnly?: boolean;
  /** Whether damaged generations are condemned. Default: unless it is opened read-only. */
  readonly heals?: boolean;
  /** Whether `prepare` compares all tallies with what is there. */
  readonly comparesTallies?: boolean;
  /** How long data is kept after the last reader could use it, in milliseconds. */
  readonly retentionMs?: number;
}

const DATABASE = 'podium-read-models';
const NO_PROGRESS: ProjectionProgress = { live: null, building: null };

export class MongoReadModelStore implements ReadModelStore, Verifiable {
  readonly store = 'read-models';
  readonly isRemote = true;
  readonly resultCache: CachedResults;
  readonly snapshots: StateSnapshots;
  readonly #connection: MongoConnection;
  readonly #readOnly: boolean;
  readonly #comparesTallies: boolean;
  readonly #guard: DamageGuard;
  readonly #schemas = new ProjectionSchemas();
  /** Indexes of building generations that exist, by table and index. */
  readonly #indexed = new Map<string, Promise<void>>();
  readonly #log: DecisionLog;
  readonly #journal: Journal;
  readonly #leases: MongoLeases;
  readonly #snapshots: SnapshotReads;
  readonly #housekeeping: Housekeeping;
  readonly #handover = new Handover();
  readonly #commits = lazy(async () => {
    const { db } = this.#connection;
    const rows = new RowWriter(db, await this.#connection.capabilities());
    const onDamaged = (error: DamagedGenerationError): Promise<void> => this.#guard.found(error);
    return new Commits({ db, log: this.#log, journal: this.#journal, rows, onDamaged });
  });

  /** Throws ConfigError when the URL is wrong. An unavailable server fails each call instead. */
  constructor(url: string, options: MongoReadModelOptions = {}) {
    const { readOnly = false, retentionMs = RETENTION_MS } = options;
    this.#connection = new MongoConnection(url, {
      database: DATABASE,
      unavailable: (message, options) => new ReadModelUnavailableError(message, options),
    });
    const { db } = this.#connection;
    this.#readOnly = readOnly;
    this.#comparesTallies = options.comparesTallies ?? false;
    this.#log = new DecisionLog(db.collection<LogEntry>('log'));
    this.#journal = new Journal(db.collection<JournalDocument>('journal'));
    this.#leases = new MongoLeases(db);
    const parts = { connection: this.#connection, log: this.#log, journal: this.#journal };
    const heals = options.heals ?? !readOnly;
    this.#guard = new DamageGuard({
      ...options,
      ...parts,
      schemas: this.#schemas,
      heals,
      stamps: heals && !readOnly,
      progressOf: (projections) => this.progressOf(projections),
    });
    this.#snapshots = new SnapshotReads({ ...parts, owners: this.#schemas.owners });
    this.#housekeeping = new Housekeeping({ db, ...parts, retentionMs });
    this.resultCache = new MongodbCachedResults(
      db.collection<CachedResultDocument>('cached_results'),
      (work) => this.#connection.guarded(work),
    );
    this.snapshots = new MongodbSnapshots(db, (work) => this.#connection.guarded(work));
  }

  async prepare(projections: readonly ProjectionSchema[]): Promise<void> {
    for (const schema of projections) this.#schemas.add(schema);
    this.#guard.add(projections);
    await this.#guard.run(async () => {
      await this.#connection.capabilities();
      if (this.#readOnly) return;
      await this.#connection.shard(READ_MODEL_SHARD_KEYS);
      await this.#journal.makeIndex();
      await this.#housekeeping.dropStrays();
      const { books } = await this.#log.head();
      for (const { name, collections } of projections) {
        const live = inPhase(books, name, 'live');
        for (const collection of live ? collections : []) {
          await this.#table(collection, live?.number ?? 0).completeIndexes();
        }
      }
    });
    if (this.#comparesTallies) await settlesWithin(this.#guard.compareTallies(), COMPARE_WITHIN_MS);
  }

  async progress(projection: string): Promise<ProjectionProgress> {
    const [progress = NO_PROGRESS] = await this.progressOf([projection]);
    return progress;
  }

  progressOf(projections: readonly string[]): Promise<readonly ProjectionProgress[]> {
    return this.#guard.run(async () => {
      const { books, pending } = await this.#log.head();
      const positions = positionsBefore(pending);
      return projections.map((projection) => progressOf(books, projection, positions));
    });
  }

  startGenerations(schemas: readonly ProjectionSchema[], storeId: string): Promise<readonly Generation[]> {
    for (const schema of schemas) this.#schemas.add(schema);
    const wanted = schemas.map(({ name: projection, version }) => ({ projection, version }));
    return this.#guard.run(async () => {
      if (wanted.length === 0) return [];
      for (;;) {
        const { books } = await this.#log.head();
        const next = begun(books, wanted, storeId);
        // Before the generations are there, so that no process writes a row into a collection that is not sharded.
        await this.#shardRows(next.generations.slice(-wanted.length));
        if (!(await this.#log.append({ ...next, ...NOTHING_WRITTEN }))) continue;
        return next.generations.slice(-wanted.length).map(generationOf);
      }
    });
  }

  commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    return this.#guard.run(async () => {
      const outcome = await (await this.#commits()).commit(batches);
      this.#housekeeping.runIfDue();
      return outcome;
    });
  }

  makeIndexes(generations: readonly Generation[]): Promise<void> {
    return this.#guard.run(async () => {
      for (const generation of generations) await this.#makeIndexes(generation);
    });
  }

  promote(
    generations: readonly Generation[],
    { allowBehind = false }: { readonly allowBehind?: boolean } = {},
  ): Promise<readonly PromotionOutcome[]> {
    return this.#guard.run(async () => {
      const commits = await this.#commits();
      const indexed = new Set<number>();
      for (;;) {
        const { books, pending } = await this.#log.head();
        const outcomes = outcomesOf(books, generations, allowBehind);
        const able = generations.filter((_, place) => outcomes[place] === 'promoted');
        if (able.length === 0) return outcomes;
        const bare = able.filter(({ number }) => !indexed.has(number));
        if (bare.length > 0) {
          // That takes long enough for anything to happen meanwhile.
          for (const generation of bare) await this.#makeIndexes(generation);
          for (const { number } of bare) indexed.add(number);
          continue;
        }
        await commits.finishFor(new Set(able.map(({ number }) => number)), pending);
        if (await this.#log.append({ ...promoted(books, able), ...NOTHING_WRITTEN })) return outcomes;
      }
    });
  }

  viewOf<T>(generation: Generation, read: (view: ReadView) => Promise<T>): Promise<T> {
    this.#schemas.of(generation);
    return this.#guard.run(async () => {
      let head: LogHead | null = null;
      const source = {
        session: undefined,
        position: async (projection: string) => {
          head ??= await this.#log.head();
          const { live, building } = progressOf(head.books, projection, positionsBefore(head.pending));
          return (building?.number === generation.number ? building : live)?.position ?? 0;
        },
        table: (collection: AnyCollection) => this.#table(collection, generation.number),
        beforeScan: (table: RowTable, index: string) => this.#indexOnce(table, index),
        overlay: noOverlay,
        tally: () => null,
      };
      return read(new MongoReadView(source));
    });
  }

  snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T> {
    return this.#guard.run(() => this.#snapshots.read(read));
  }

  acquireLease(request: LeaseRequest): Promise<Lease | null> {
    return this.#guard.run(async () => {
      const lease = await this.#leases.acquire(request);
      if (lease && !this.#readOnly) await this.#finishOthers(lease);
      return lease;
    });
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return this.#guard.run(() => this.#leases.release(name, holder));
  }

  leases(): Promise<readonly Lease[]> {
    return this.#guard.run(() => this.#leases.current());
  }

  lapsedLeases(): Promise<readonly Lease[]> {
    return this.#guard.run(() => this.#leases.lapsed());
  }

  /** Drops data that is out of use for long enough. Writing nodes also do it automatically. */
  cleanUp(): Promise<void> {
    return this.#guard.run(() => this.#housekeeping.run());
  }

  scrub(): AsyncIterable<ScrubStep> {
    return this.#guard.scrub();
  }

  async close(): Promise<void> {
    this.#guard.close();
    await this.#housekeeping.close();
    await this.#connection.close();
  }

  /** The holder of a lease finishes commits of dead processes, and drops unused data. */
  async #finishOthers(lease: Lease): Promise<void> {
    const due = this.#handover.due(lease, await this.#log.head());
    if (due.length > 0) {
      const commits = await this.#commits();
      for (const entry of due) await commits.finish(entry);
    }
    this.#housekeeping.runIfDue();
  }

  async #makeIndexes(generation: Generation): Promise<void> {
    for (const collection of this.#schemas.of(generation).collections) {
      await this.#table(collection, generation.number).makeIndexes();
    }
  }

  #shardRows(generations: readonly Generation[]): Promise<void> {
    const names = generations.flatMap((generation) =>
      this.#schemas.of(generation).collections.map((collection) => tableName(collection, generation.number)),
    );
    return this.#connection.shard(Object.fromEntries(names.map((name) => [name, ROW_SHARD_KEY])));
  }

  #table(collection: AnyCollection, generation: number): RowTable {
    return new RowTable(this.#connection, collection, generation);
  }

  /** Makes an index of a building generation when its projector first uses it. */
  #indexOnce(table: RowTable, index: string): Promise<void> {
    const key = `${table.name}/${index}`;
    let made = this.#indexed.get(key);
    if (!made) {
      made = table.makeIndexes([index]);
      this.#indexed.set(key, made);
      made.catch(() => this.#indexed.delete(key));
    }
    return made;
  }
}
