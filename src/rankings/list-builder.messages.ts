/** What the main thread asks of the list-builder thread. */
import type { RankingList } from '../projections/tags.js';

export interface BuilderData {
  readonly readModelUrl: string;
  readonly operationalUrl: string;
}

export type BuilderRequest =
  | { readonly kind: 'build'; readonly list: RankingList; readonly topN: number }
  /** As of now these persons' profiles have changed; null: any may have. Has no answer. */
  | { readonly kind: 'retire'; readonly personIds: readonly number[] | null };
