/**
 * Finds the newest records of a space: what was a record of the world, of a continent or of a country on its day. They are
 * read from the steps of the records, newest day first, until older days cannot hold a newer record. No projection keeps
 * them: so they cost nothing at entry, and a correction cannot leave a wrong one behind.
 */

import { type Category, regionIndex } from '../../domain/rankings.js';
import { isBeaten, type RecordStep } from '../../domain/record-steps.js';
import { countedBoards, type EventOfTags, type RecordTag } from '../../domain/record-tags.js';
import { enteredAt, ONE_CATEGORIES, type ValueKind } from '../../domain/results.js';
import { textOrder } from '../../domain/text-order.js';
import type { ReadView, Scan } from '../../foundation/read-models/read-model-store.js';
import { type RecordDocument, type ResultDocument, records } from '../results/ranking-documents.js';
import { recordTagsOf } from '../results/record-tags.js';
import { holdersOf } from '../results/step-holders.js';

export interface RecentFilter {
  readonly spaceId: string;
  readonly category: Category;
  /** Only records of persons of this country or continent; null: of all persons. */
  readonly region: string | null;
}

/** A value that was a record among the results when its day ended. */
export interface FoundRecord {
  readonly result: ResultDocument;
  readonly kind: ValueKind;
  /** Its time in the list, in milliseconds since 1970. */
  readonly newsAt: number;
}

export interface RecentRecord extends FoundRecord {
  readonly tag: Exclude<RecordTag, 'PR'>;
}

/** A place in the list, which need not be that of a record. */
export interface RecentPlace {
  readonly newsAt: number;
  readonly recordId: string;
}

export interface RecentRange {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Null: from the beginning of the list. */
  readonly after: RecentPlace | null;
  readonly limit: number;
}

/** The list ends here. The history of each record has the others. */
export const MAX_RECENT = 1_000;

/** An id that stays as long as the result: no correction changes it. */
export const recordIdOf = ({ result, kind }: Pick<FoundRecord, 'result' | 'kind'>): string =>
  `${result.eventId}/${kind}/${result.resultId}`;

export const placeOf = (record: FoundRecord): RecentPlace => ({
  newsAt: record.newsAt,
  recordId: recordIdOf(record),
});

/** From the beginning of a day in UTC to its end where it ends last. */
const DAY_MS = 36 * 60 * 60 * 1_000;

const endOf = (date: string): number => Date.parse(date) + DAY_MS;

/**
 * A record is news when it is entered, at the latest when its day ends: so an old contest that is imported has its place
 * among the old ones. A result may also be entered before its day, which can be the last day of a long contest.
 */
export const newsTime = (entered: number, date: string): number => Math.min(entered, endOf(date));

const comparePlaces = (a: RecentPlace, b: RecentPlace): number =>
  b.newsAt - a.newsAt || textOrder(a.recordId, b.recordId);

const newestFirst = (a: FoundRecord, b: FoundRecord): number => comparePlaces(placeOf(a), placeOf(b));

/** Newest first. `events`: those of the space. */
export const recentRecords = async (
  view: ReadView,
  filter: RecentFilter,
  { events, ...range }: RecentRange & { readonly events: readonly EventOfTags[] },
): Promise<readonly RecentRecord[]> => {
  const shown = await newestRecords(view, filter, {
    ...range,
    counted: countedBoards(filter.spaceId, events),
    isWanted: ({ references = [] }, step) => !isBeaten(references, step),
  });
  const tags = await recordTagsOf(
    view,
    shown.map(({ result }) => result),
    events,
  );
  return shown.flatMap((record, index) => {
    const tag = tags[index]?.[record.kind] ?? null;
    return tag === null || tag === 'PR' ? [] : [{ ...record, tag }];
  });
};

interface Wanted extends RecentRange {
  /** The boards that count for records. */
  readonly counted: ReadonlySet<string>;
  /** The steps whose holders are wanted. */
  readonly isWanted: (range: RecordDocument, step: RecordStep) => boolean;
}

/** Newest first. */
export const newestRecords = async (
  view: ReadView,
  filter: RecentFilter,
  { counted, isWanted, since, after, limit }: Wanted,
): Promise<readonly FoundRecord[]> => {
  const isAsked = (record: FoundRecord): boolean =>
    record.newsAt >= since && (after === null || comparePlaces(after, placeOf(record)) < 0);
  const found: FoundRecord[] = [];
  for await (const { date, steps } of daysOf(view, filter)) {
    const end = endOf(date);
    const settled = found.filter(({ newsAt }) => newsAt > end);
    if (end < since || settled.length >= MAX_RECENT || settled.filter(isAsked).length >= limit) break;
    for (const { range, step } of steps) {
      if (counted.has(range.board) && isWanted(range, step))
        found.push(...(await recordsOf(view, range, step)));
    }
  }
  return found.sort(newestFirst).slice(0, MAX_RECENT).filter(isAsked).slice(0, limit);
};

/** Each record once: with the smallest region that it is a record of. */
const recordsOf = async (
  view: ReadView,
  range: RecordDocument,
  step: RecordStep,
): Promise<readonly FoundRecord[]> => {
  const { kind, region } = range;
  const holders = await holdersOf(view, range, step);
  return holders
    .filter(({ regionCode }) => regionCode === region)
    .map((result) => ({ result, kind, newsAt: newsTime(enteredAt(result, kind), result.date) }));
};

/** The steps of one day. */
interface RecordDay {
  readonly date: string;
  readonly steps: readonly { readonly range: RecordDocument; readonly step: RecordStep }[];
}

/** Every day with a step of a record of the filter, newest first. */
async function* daysOf(view: ReadView, filter: RecentFilter): AsyncGenerator<RecordDay> {
  const days = new Map<string, RecordDay['steps'][number][]>();
  const newest = (): string => [...days.keys()].sort().at(-1) ?? '';
  const sources = rangesOf(filter).map((range): Source => ({ range, last: null, isRead: false }));
  for (;;) {
    for (const source of sources) {
      while (mayHave(source, newest())) {
        for (const range of await readPage(view, source)) {
          for (const step of range.steps) {
            const ofDay = days.get(step.date) ?? [];
            ofDay.push({ range, step });
            days.set(step.date, ofDay);
          }
        }
      }
    }
    const date = newest();
    const steps = days.get(date);
    if (steps === undefined) return;
    days.delete(date);
    yield { date, steps };
  }
}

type RecordsRange = Pick<Scan<RecordDocument>, 'index' | 'equals'>;

const rangesOf = ({ spaceId, category, region }: RecentFilter): readonly RecordsRange[] => {
  const index = regionIndex(region);
  const within = { World: {}, Continent: { continent: region }, Country: { region } }[index];
  const categories = category === 'all' ? ONE_CATEGORIES : [category];
  return categories.map((one) => ({
    index: index.toLowerCase(),
    equals: { spaceId, category: one, ...within },
  }));
};

const PAGE = 64;

/** Records in the order of their last steps, read a page at a time. */
interface Source {
  readonly range: RecordsRange;
  last: RecordDocument | null;
  isRead: boolean;
}

/** Whether a record that is not read yet may have a step of this day or later. */
const mayHave = ({ last, isRead }: Source, date: string): boolean =>
  !isRead && (last === null || (last.newest ?? '') >= date);

const readPage = async (view: ReadView, source: Source): Promise<readonly RecordDocument[]> => {
  const { range, last } = source;
  const behind = last === null ? {} : { after: last };
  const page = await view.scan(records, { ...range, ...behind, limit: PAGE, descending: true });
  source.last = page.at(-1) ?? last;
  source.isRead = page.length < PAGE;
  return page;
};
