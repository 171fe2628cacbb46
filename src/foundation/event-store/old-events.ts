/**
 * Events from before checksums, in a store that gives them theirs. What was changed in them before that cannot be told from the
 * events alone. So the read models that were built from them are compared with a replay first.
 */
import type { Damage } from '../integrity/damage.js';
import type { Position } from './event-store.js';

export interface OldEvents {
  /** The last event that waits for the comparison. Null: there is none, or they were compared. */
  uncomparedUpTo(): Promise<Position | null>;
  /**
   * Ends the comparison. Without differences the events get their checksums. With some they get none, and a scrub names the
   * differences until the comparison is ended again without any.
   */
  markCompared(differences: readonly Damage[]): Promise<void>;
}

export const hasOldEvents = <T extends object>(store: T): store is T & OldEvents =>
  'uncomparedUpTo' in store && 'markCompared' in store;
