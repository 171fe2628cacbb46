/**
 * What is done about damage: a generation with damaged rows is condemned, so that the projector builds it anew; a log that is
 * damaged begins anew, and with it every projection.
 */
import type { ScrubStep } from '../../../foundation/integrity/damage.js';
import {
  condemnedVersion,
  type DamagedGenerationError,
} from '../../../foundation/read-models/damaged-generation.js';
import {
  GenerationHealing,
  type HealingListener,
} from '../../../foundation/read-models/generation-healing.js';
import type { ProjectionSchemas } from '../../../foundation/read-models/projection-schemas.js';
import type {
  ProjectionProgress,
  ProjectionSchema,
} from '../../../foundation/read-models/read-model-store.js';
import type { MongoConnection } from '../mongo-connection.js';
import { condemned, stateOf } from './bookkeeping.js';
import { DamagedLogError, type DecisionLog, NOTHING_WRITTEN } from './log.js';
import { ReadModelScrub } from './scrub.js';

export interface DamageGuardOptions extends HealingListener {
  readonly connection: MongoConnection;
  readonly log: DecisionLog;
  readonly schemas: ProjectionSchemas;
  /** Whether damaged generations are condemned. */
  readonly heals: boolean;
  /** Whether a scrub gives rows of older code their checksums. */
  readonly stamps: boolean;
  readonly progressOf: (projections: readonly string[]) => Promise<readonly ProjectionProgress[]>;
}

export class DamageGuard {
  readonly #options: DamageGuardOptions;
  readonly #healing: GenerationHealing;
  readonly #scrub: ReadModelScrub;

  constructor(options: DamageGuardOptions) {
    this.#options = options;
    this.#healing = new GenerationHealing({ ...options, condemn: (error) => this.#condemn(error) });
    this.#scrub = new ReadModelScrub(options);
  }

  add(schemas: readonly ProjectionSchema[]): void {
    this.#healing.add(schemas);
  }

  /** Runs the work. Maps an outage to the store's error, and condemns what turns out to be damaged. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#runOnce(work);
    } catch (error) {
      if (!(error instanceof DamagedLogError) || !this.#options.heals) throw error;
      await this.#beginAnew(error);
      return this.#runOnce(work);
    }
  }

  found(error: DamagedGenerationError): Promise<void> {
    return this.#healing.found(error);
  }

  scrub(): AsyncIterable<ScrubStep> {
    return this.#healing.scrub(this.#scrub.steps());
  }

  /** A comparison that fails is repeated by the next scrub. */
  async compareTallies(): Promise<void> {
    const damaged = await this.run(() => this.#scrub.compare()).catch(() => []);
    for (const error of damaged) await this.found(error);
  }

  close(): void {
    this.#healing.close();
  }

  #runOnce<T>(work: () => Promise<T>): Promise<T> {
    return this.#healing.guarded(() => this.#options.connection.guarded(work));
  }

  async #condemn({ generation, extent }: DamagedGenerationError): Promise<void> {
    const { log } = this.#options;
    for (;;) {
      const { books } = await log.head();
      const state = stateOf(books, generation);
      if (!state || state.version <= condemnedVersion(extent)) return;
      if (await log.append({ ...condemned(books, generation, extent), ...NOTHING_WRITTEN })) return;
    }
  }

  async #beginAnew({ damage }: DamagedLogError): Promise<void> {
    const { connection, log, schemas } = this.#options;
    if (await connection.guarded(() => log.beginAnew(schemas.names))) this.#healing.hurt(damage);
  }
}
