/** A generation of read models that has to be built anew: content of it is not what was written, or its events were lost. */
import { StoreDamagedError } from '../integrity/damage.js';
import type { Generation } from './read-model-store.js';

/**
 * `document`: that document alone cannot be read, and all others are whole. `generation`: documents may be missing or out
 * of their place, so nothing of the generation is read until it is built anew.
 */
export type DamageExtent = 'document' | 'generation';

export interface DamageOfGeneration {
  readonly generation: number;
  /** As an operator can find it: `collection results, document 12`. */
  readonly place: string;
  readonly reason: string;
  readonly extent: DamageExtent;
}

/** A read, a write or a check met damage in a generation. */
export class DamagedGenerationError extends StoreDamagedError {
  readonly generation: number;
  readonly extent: DamageExtent;

  constructor(readonly found: DamageOfGeneration) {
    super({ store: 'read-models', place: found.place, reason: found.reason });
    this.generation = found.generation;
    this.extent = found.extent;
  }
}

/** Of a generation with this version nothing is read. */
export const UNREADABLE_VERSION = -1;

/** The version that a damaged generation gets: no code has it, so the projector builds the projection anew. */
export const condemnedVersion = (extent: DamageExtent): number =>
  extent === 'document' ? 0 : UNREADABLE_VERSION;

export const isUnreadable = ({ version }: Pick<Generation, 'version'>): boolean => version < 0;

/** The reply to reads of a generation of which nothing can be read. */
export const REBUILDING = 'the read models are rebuilt from the events';
