/** The one order of rankings: by value, then by date, then by the result's id. */
import { textOrder } from '../../domain/text-order.js';
import { rankedValue, type ValueKind } from './ranked-range.js';
import type { RankingEntryDocument, ResultDocument } from './ranking-documents.js';

export const oldestFirst = (
  a: Pick<ResultDocument, 'date' | 'id'>,
  b: Pick<ResultDocument, 'date' | 'id'>,
): number => textOrder(a.date, b.date) || textOrder(a.id, b.id);

/** Results by their single or by their average. */
export const bestFirst =
  (kind: ValueKind) =>
  (a: ResultDocument, b: ResultDocument): number =>
    rankedValue(a, kind) - rankedValue(b, kind) || oldestFirst(a, b);

/** Members of one team share a result and compare as equal. */
export const compareEntries = (a: RankingEntryDocument, b: RankingEntryDocument): number =>
  a.value - b.value || textOrder(a.date, b.date) || textOrder(a.result, b.result);
