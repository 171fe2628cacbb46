/** What the main thread and the list-builder thread say to each other. */
import type { Rejection } from '../domain/rejections.js';
import type { RankingList } from '../projections/tags.js';
import type { BuiltList } from './ranking-lists.js';

export interface BuilderData {
  readonly readModelUrl: string;
  readonly operationalUrl: string;
}

export type BuilderMessage =
  | { readonly kind: 'build'; readonly id: number; readonly list: RankingList; readonly topN: number }
  /** As of now these persons' profiles have changed; null: any may have. */
  | { readonly kind: 'retire'; readonly personIds: readonly number[] | null };

export type BuilderAnswer =
  | { readonly kind: 'built'; readonly id: number; readonly built: BuiltList }
  | { readonly kind: 'rejected'; readonly id: number; readonly rejection: Rejection }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };
