/**
 * Read models in one SQLite file, which any number of processes may open. Rows and checkpoints are written in one
 * transaction, so a checkpoint is never ahead of its rows, even after a crash. WAL with synchronous=NORMAL: a power loss
 * may lose the last commits with their checkpoints, and the projector resumes from there. A file that is damaged is replaced by
 * an empty one (read-model-healing.ts). Meanwhile every read fails with a ReadModelUnavailableError, so clients get a 503 and
 * never less than there was.
 */
import { settlesWithin } from '../../../foundation/basics/settles-within.js';
import type { Damage, ScrubStep, Verifiable } from '../../../foundation/integrity/damage.js';
import { DamagedGenerationError } from '../../../foundation/read-models/damaged-generation.js';
import {
  COMPARE_WITHIN_MS,
  type HealingListener,
} from '../../../foundation/read-models/generation-healing.js';
import type {
  ComparesGenerations,
  Generation,
  Lease,
  LeaseRequest,
  ProjectionBatch,
  ProjectionProgress,
  ProjectionSchema,
  PromotionOutcome,
  ReadModelStore,
  ReadView,
} from '../../../foundation/read-models/read-model-store.js';
import { NO_WAIT_MS, whenUnlocked } from '../locks.js';
import { isDamage, isDamageOrLack } from '../replaceable-file.js';
import { OpenReadModels, WRITE_WITHIN_MS } from './open-read-models.js';
import { ReadModelHealing } from './read-model-healing.js';
import { BULK } from './sqlite-bulk-writer.js';
import { SqliteCommits } from './sqlite-commits.js';
import { compareGenerations } from './sqlite-comparison.js';
import { unavailable } from './sqlite-errors.js';
import { SqliteGenerations } from './sqlite-generations.js';
import { SqliteSnapshots } from './sqlite-snapshots.js';
import { openCachedResults, type ThreadedCachedResults } from './threaded-cached-results.js';

export interface SqliteReadModelOptions extends HealingListener {
  /** For threads and tools that only take snapshots: makes nothing, and the file must exist. */
  readonly readOnly?: boolean;
  /** For a server's projector: a thread does the checkpoints, so that no commit waits for them. */
  readonly checkpointThread?: boolean;
  /** Whether a damaged file is replaced. Default: unless it is opened read-only. */
  readonly heals?: boolean;
  /** Whether the engine checks the whole file first, up to 64 MB of it: half a second at most. */
  readonly checksFile?: boolean;
  /** Whether `prepare` compares all tallies with what is there. */
  readonly comparesTallies?: boolean;
  /** Starts the threads for snapshots and for cached results now. Default: with the first of them. */
  readonly startsThreads?: boolean;
}

export class SqliteReadModelStore implements ReadModelStore, ComparesGenerations, Verifiable {
  readonly store = 'read-models';
  readonly isRemote = false;
  readonly resultCache: ThreadedCachedResults;
  readonly snapshots: SqliteSnapshots;
  readonly #comparesTallies: boolean;
  readonly #healing: ReadModelHealing;

