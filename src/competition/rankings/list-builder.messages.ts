/** What the main thread asks of the list-builder thread. */
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
  /** As of now these persons' profiles have changed; null: any may have. Has no answer. */
  | { readonly kind: 'invalidate'; readonly personIds: readonly number[] | null };

export type BuilderAnswer =
  | ({ readonly kind: 'list' } & BuiltList)
  | { readonly kind: 'places'; readonly places: RankedValues };
