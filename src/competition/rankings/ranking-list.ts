/**
 * Builds a ranking list as JSON bytes, field by field in the order of the public API, from one view. The list is a merge of
 * few boards, which are ranges of an index in ranking order. They are read a page at a time, so that little more is read
 * than is shown.
 */
import type { RankingEntry } from '../../domain/ranking-entries.js';
import { boardsOfList, type RankingList, rangeOf, regionFields, regionIndex } from '../../domain/rankings.js';
import { NO_TAGS, type RecordTags } from '../../domain/record-tags.js';
import { contestKey, eventKey } from '../../domain/references.js';
import {
  bestFirst,
  compareEntries,
  contestTypeOf,
  oldestFirst,
  type Result,
  rankedValue,
  type ValueKind,
} from '../../domain/results.js';
import { textOrder } from '../../domain/text-order.js';
import type { Collection, Document, ReadView, Scan } from '../../foundation/read-models/read-model-store.js';
import { type JsonList, jsonList } from '../../http/replies/json-list.js';
import type { PersonView } from '../persons/person.queries.js';
import type { PersonDirectory } from '../persons/person-directory.js';
import {
  type ContestFacts,
  contestFacts,
  type ResultDocument,
  rankingEntries,
  results,
} from '../results/ranking-documents.js';
import { recordTagsOf } from '../results/record-tags.js';
import { catalogue } from '../spaces/events.projection.js';
import { refuseEvent } from '../spaces/known-events.js';

export interface BuiltList extends JsonList {
  /** The value of each entry. */
  readonly values: Float64Array;
  /** True when the list has no more entries. */
  readonly complete: boolean;
}

/** Builds the first `topN` entries. Throws RejectedError `space-not-found`, `event-not-found`. */
export const buildRankingList = async (
  view: ReadView,
  directory: PersonDirectory,
  list: RankingList,
  topN: number,
): Promise<BuiltList> => {
  const event = (await view.get(catalogue, eventKey(list))) ?? (await refuseEvent(view, list));
  const entries = await readEntries({ view, list, boards: boardsOfList(list, event), topN });
  const shown = entries.slice(0, topN);
  const found = [...new Set(shown.map(({ result }) => result))];
  const context = await contextOf(view, directory, found);
  const tags = await recordTagsOf(view, found, [event], [kindOf(list)]);
  const tagsByResult = new Map(found.map((result, index) => [result, tags[index] ?? NO_TAGS]));
  const values = Float64Array.from(shown, ({ value }) => value);
  return {
    ...jsonList(entriesAsJson(shown, context, tagsByResult)),
    values,
    complete: entries.length <= topN,
  };
};

const kindOf = ({ type }: RankingList): ValueKind => (type === 'single' ? 'single' : 'average');

/** What replies show beside results. */
export interface ResultContext {
  /** By person id. */
  readonly persons: ReadonlyMap<number, PersonView>;
  /** By `contestKey`; null: the contest has no facts. */
  readonly contests: ReadonlyMap<string, ContestFacts | null>;
}

/** Reads the persons and contests of all these results at once. */
export const contextOf = async (
  view: ReadView,
  directory: PersonDirectory,
  found: readonly Result[],
): Promise<ResultContext> => {
  const contestIds = [...new Set(found.map(contestKey))];
  const facts = await view.getMany(contestFacts, contestIds);
  const personIds = found.flatMap((result) => result.personIds);
  return {
    persons: await directory.views(view, personIds),
    contests: new Map(contestIds.map((id, index) => [id, facts[index] ?? null])),
  };
};

interface ListQuery {
  readonly view: ReadView;
  readonly list: RankingList;
  readonly boards: readonly string[];
  readonly topN: number;
}

interface ListEntry {
  readonly rankingId: string;
  readonly kind: ValueKind;
  readonly value: number;
  readonly result: ResultDocument;
  /** Only in lists of persons. */
  readonly personId?: number;
}

/** Reads at most one entry more than requested, to know whether the list continues. */
const readEntries = (query: ListQuery): Promise<readonly ListEntry[]> => {
  const { show, type } = query.list;
  if (show === 'persons') return personEntries(query);
  return type === 'single' ? attemptEntries(query) : averageEntries(query);
};

/** Each person once, with the person's best. */
const personEntries = async (query: ListQuery): Promise<readonly ListEntry[]> => {
  const { view, list, boards, topN } = query;
  const kind = kindOf(list);
  const index = regionIndex(list.region).toLowerCase();
  const bests = new Map<number, RankingEntry>();
  await readMerged(query, {
    collection: rankingEntries,
    ranges: boards.map((board) => ({ index, equals: { board, ...regionFields(list.region) } })),
    compare: (a, b) => compareEntries(a, b) || textOrder(a.id, b.id),
    take: (entry) => {
      if (!bests.has(entry.personId)) bests.set(entry.personId, entry);
      return bests.size <= topN;
    },
  });
  const entries = [...bests.values()];
  const ids = entries.map(({ result }) => result);
  const shown = await view.getMany(results, ids);
  return entries.flatMap(({ value, personId }, place) => {
    const result = shown[place];
    return result ? [{ rankingId: `${result.resultId}_p${personId}`, kind, value, result, personId }] : [];
  });
};

const averageEntries = async (query: ListQuery): Promise<readonly ListEntry[]> => {
  const entries: ListEntry[] = [];
  await readResults(query, 'average', (result) => {
    entries.push({ rankingId: result.resultId, kind: 'average', value: result.average, result });
    return entries.length <= query.topN;
  });
  return entries;
};

/** One attempt of a result. */
interface RankedAttempt {
  readonly value: number;
  /** From 1. */
  readonly attemptNumber: number;
  readonly result: ResultDocument;
}