  /** Throws ReadModelUnavailableError when the file cannot be opened. */
  constructor(path: string, options: SqliteReadModelOptions = {}) {
    const { readOnly = false, checkpointThread = false, heals = !readOnly, startsThreads = false } = options;
    const { checksFile = false, comparesTallies = false } = options;
    this.#comparesTallies = comparesTallies;
    const write = <T>(file: OpenReadModels, work: () => T): Promise<T> => this.#write(file, work);
    this.#healing = new ReadModelHealing(path, {
      ...options,
      heals,
      checksFile,
      open: (openingWaitMs) => new OpenReadModels(path, { readOnly, checkpointThread, openingWaitMs, write }),
      condemn: (error) => this.#condemn(error),
      progressOf: (projections) => this.progressOf(projections),
    });
    const threads = {
      startsThreads,
      onDamage: (damage: Damage): void => this.#healing.begunAnew(damage),
    };
    this.resultCache = openCachedResults(`${path}-results`, threads);
    this.snapshots = new SqliteSnapshots(`${path}-snapshots`, threads);
  }

  async prepare(projections: readonly ProjectionSchema[]): Promise<void> {
    this.#healing.add(projections);
    await this.#prepare(projections, projections.length);
    if (this.#comparesTallies) await settlesWithin(this.#compareTallies(), COMPARE_WITHIN_MS);
  }

  progress(projection: string): Promise<ProjectionProgress> {
    return this.#use(({ generations }) => generations.progress(projection));
  }

  progressOf(projections: readonly string[]): Promise<readonly ProjectionProgress[]> {
    return this.#use(({ db, generations }) =>
      db.transaction(() => projections.map((name) => generations.progress(name)))(),
    );
  }

  startGenerations(schemas: readonly ProjectionSchema[], storeId: string): Promise<readonly Generation[]> {
    return this.#use((file) => {
      file.learn(schemas);
      return file.tables.start(schemas, storeId);
    });
  }

  /** All tables of a generation that is not retired are there, and nothing is written to another. */
  commit(batches: readonly ProjectionBatch[]): Promise<'committed' | 'superseded'> {
    return this.#use(async (file) => {
      const size = batches.reduce((sum, { writes }) => sum + writes.length, 0);
      if (size >= BULK) return file.bulk.commit(batches);
      file.commits ??= new SqliteCommits(file.db);
      const { commits } = file;
      try {
        return await this.#write(file, (rollback) => commits.land(batches) ?? rollback('superseded'));
      } catch (error) {
        commits.discard();
        throw error;
      }
    }, isDamageOrLack);
  }

  makeIndexes(generations: readonly Generation[]): Promise<void> {
    return this.#use(({ tables }) => tables.makeIndexes(generations));
  }

  promote(
    generations: readonly Generation[],
    { allowBehind = false }: { readonly allowBehind?: boolean } = {},
  ): Promise<readonly PromotionOutcome[]> {
    return this.#use(({ tables }) => tables.promote(generations, allowBehind));
  }

  compare(...[built, comparedIn]: Parameters<ComparesGenerations['compare']>) {
    return this.#use(async (file) => {
      const db = file.connect({ readonly: true, timeout: 5_000 });
      try {
        return await compareGenerations(db, built, comparedIn);
      } finally {
        db.close();
      }
    });
  }

  viewOf<T>(generation: Generation, read: (view: ReadView) => Promise<T>): Promise<T> {
    return this.#use((file) => read(file.views.get(generation.number) ?? file.openView(generation)));
  }

  /** Only a snapshot has all tables that it looks for: those of a generation that is not live may be dropped. */
  snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T> {
    return this.#use(async (file) => {
      if (this.#healing.isEmpty) await this.#healing.requireBuilt(file);
      return file.snapshots.snapshot(read);
    }, isDamageOrLack);
  }

  acquireLease(request: LeaseRequest): Promise<Lease | null> {
    return this.#use((file) => this.#write(file, () => file.leases.acquire(request)));
  }

  releaseLease(name: string, holder: string): Promise<void> {
    return this.#use((file) => this.#write(file, () => file.leases.release(name, holder)));
  }

  leases(): Promise<readonly Lease[]> {
    return this.#use(({ leases }) => leases.current());
  }

  lapsedLeases(): Promise<readonly Lease[]> {
    return this.#use(({ leases }) => leases.lapsed());
  }

  /** Reads the files beside the read models, too. What is damaged there is begun anew at once. */
  scrub(): AsyncIterable<ScrubStep> {
    return this.#healing.scrub([
      { end: '-results', scrub: (repairs) => this.resultCache.scrub(repairs) },
      { end: '-snapshots', scrub: (repairs) => this.snapshots.scrub(repairs) },
    ]);
  }

  async close(): Promise<void> {
    await Promise.all([this.resultCache.close(), this.snapshots.close(), this.#healing.close()]);
  }

  /** Works with the file that has the name now. What fails may be healed, but is not repeated. */
  async #use<T>(
    work: (file: OpenReadModels) => T | Promise<T>,
    isDamaged: (error: unknown) => boolean = isDamage,
  ): Promise<T> {
    if (this.#healing.beforeUse) await this.#healing.beforeUse();
    const file = this.#healing.current;
    try {
      return await work(file);
    } catch (error) {
      throw await this.#healing.failed(unavailable(error), file, isDamaged);
    }
  }

  /** Runs one immediate transaction when no large commit is under way. `rollback` undoes it and still returns a value. */
  #write<T>(file: OpenReadModels, work: (rollback: (result: T) => T) => T): Promise<T> {
    const run = (): T => inTransaction(file, work);
    return whenUnlocked(
      () => (file.bulk.pending.length > 0 ? file.bulk.runWhenIdle(run) : run()),
      WRITE_WITHIN_MS,
    );
  }

  /** `damaged`: how many generations may be found damaged meanwhile. They are condemned, and left out when it tries again. */
  async #prepare(projections: readonly ProjectionSchema[], damaged: number): Promise<void> {
    try {
      await this.#use((file) => file.prepare(projections), isDamageOrLack);
    } catch (error) {
      // The file that has replaced a damaged one is prepared already.
      if (this.#healing.isEmpty) return;
      if (!(error instanceof DamagedGenerationError) || damaged === 0) throw error;
      await this.#prepare(projections, damaged - 1);
    }
  }

  /** A comparison that fails is repeated by the next scrub. */
  async #compareTallies(): Promise<void> {
    const damaged = await this.#use((file) => file.audit()).catch(() => []);
    for (const error of damaged) await this.#healing.found(error);
  }

  /** Makes the projector build the projection anew: this generation is of no version of the code. */
  async #condemn({ generation, extent }: DamagedGenerationError): Promise<void> {
    const file = this.#healing.current;
    if (!file.readOnly) return this.#write(file, () => file.generations.condemn(generation, extent));
    await whenUnlocked(() => {
      const db = file.connect({ timeout: NO_WAIT_MS });
      try {
        new SqliteGenerations(db).condemn(generation, extent);
      } finally {
        db.close();
      }
    }, WRITE_WITHIN_MS);
  }
}

const inTransaction = <T>({ db }: OpenReadModels, work: (rollback: (result: T) => T) => T): T => {
  try {
    db.exec('BEGIN IMMEDIATE');
    try {
      let undone = false;
      const result = work((value) => {
        undone = true;
        return value;
      });
      db.exec(undone ? 'ROLLBACK' : 'COMMIT');
      return result;
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK');
    }
  } catch (error) {
    throw unavailable(error);
  }
};
