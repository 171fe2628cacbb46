/**
 * Damage: content that is not what was written. Every store that keeps checksums names it in this form, whether it was
 * met by a read, by the scrub in the background or by `podium verify`.
 */
import { StoreUnavailableError } from '../basics/store-unavailable.js';

export const DAMAGED_STORES = ['events', 'operational', 'read-models', 'logs'] as const;
export type DamagedStore = (typeof DAMAGED_STORES)[number];

export interface Damage {
  readonly store: DamagedStore;
  /** Where it is, as an operator can find it: `stream podium/round/…, revision 3`, `collection results`. */
  readonly place: string;
  /** What is wrong there, as one sentence. Never the content itself. */
  readonly reason: string;
}

/** What a part of a scrub has found. */
export interface ScrubStep {
  /** Events or rows that were read in this step. */
  readonly checked: number;
  /** Of these, the ones from before checksums. */
  readonly unverified: number;
  /** The place in the store up to which content has no checksums, where that is one. */
  readonly unverifiedBefore?: number;
  readonly damages: readonly Damage[];
  /** How far the scrub has come, from 0 to 1, where the store knows it. */
  readonly progress?: number;
}

/** A store that can read all of its content and compare it with the checksums. */
export interface Verifiable {
  readonly store: DamagedStore;
  /** Yields after each few hundred rows, so that the caller can rest, report progress, or stop. */
  scrub(): AsyncIterable<ScrubStep>;
}

export const isVerifiable = <T extends object>(store: T): store is T & Verifiable =>
  'scrub' in store && 'store' in store;

/** Example: `events, stream podium/round/default/a/333/1, revision 3: its checksum does not fit`. */
export const describeDamage = ({ store, place, reason }: Damage): string => `${store}, ${place}: ${reason}`;

/** A read met damage. What was damaged is not answered, decided on or projected. */
export class StoreDamagedError extends StoreUnavailableError {
  constructor(
    readonly damage: Damage,
    options?: ErrorOptions,
  ) {
    super(describeDamage(damage), options);
  }
}