const compareAttempts = (a: RankedAttempt, b: RankedAttempt): number =>
  a.value - b.value || oldestFirst(a.result, b.result) || a.attemptNumber - b.attemptNumber;

/** A count of attempts costs less than a result that is read for nothing. */
const CHECKS_PER_PAGE = 8;

/**
 * Every valid attempt. Results are read in the order of their best, so an attempt better than the best of the last result
 * comes before all attempts that are still unread.
 */
const attemptEntries = async (query: ListQuery): Promise<readonly ListEntry[]> => {
  const attempts: RankedAttempt[] = [];
  const between = Math.ceil(pageSize(query) / CHECKS_PER_PAGE);
  let read = 0;
  let bound = Number.POSITIVE_INFINITY;
  await readResults(query, 'single', (result) => {
    for (const [index, value] of result.attempts.entries()) {
      if (value > 0) attempts.push({ value, attemptNumber: index + 1, result });
    }
    read += 1;
    if (attempts.length <= query.topN || read % between !== 0) return true;
    if (attempts.filter(({ value }) => value < result.best).length <= query.topN) return true;
    bound = result.best;
    return false;
  });
  return attempts
    .filter(({ value }) => value < bound)
    .sort(compareAttempts)
    .slice(0, query.topN + 1)
    .map(({ value, attemptNumber, result }) => ({
      rankingId: `${result.resultId}_a${attemptNumber}`,
      kind: 'single',
      value,
      result,
    }));
};

/** Reads results by their single or by their average, until `take` returns false. */
const readResults = (
  query: ListQuery,
  kind: ValueKind,
  take: (result: ResultDocument) => boolean,
): Promise<void> =>
  readMerged(query, {
    collection: results,
    ranges: query.boards.map((board) => rangeOf({ kind, board, region: query.list.region })),
    compare: bestFirst(kind),
    take,
  });

const MAX_PAGE = 1_000;
const MIN_PAGE = 16;

/** Balances the number of pages against documents that are read but not shown. */
const pageSize = ({ topN, boards }: ListQuery): number =>
  Math.min(MAX_PAGE, Math.max(MIN_PAGE, Math.ceil(topN / boards.length)));

/** A range of an index, with the page of it that was read last. */
interface Source<D extends Document> {
  readonly range: Pick<Scan<D>, 'index' | 'equals'>;
  page: readonly D[];
  /** Place of the next document in the page. */
  at: number;
  isLast: boolean;
}

/** Reads ranges of indexes page by page, merged in the order of `compare`, until `take` returns false. */
const readMerged = async <D extends Document>(
  query: ListQuery,
  read: {
    readonly collection: Collection<D>;
    readonly ranges: readonly Source<D>['range'][];
    readonly compare: (a: D, b: D) => number;
    readonly take: (document: D) => boolean;
  },
): Promise<void> => {
  const { collection, ranges, compare, take } = read;
  const limit = pageSize(query);
  const sources = ranges.map((range): Source<D> => ({ range, page: [], at: 0, isLast: false }));
  for (;;) {
    let first: D | undefined;
    let from: Source<D> | undefined;
    // There are few sources: comparing all heads is cheaper than a heap.
    for (const source of sources) {
      if (source.at === source.page.length && !source.isLast) {
        const after = source.page.at(-1);
        source.page = await query.view.scan(collection, {
          ...source.range,
          limit,
          ...(after && { after }),
        });
        source.at = 0;
        source.isLast = source.page.length < limit;
      }
      const head = source.page[source.at];
      if (head === undefined || (first !== undefined && compare(first, head) <= 0)) continue;
      first = head;
      from = source;
    }
    if (first === undefined || from === undefined) return;
    from.at += 1;
    if (!take(first)) return;
  }
};

/**
 * The JSON of each entry. Places are counted here, because equal values share one. The JSON of a person or contest is made once, because it occurs
 * in many entries.
 */
const entriesAsJson = (
  entries: readonly ListEntry[],
  { persons, contests }: ResultContext,
  tags: ReadonlyMap<ResultDocument, RecordTags>,
): readonly string[] => {
  const personJson = new Map([...persons].map(([id, person]) => [id, JSON.stringify(person)]));
  const contestJson = new Map<string, string>();
  let [place, last] = [0, Number.NaN];
  return entries.map(({ rankingId, kind, value, result, personId }, index) => {
    if (value !== last) place = index + 1;
    last = value;
    const key = contestKey(result);
    let contest = contestJson.get(key);
    if (contest === undefined) {
      contest = JSON.stringify(contestView(result, contests.get(key)));
      contestJson.set(key, contest);
    }
    // An attempt that is not the best of its result was nothing.
    const tag = value === rankedValue(result, kind) ? tags.get(result)?.[kind] : null;
    return (
      `{"rankingId":${JSON.stringify(rankingId)},"ranking":${place}` +
      (personId === undefined ? '' : `,"personId":${personId}`) +
      `,"persons":[${result.personIds.map((id) => personJson.get(id)).join(',')}],"result":${value}` +
      `,"attempts":[${result.attempts.map((attempt) => `{"result":${attempt}}`).join(',')}]` +
      `,"date":${JSON.stringify(result.date)},"contest":${contest},"recordTag":${tag ? `"${tag}"` : null}}`
    );
  });
};

/** The contest of a result as lists show it, field by field. */
export const contestView = (
  { competitionId, category }: Pick<Result, 'competitionId' | 'category'>,
  facts: ContestFacts | null | undefined,
) => ({
  competitionId,
  shortName: facts?.shortName ?? competitionId,
  type: contestTypeOf(category),
  regionCode: facts?.regionCode ?? null,
});
