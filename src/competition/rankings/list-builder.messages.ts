/** The messages from the main thread to the list-builder thread. */
import type { RankingList } from '../tags.js';
import type { PlacesRequest, RankedValues } from './ranked-values.js';
import type { BuiltList } from './ranking-lists.js';

export interface BuilderData {
  readonly readModelUrl: string;
  readonly operationalUrl: string;
}

export type BuilderRequest =
  | { readonly kind: 'build'; readonly list: RankingList; readonly topN: number }
  | ({ readonly kind: 'places' } & PlacesRequest)
  /** The profiles of these persons have changed; null: any profile may have. There is no reply. */
  | { readonly kind: 'invalidate'; readonly personIds: readonly number[] | null };

export type BuilderAnswer =
  | ({ readonly kind: 'list' } & BuiltList)
  | { readonly kind: 'places'; readonly places: RankedValues };
