/**
 * Has damaged generations built anew: it condemns them, so that the projector finds them outdated, and tells when every
 * projection is live again.
 */
import type { Damage, ScrubStep } from '../integrity/damage.js';
import { DamagedGenerationError } from './damaged-generation.js';
import type { ProjectionProgress, ProjectionSchema } from './read-model-store.js';

const LOOK_EVERY_MS = 250;

/** A start waits so long for the comparison of all tallies: about 1 GB. The rest is compared while the server serves. */
export const COMPARE_WITHIN_MS = 3_000;

/** What the owner of a read-model store wants to hear. */
export interface HealingListener {
  /** Called when this process has found damage, or learns that another one has replaced what was damaged. */
  readonly onDamage?: (damage: Damage) => void;
  /** Called when every projection is live again after that. */
  readonly onHealed?: () => void;
}

export interface GenerationHealingOptions extends HealingListener {
  /** Whether damaged generations are condemned. */
  readonly heals: boolean;
  readonly condemn: (error: DamagedGenerationError) => Promise<void>;
  readonly progressOf: (projections: readonly string[]) => Promise<readonly ProjectionProgress[]>;
}

/** A step of a scrub, with the generations that it found damaged. */
export interface GenerationScrubStep extends Omit<ScrubStep, 'damages'> {
  readonly damaged: readonly DamagedGenerationError[];
}

export class GenerationHealing {
  readonly #options: GenerationHealingOptions;
  readonly #looking: NodeJS.Timeout;
  #schemas: readonly ProjectionSchema[] = [];
  /** Whether damage was found, and not every projection has been built since. */
  #isHurt = false;

  constructor(options: GenerationHealingOptions) {
    this.#options = options;
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  get isHurt(): boolean {
    return this.#isHurt;
  }

  get schemas(): readonly ProjectionSchema[] {
    return this.#schemas;
  }

  add(schemas: readonly ProjectionSchema[]): void {
    this.#schemas = [...this.#schemas, ...schemas];
  }

  /** Runs the work. Condemns the generation that it finds damaged. */
  async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DamagedGenerationError) await this.found(error);
      throw error;
    }
  }

  async found(error: DamagedGenerationError): Promise<void> {
    if (!this.#options.heals) return;
    await this.#options.condemn(error);
    this.hurt(error.damage);
  }

  hurt(damage: Damage): void {
    this.#isHurt = true;
    this.#options.onDamage?.(damage);
  }

  /** Condemns what a scrub finds damaged. */
  async *scrub(steps: AsyncIterable<GenerationScrubStep>): AsyncIterable<ScrubStep> {
    for await (const { damaged, ...step } of steps) {
      for (const error of damaged) await this.found(error);
      yield { ...step, damages: damaged.map(({ damage }) => damage) };
    }
  }

  close(): void {
    clearInterval(this.#looking);
  }

  #look(): void {
    if (this.#isHurt) void this.#lookWhetherHealed().catch(() => undefined);
  }

  async #lookWhetherHealed(): Promise<void> {
    const all = await this.#options.progressOf(this.#schemas.map(({ name }) => name));
    if (!this.#isHurt || !all.every(({ live }, at) => live?.version === this.#schemas[at]?.version)) return;
    this.#isHurt = false;
    this.#options.onHealed?.();
  }
}
