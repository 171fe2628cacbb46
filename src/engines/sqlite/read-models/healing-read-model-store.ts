/**
 * Read models in a SQLite file that heals. A generation with content that is not what was written is built anew beside the
 * others. When SQLite itself finds damage, the file is moved aside and the projector rebuilds all from the events, in an
 * empty one. Meanwhile every read fails with a ReadModelUnavailableError, so clients get a 503 and never less than there was. Other threads
 * and processes that have the damaged file open notice that its name belongs to another one, and follow.
 */
import { statSync } from 'node:fs';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { settlesWithin } from '../../../foundation/basics/settles-within.js';
import { StoreUnavailableError } from '../../../foundation/basics/store-unavailable.js';
import type { Damage, ScrubStep, Verifiable } from '../../../foundation/integrity/damage.js';
import { DamagedGenerationError, REBUILDING } from '../../../foundation/read-models/damaged-generation.js';
import {
  COMPARE_WITHIN_MS,
  GenerationHealing,
  type HealingListener,
} from '../../../foundation/read-models/generation-healing.js';
import {
  type ComparesGenerations,
  type ProjectionSchema,
  type ReadModelStore,
  ReadModelUnavailableError,
  type ReadView,
} from '../../../foundation/read-models/read-model-store.js';
import { faultIn } from '../database-file.js';
import { NO_WAIT_MS, OPENING_WAIT_MS, whenUnlocked } from '../locks.js';
import { DamagedFileError, identityOf, isDamage, isDamageOrLack } from '../replaceable-file.js';
import { replaceReadModelFile } from './sqlite-read-model-file.js';
import { type SqliteReadModelOptions, SqliteReadModelStore } from './sqlite-read-model-store.js';
import { SqliteSnapshots } from './sqlite-snapshots.js';
import { openCachedResults, type ThreadedCachedResults } from './threaded-cached-results.js';

const LOOK_EVERY_MS = 250;
/** For the lock of another process, which may just replace the file. */
const HEAL_WITHIN_MS = 5_000;

export interface HealingOptions extends SqliteReadModelOptions, HealingListener {
  /** Whether a damaged file is replaced. Default: unless it is opened read-only. */
  readonly heals?: boolean;
  /** Whether the engine checks the whole file first, up to 64 MB of it: half a second at most. */
  readonly checksFile?: boolean;
  /** Whether `prepare` compares all tallies with what is there. */
  readonly comparesTallies?: boolean;
  /** Starts the threads for snapshots and for cached results now. Default: with the first of them. */
  readonly startsThreads?: boolean;
}

export class HealingReadModelStore implements ReadModelStore, ComparesGenerations, Verifiable {
  readonly store = 'read-models';
  readonly isRemote = false;
  readonly resultCache: ThreadedCachedResults;
  readonly snapshots: SqliteSnapshots;
  readonly #path: string;
  readonly #options: HealingOptions;
  readonly #heals: boolean;
  readonly #looking: NodeJS.Timeout;
  readonly #healing: GenerationHealing;
  #current: SqliteReadModelStore;
  /** Whether reads fail until every projection is live. */
  #isEmpty = false;
  #isReplaced = false;
  /** Another file, or another connection, takes the place of the present one. */
  #replacing: Promise<void> | null = null;
  /** Whether damage was found in the files beside the read models, and not every file was found sound since. */
  #hasBegunAnew = false;

