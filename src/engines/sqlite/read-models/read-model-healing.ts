/**
 * Heals read models. A generation with content that is not what was written is built anew beside the others. When SQLite itself
 * finds damage, the file is moved aside and the projector rebuilds all from the events, in an empty one. Other threads
 * and processes that have the damaged file open notice that its name belongs to another one, and follow.
 */
import { statSync } from 'node:fs';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { StoreUnavailableError } from '../../../foundation/basics/store-unavailable.js';
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import { DamagedGenerationError, REBUILDING } from '../../../foundation/read-models/damaged-generation.js';
import {
  GenerationHealing,
  type GenerationHealingOptions,
  type GenerationScrubStep,
} from '../../../foundation/read-models/generation-healing.js';
import {
  type ProjectionSchema,
  ReadModelUnavailableError,
} from '../../../foundation/read-models/read-model-store.js';
import { faultIn } from '../database-file.js';
import { NO_WAIT_MS, OPENING_WAIT_MS, whenUnlocked } from '../locks.js';
import { DamagedFileError, identityOf, isDamage, isDamageOrLack } from '../replaceable-file.js';
import type { OpenReadModels } from './open-read-models.js';
import { replaceReadModelFile } from './sqlite-read-model-file.js';
import { scrubReadModels } from './sqlite-read-model-scrub.js';

const LOOK_EVERY_MS = 250;
/** For the lock of another process, which may just replace the file. */
const HEAL_WITHIN_MS = 5_000;

export interface ReadModelHealingOptions extends GenerationHealingOptions {
  /** Whether the engine checks the whole file first. */
  readonly checksFile: boolean;
  /** Opens the file that has the name. `waitMs`: for the lock of another process. */
  readonly open: (waitMs: number) => OpenReadModels;
}

/** A file beside the read models, which is begun anew when it is damaged. */
interface FileBeside {
  /** Of its name, behind that of the read models. */
  readonly end: string;
  readonly scrub: (how: { readonly repairs: boolean }) => AsyncIterable<ScrubStep> | Iterable<ScrubStep>;
}

export class ReadModelHealing {
  /** The file to work with. */
  current: OpenReadModels;
  /** Call it before the use of `current`: another file takes its place. Null: none does. */
  beforeUse: (() => Promise<void>) | null = null;
  /** Whether reads fail until every projection is live. */
  isEmpty = false;
  readonly #path: string;
  readonly #options: ReadModelHealingOptions;
  readonly #generations: GenerationHealing;
  readonly #looking: NodeJS.Timeout;
  /** Another file, or another connection, takes the place of the present one. */
  #replacing: Promise<void> | null = null;
  #isClosed = false;
  /** Whether damage was found in the files beside the read models, and not every file was found sound since. */
  #hasBegunAnew = false;

