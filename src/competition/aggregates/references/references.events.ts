/** The event of the reference records of a space. The names of their holders are personal data, so events have ids for them. */
import type { EventKinds } from '../../../domain/decider.js';
import type { ReferenceKey, ReferenceRecord } from '../../../domain/reference-records.js';
import type { StreamCategory } from '../../../domain/streams.js';

/** By the space's slug. */
export const referencesStream: StreamCategory<string> = { name: 'references', id: 'text' };

export interface ReferencesEvent {
  readonly type: 'ReferencesReplaced';
  readonly data: {
    readonly removed: readonly ReferenceKey[];
    /** New ones, and those with another value or holder, which take the place of the one with their key. */
    readonly added: readonly ReferenceRecord[];
  };
}

export const referencesEvents: EventKinds<ReferencesEvent> = { ReferencesReplaced: 'control' };