  /** Throws ReadModelUnavailableError when the file cannot be opened. */
  constructor(path: string, options: HealingOptions = {}) {
    this.#path = path;
    this.#options = options;
    this.#heals = options.heals ?? options.readOnly !== true;
    this.#healing = new GenerationHealing({
      ...options,
      heals: this.#heals,
      condemn: (error) => this.#current.condemn(error),
      progressOf: (projections) => this.progressOf(projections),
    });
    this.#current = this.#openHealed();
    const threads = {
      startsThreads: options.startsThreads ?? false,
      onDamage: (damage: Damage): void => this.#begunAnew(damage),
    };
    this.resultCache = openCachedResults(`${path}-results`, threads);
    this.snapshots = new SqliteSnapshots(`${path}-snapshots`, threads);
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  async prepare(projections: readonly ProjectionSchema[]): Promise<void> {
    this.#healing.add(projections);
    await this.#prepare(projections, projections.length);
    if (this.#options.comparesTallies) await settlesWithin(this.#compareTallies(), COMPARE_WITHIN_MS);
  }

  /** `damaged`: how many generations may be found damaged meanwhile. They are condemned, and left out when it tries again. */
  async #prepare(projections: readonly ProjectionSchema[], damaged: number): Promise<void> {
    try {
      await this.#use((store) => store.prepare(projections), isDamageOrLack);
    } catch (error) {
      // The file that has replaced a damaged one is prepared already.
      if (this.#isEmpty) return;
      if (!(error instanceof DamagedGenerationError) || damaged === 0) throw error;
      await this.#prepare(projections, damaged - 1);
    }
  }

  readonly progress: ReadModelStore['progress'] = (projection) =>
    this.#use((store) => store.progress(projection));

  readonly progressOf: ReadModelStore['progressOf'] = (projections) =>
    this.#use((store) => store.progressOf(projections));

  readonly startGenerations: ReadModelStore['startGenerations'] = (schemas, storeId) =>
    this.#use((store) => store.startGenerations(schemas, storeId));

  readonly commit: ReadModelStore['commit'] = (batches) => this.#use((store) => store.commit(batches));

  readonly makeIndexes: ReadModelStore['makeIndexes'] = (generations) =>
    this.#use((store) => store.makeIndexes(generations));

  readonly promote: ReadModelStore['promote'] = (generations, options) =>
    this.#use((store) => store.promote(generations, options));

  readonly compare: ComparesGenerations['compare'] = (built, comparedIn) =>
    this.#use((store) => store.compare(built, comparedIn));

  readonly viewOf: ReadModelStore['viewOf'] = (generation, read) =>
    this.#use((store) => store.viewOf(generation, read));

  snapshot<T>(read: (view: ReadView) => Promise<T>): Promise<T> {
    return this.#use(async (store) => {
      if (this.#isEmpty) await this.#requireBuilt(store);
      return store.snapshot(read);
    }, isDamageOrLack);
  }

  readonly acquireLease: ReadModelStore['acquireLease'] = (request) =>
    this.#use((store) => store.acquireLease(request));

  readonly releaseLease: ReadModelStore['releaseLease'] = (name, holder) =>
    this.#use((store) => store.releaseLease(name, holder));

  readonly leases: ReadModelStore['leases'] = () => this.#use((store) => store.leases());

  readonly lapsedLeases: ReadModelStore['lapsedLeases'] = () => this.#use((store) => store.lapsedLeases());

  /** Reads the files beside the read models, too. What is damaged there is begun anew at once. */
  async *scrub(): AsyncGenerator<ScrubStep, void, undefined> {
    const files = this.#scrubbedFiles();
    const total = Math.max(
      1,
      files.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    let done = 0;
    let isSound = true;
    for (const { bytes, steps, isDisposable } of files) {
      for await (const step of steps) {
        isSound &&= step.damages.length === 0;
        this.#hasBegunAnew ||= isDisposable && step.damages.length > 0;
        yield { ...step, progress: (done + bytes * (step.progress ?? 0)) / total };
      }
      done += bytes;
    }
    if (!isSound || !this.#hasBegunAnew || this.#healing.isHurt) return;
    this.#hasBegunAnew = false;
    this.#options.onHealed?.();
  }

  async close(): Promise<void> {
    clearInterval(this.#looking);
    this.#healing.close();
    await Promise.all([this.resultCache.close(), this.snapshots.close(), this.#current.close()]);
  }

  /** Only a snapshot has all tables that it looks for: those of a generation that is not live may be dropped. */
  async #use<T>(
    work: (store: SqliteReadModelStore) => Promise<T>,
    isDamaged: (error: unknown) => boolean = isDamage,
  ): Promise<T> {
    if (this.#isReplaced) await this.#replace(() => this.#reopen());
    else if (this.#replacing) await this.#replacing;
    const store = this.#current;
    try {
      return await work(store);
    } catch (error) {
      if (store === this.#current) {
        if (error instanceof DamagedGenerationError) await this.#healing.found(error);
        else if (this.#heals && isDamaged(error)) await this.#replace(() => this.#heal(error));
      }
      throw isDamaged(error) && !(error instanceof StoreUnavailableError)
        ? new ReadModelUnavailableError(`the read models are damaged: ${messageOf(error)}`, { cause: error })
        : error;
    }
  }

  /** A comparison that fails is repeated by the next scrub. */
  async #compareTallies(): Promise<void> {
    const damaged = await this.#use((store) => store.audit()).catch(() => []);
    for (const error of damaged) await this.#healing.found(error);
  }

  /** Runs `work`, or joins what runs: all that have met the same damage want the same. */
  #replace(work: () => Promise<void>): Promise<void> {
    this.#replacing ??= work().finally(() => {
      this.#replacing = null;
    });
    return this.#replacing;
  }

  async #heal(error: unknown): Promise<void> {
    const aside = await whenUnlocked(
      () => replaceReadModelFile(this.#path, this.#current.identity, NO_WAIT_MS),
      HEAL_WITHIN_MS,
    );
    if (aside === null && identityOf(this.#path) === this.#current.identity) return;
    await this.#reopen(aside === null ? null : `${messageOf(error)}; it was moved to ${aside}`);
  }

  /** `reason`: null when another thread or process has replaced the file. */
  async #reopen(reason: string | null = null): Promise<void> {
    this.#isReplaced = false;
    const old = this.#current;
    const options = { ...this.#options, openingWaitMs: NO_WAIT_MS };
    this.#current = await whenUnlocked(() => new SqliteReadModelStore(this.#path, options), HEAL_WITHIN_MS);
    this.#report(reason ?? 'it was damaged, and another thread or process has moved it aside');
    // Statements that run there still have to end first.
    void old.close().catch(() => undefined);
    await this.#current.prepare(this.#healing.schemas);
  }

  #openHealed(): SqliteReadModelStore {
    const identity = identityOf(this.#path);
    try {
      if (this.#options.checksFile && identity !== null) requireSound(this.#path);
      return new SqliteReadModelStore(this.#path, this.#options);
    } catch (error) {
      if (!this.#heals || !isDamageOrLack(error)) throw error;
      const aside = replaceReadModelFile(this.#path, identity, OPENING_WAIT_MS);
      if (aside === null && identityOf(this.#path) === identity) throw error;
      const store = new SqliteReadModelStore(this.#path, this.#options);
      this.#report(`${messageOf(error)}; it was moved to ${aside}`);
      return store;
    }
  }

  #scrubbedFiles() {
    const repairs = this.#heals;
    const file = (end: string, steps: AsyncIterable<ScrubStep> | Iterable<ScrubStep>) => ({
      bytes: statSync(this.#path + end, { throwIfNoEntry: false })?.size ?? 0,
      steps,
      isDisposable: end !== '',
    });
    return [
      file('', this.#scrubGenerations()),
      file('-results', this.resultCache.scrub({ repairs })),
      file('-snapshots', this.snapshots.scrub({ repairs })),
    ];
  }

  async *#scrubGenerations(): AsyncIterable<ScrubStep> {
    const store = this.#current;
    try {
      yield* this.#healing.scrub(store.scrub());
    } catch (error) {
      if (this.#heals && store === this.#current && isDamage(error))
        await this.#replace(() => this.#heal(error));
      throw error;
    }
  }

  #begunAnew(damage: Damage): void {
    this.#hasBegunAnew = true;
    this.#options.onDamage?.(damage);
  }

  #report(reason: string): void {
    this.#isEmpty = true;
    this.#healing.hurt({ store: 'read-models', place: `file ${this.#path}`, reason });
  }

  /** Projections become live one after another, and a read may need several. */
  async #requireBuilt(store: SqliteReadModelStore): Promise<void> {
    const all = await store.progressOf(this.#healing.schemas.map(({ name }) => name));
    if (!all.every(({ live }) => live !== null)) throw new ReadModelUnavailableError(REBUILDING);
    this.#isEmpty = false;
  }

  #look(): void {
    const identity = identityOf(this.#path);
    this.#isReplaced = identity !== null && identity !== this.#current.identity;
  }
}

const requireSound = (path: string): void => {
  const fault = faultIn(path);
  if (fault !== null) throw new DamagedFileError(`${path} is damaged: ${fault}`);
};