  /** Throws ReadModelUnavailableError when the file cannot be opened. */
  constructor(path: string, options: ReadModelHealingOptions) {
    this.#path = path;
    this.#options = options;
    this.#generations = new GenerationHealing(options);
    this.current = this.#openHealed();
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  add(projections: readonly ProjectionSchema[]): void {
    this.#generations.add(projections);
  }

  /** Heals what has failed for damage. Returns the error to throw. */
  async failed(
    error: unknown,
    file: OpenReadModels,
    isDamaged: (error: unknown) => boolean,
  ): Promise<unknown> {
    if (file === this.current) {
      if (error instanceof DamagedGenerationError) await this.found(error);
      else if (this.#options.heals && isDamaged(error)) await this.#replace(() => this.#heal(error));
    }
    return isDamaged(error) && !(error instanceof StoreUnavailableError)
      ? new ReadModelUnavailableError(`the read models are damaged: ${messageOf(error)}`, { cause: error })
      : error;
  }

  found(error: DamagedGenerationError): Promise<void> {
    return this.#generations.found(error);
  }

  /** Damage was found in a file beside the read models, which was begun anew. */
  begunAnew(damage: Damage): void {
    this.#hasBegunAnew = true;
    this.#options.onDamage?.(damage);
  }

  /** Projections become live one after another, and a read may need several. */
  async requireBuilt({ generations }: OpenReadModels): Promise<void> {
    const isBuilt = this.#generations.schemas.every(({ name }) => generations.progress(name).live !== null);
    if (!isBuilt) throw new ReadModelUnavailableError(REBUILDING);
    this.isEmpty = false;
  }

  /** Reads all generations, then the files beside them. */
  async *scrub(beside: readonly FileBeside[]): AsyncGenerator<ScrubStep, void, undefined> {
    const files = [{ end: '', scrub: () => this.#scrubGenerations() }, ...beside].map(({ end, scrub }) => ({
      bytes: statSync(this.#path + end, { throwIfNoEntry: false })?.size ?? 0,
      steps: scrub({ repairs: this.#options.heals }),
      isDisposable: end !== '',
    }));
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
    if (!isSound || !this.#hasBegunAnew || this.#generations.isHurt) return;
    this.#hasBegunAnew = false;
    this.#options.onHealed?.();
  }

  /** Waits for a replacement under way, and closes the file that it has opened. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    this.#generations.close();
    await this.#replacing?.catch(() => undefined);
    await this.current.close();
  }

  /** Runs `work`, or joins what runs: all that have met the same damage want the same. */
  async #replace(work: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return;
    this.#replacing ??= work().finally(() => {
      this.#replacing = null;
      this.beforeUse = null;
    });
    const replacing = this.#replacing;
    this.beforeUse = () => replacing;
    return replacing;
  }

  async #heal(error: unknown): Promise<void> {
    const aside = await whenUnlocked(
      () => replaceReadModelFile(this.#path, this.current.identity, NO_WAIT_MS),
      HEAL_WITHIN_MS,
    );
    if (aside === null && identityOf(this.#path) === this.current.identity) return;
    await this.#reopen(aside === null ? null : `${messageOf(error)}; it was moved to ${aside}`);
  }

  /** `reason`: null when another thread or process has replaced the file. */
  async #reopen(reason: string | null = null): Promise<void> {
    const old = this.current;
    this.current = await whenUnlocked(() => this.#options.open(NO_WAIT_MS), HEAL_WITHIN_MS);
    this.#report(reason ?? 'it was damaged, and another thread or process has moved it aside');
    // Statements that run there still have to end first.
    void old.close().catch(() => undefined);
    await this.current.prepare(this.#generations.schemas);
  }

  #openHealed(): OpenReadModels {
    const identity = identityOf(this.#path);
    try {
      if (this.#options.checksFile && identity !== null) requireSound(this.#path);
      return this.#options.open(OPENING_WAIT_MS);
    } catch (error) {
      if (!this.#options.heals || !isDamageOrLack(error)) throw error;
      const aside = replaceReadModelFile(this.#path, identity, OPENING_WAIT_MS);
      if (aside === null && identityOf(this.#path) === identity) throw error;
      const opened = this.#options.open(OPENING_WAIT_MS);
      this.#report(`${messageOf(error)}; it was moved to ${aside}`);
      return opened;
    }
  }

  async *#scrubGenerations(): AsyncIterable<ScrubStep> {
    const file = this.current;
    try {
      yield* this.#generations.scrub(scrubFile(file));
    } catch (error) {
      if (this.#options.heals && file === this.current && isDamage(error))
        await this.#replace(() => this.#heal(error));
      throw error;
    }
  }

  #report(reason: string): void {
    this.isEmpty = true;
    this.#generations.hurt({ store: 'read-models', place: `file ${this.#path}`, reason });
  }

  #look(): void {
    if (this.#replacing) return;
    const identity = identityOf(this.#path);
    const isReplaced = identity !== null && identity !== this.current.identity;
    this.beforeUse = isReplaced ? () => this.#replace(() => this.#reopen()) : null;
  }
}

async function* scrubFile(file: OpenReadModels): AsyncIterable<GenerationScrubStep> {
  yield { checked: 0, unverified: 0, damaged: await file.audit() };
  yield* scrubReadModels(file.db);
}

const requireSound = (path: string): void => {
  const fault = faultIn(path);
  if (fault !== null) throw new DamagedFileError(`${path} is damaged: ${fault}`);
};
