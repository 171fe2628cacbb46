/**
 * Reads the entries of a list one by one in ranking order. The boards of the list are ranges of an index. They are
 * read a page at a time and merged, so that no more is read than is shown.
 */

import {
  type BoardKind,
  bestFirst,
  boardName,
  compareEntries,
  ONE_CATEGORIES,
  oldestFirst,
  type ValueKind,
} from '../../domain/results.js';
import { attemptsOf } from '../../domain/scoring.js';
import { textOrder } from '../../domain/text-order.js';
import type { Collection, Document, ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import {
  type RankingEntryDocument,
  type ResultDocument,
  rangeOf,
  rankingEntries,
  regionFields,
  regionIndex,
  results,
} from '../results/ranking-documents.js';
import type { RankingList } from '../tags.js';
import { Heap } from './heap.js';

/** Returns the next item, or null at the end. */
export type Draw<T> = () => Promise<T | null>;

/** Returns the boards whose merge is the list. */
export const boardsOf = (
  { spaceId, eventId, type, category }: Pick<RankingList, 'spaceId' | 'eventId' | 'type' | 'category'>,
  event: Pick<EventDefinition, 'defaultRoundFormat'>,
): readonly string[] => {
  const categories = category === 'all' ? ONE_CATEGORIES : [category];
  return boardKinds(type, event).flatMap((kind) =>
    categories.map((one) => boardName(spaceId, eventId, kind, one)),
  );
};

const boardKinds = (
  type: RankingList['type'],
  { defaultRoundFormat }: Pick<EventDefinition, 'defaultRoundFormat'>,
): readonly BoardKind[] => {
  switch (type) {
    case 'single':
      return ['s'];
    case 'average':
      return [attemptsOf(defaultRoundFormat) === 5 ? '5' : '3'];
    case 'all-avg-formats':
      return ['5', '3'];
    default:
      return type satisfies never;
  }
};

interface Question {
  readonly view: ReadView;
  readonly list: RankingList;
  readonly event: Pick<EventDefinition, 'defaultRoundFormat'>;
  /** Maximum number of items that will be read: limits the page size. */
  readonly atMost: number;
}

/** Each person once, with the person's best. */
export const personEntries = (question: Question): Draw<RankingEntryDocument> => {
  const { view, list, event } = question;
  const indexes = { World: 'world', Continent: 'continent', Country: 'country' } as const;
  const index = indexes[regionIndex(list.region)];
  const boards = boardsOf(list, event);
  const entries = merged(
    boards.map((board) =>
      pages(view, rankingEntries, index, { board, ...regionFields(list.region) }, pageSize(question, boards)),
    ),
    (a, b) => compareEntries(a, b) || textOrder(a.id, b.id),
  );
  const seen = new Set<number>();
  return async () => {
    for (;;) {
      const entry = await entries();
      if (!entry) return null;
      if (seen.has(entry.personId)) continue;
      seen.add(entry.personId);
      return entry;
    }
  };
};

/** Results by their single or by their average. */
const rankedResults = (question: Question, kind: ValueKind): Draw<ResultDocument> => {
  const { view, list, event } = question;
  const { region } = list;
  const boards = boardsOf(list, event);
  return merged(
    boards.map((board) => {
      const { index, equals } = rangeOf({ kind, board, region });
      return pages(view, results, index, equals, pageSize(question, boards));
    }),
    bestFirst(kind),
  );
};

export const averagesInOrder = (question: Question): Draw<ResultDocument> =>
  rankedResults(question, 'average');

/** One attempt of a result. */
export interface RankedAttempt {
  readonly value: number;
  /** From 1. */
  readonly attemptNumber: number;
  readonly result: ResultDocument;
}

/**
 * Every valid attempt. Results are read in the order of their best. So an attempt better than the next result's best
 * comes before every attempt that is still unread.
 */
export const attemptsInOrder = (question: Question): Draw<RankedAttempt> => {
  const drawn = rankedResults(question, 'single');
  const waiting = new Heap(compareAttempts);
  let next: ResultDocument | null | undefined;
  return async () => {
    for (;;) {
      if (next === undefined) next = await drawn();
      const first = waiting.peek();
      if (next === null) return waiting.pop() ?? null;
      if (first && compareAttempts(first, { value: next.best, attemptNumber: 0, result: next }) < 0) {
        return waiting.pop() ?? null;
      }
      for (const [index, value] of next.attempts.entries()) {
        if (value > 0) waiting.push({ value, attemptNumber: index + 1, result: next });
      }
      next = undefined;
    }
  };
};

const compareAttempts = (a: RankedAttempt, b: RankedAttempt): number =>
  a.value - b.value || oldestFirst(a.result, b.result) || a.attemptNumber - b.attemptNumber;

const MAX_PAGE = 1_000;
const MIN_PAGE = 16;

/** Balances the number of pages against documents that are read but not shown. */
const pageSize = ({ atMost }: Question, boards: readonly string[]): number =>
  Math.min(MAX_PAGE, Math.max(MIN_PAGE, Math.ceil(atMost / boards.length)));

/** Reads a range of an index page by page. */
const pages = <D extends Document>(
  view: ReadView,
  collection: Collection<D>,
  index: string,
  equals: Partial<D>,
  size: number,
): Draw<D> => {
  let page: readonly D[] = [];
  let at = 0;
  let isLast = false;
  return async () => {
    if (at === page.length && !isLast) {
      const after = page.at(-1);
      page = await view.scan(collection, { index, equals, limit: size, ...(after && { after }) });
      at = 0;
      isLast = page.length < size;
    }
    return page[at++] ?? null;
  };
};

/** There are few sources: comparing all heads is cheaper than a heap. */
const merged = <T>(sources: readonly Draw<T>[], compare: (a: T, b: T) => number): Draw<T> => {
  const [only] = sources;
  if (only && sources.length === 1) return only;
  let heads: { item: T; readonly draw: Draw<T> }[] | null = null;
  return async () => {
    heads ??= await headsOf(sources);
    const [first, ...others] = heads;
    if (!first) return null;
    let least = first;
    for (const head of others) if (compare(head.item, least.item) < 0) least = head;
    const { item } = least;
    const next = await least.draw();
    if (next === null) heads.splice(heads.indexOf(least), 1);
    else least.item = next;
    return item;
  };
};

const headsOf = async <T>(sources: readonly Draw<T>[]): Promise<{ item: T; readonly draw: Draw<T> }[]> => {
  const heads = [];
  for (const draw of sources) {
    const item = await draw();
    if (item !== null) heads.push({ item, draw });
  }
  return heads;
};
