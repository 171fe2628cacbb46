/**
 * The events of a person. Names and association ids are personal data, so only the operational store has them. Events
 * carry the id, the fact that the profile changed, and the dated timeline of regions.
 */
import type { EventKinds } from '../../../domain/decider.js';
import type { KnownBest } from '../../../domain/known-bests.js';
import type { StreamCategory } from '../../../domain/streams.js';

export const personStream: StreamCategory<number> = { name: 'person', id: 'number' };

/**
 * From this date on (null: from the beginning) the person represents `regionCode` (null: not known). Ascending by
 * `from`.
 */
export interface RegionPeriod {
  /** YYYY-MM-DD */
  readonly from: string | null;
  /** ISO 3166-1 alpha-2 */
  readonly regionCode: string | null;
}

export type PersonEvent =
  | {
      readonly type: 'PersonRegistered';
      readonly data: {
        readonly personId: number;
        readonly spaceId: string;
        readonly timeline: readonly RegionPeriod[];
      };
    }
  | { readonly type: 'PersonProfileChanged'; readonly data: Record<string, never> }
  /** The region changes from a date on. Earlier results keep their region. */
  | {
      readonly type: 'PersonMoved';
      readonly data: { readonly from: string; readonly regionCode: string | null };
    }
  /** Corrects the whole timeline, also for old results. */
  | { readonly type: 'PersonRegionCorrected'; readonly data: { readonly timeline: readonly RegionPeriod[] } }
  /** The bests that the person had at the end of this day, from contests that the space need not have. */
  | {
      readonly type: 'PersonalBestsKnown';
      readonly data: { readonly on: string; readonly bests: readonly KnownBest[] };
    }
  /** From now on entries for this person go to `into`. Each round then gets an event of its own. */
  | { readonly type: 'PersonMerging'; readonly data: { readonly into: number } }
  | { readonly type: 'PersonMergeCancelled'; readonly data: { readonly into: number } }
  | { readonly type: 'PersonMerged'; readonly data: { readonly into: number } }
  | { readonly type: 'PersonAbsorbed'; readonly data: { readonly personId: number } }
  | { readonly type: 'PersonErased'; readonly data: Record<string, never> };

export const personEvents: EventKinds<PersonEvent> = {
  PersonRegistered: 'control',
  PersonProfileChanged: 'control',
  PersonMoved: 'control',
  PersonRegionCorrected: 'control',
  PersonalBestsKnown: 'control',
  PersonMerging: 'control',
  PersonMergeCancelled: 'control',
  PersonMerged: 'control',
  PersonAbsorbed: 'control',
  PersonErased: 'control',
};

/** Events that can change how pages show a person. */
export const SHOWN_PERSON_EVENTS: readonly PersonEvent['type'][] = [
  'PersonMoved',
  'PersonRegionCorrected',
  'PersonProfileChanged',
  'PersonMerged',
  'PersonAbsorbed',
  'PersonErased',
];
