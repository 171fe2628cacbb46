/** The query for the newest records: its result, field by field in the order of the public API, and its handler. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { recordId } from '../../domain/rankings.js';
import { type RecordSteps, recordOn } from '../../domain/record-steps.js';
import { recordLabel } from '../../domain/record-tags.js';
import { contestKey } from '../../domain/references.js';
import { boardOf, enteredAt, type OneCategory, type Result, rankedValue } from '../../domain/results.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { contestView, contextOf } from '../rankings/ranking-list.js';
import { type ResultDocument, records } from '../results/ranking-documents.js';
import type { ReferenceStep } from '../results/reference-steps.js';
import { holdersOf } from '../results/step-holders.js';
import { eventsOf, requireSpace } from '../spaces/known-events.js';
import {
  placeOf,
  type RecentFilter,
  type RecentPlace,
  type RecentRange,
  type RecentRecord,
  recentRecords,
} from './recent-records.js';
import type { RecordType, RecordView } from './record.queries.js';
import { type ReferenceView, referenceBefore, referenceViewer } from './reference-views.js';

/** A former record, as the one that took its place shows it. */
export type FormerRecordView = Pick<RecordView, 'resultId' | 'persons' | 'result' | 'date' | 'contest'>;

export interface RecentRecordView extends Omit<RecordView, 'until' | 'recordTag'> {
  /** Stays as long as the result, whatever it is corrected to. */
  readonly recordId: string;
  readonly tag: RecentRecord['tag'];
  /** The tag with the word of its category: `Meetup WR`. */
  readonly label: string;
  /** The largest region that it is a record of: a country or a continent; null: the world. */
  readonly region: string | null;
  readonly category: OneCategory;
  readonly eventId: string;
  readonly type: RecordType;
  /** When the value was entered: ISO 8601, UTC. */
  readonly enteredAt: string;
  /** The holders of the record before, oldest first: beaten, or with `tie` equalled. Empty: it is the first. */
  readonly previous: readonly FormerRecordView[];
  /** The reference record that was the record before, perhaps beside `previous`; null: none was. */
  readonly previousReference: ReferenceView | null;
}

export interface RecentRecordsView {
  /** Newest first. */
  readonly items: readonly RecentRecordView[];
  /** Where the list goes on; null at its end. */
  readonly next: RecentPlace | null;
}

/** Throws RejectedError `space-not-found`. */
export class ListRecentRecords extends Query<RecentRecordsView> {
  constructor(
    readonly filter: RecentFilter,
    readonly range: RecentRange,
  ) {
    super();
  }
}

@QueryHandler(ListRecentRecords)
export class ListRecentRecordsHandler implements IQueryHandler<ListRecentRecords> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  execute({ filter, range }: ListRecentRecords): Promise<RecentRecordsView> {
    return this.readModels.snapshot(async (view) => {
      await requireSpace(view, filter.spaceId);
      const events = await eventsOf(view, filter.spaceId);
      const found = await recentRecords(view, filter, { ...range, events, limit: range.limit + 1 });
      const shown = found.slice(0, range.limit);
      const last = shown.at(-1);
      return {
        items: await recentViews(view, this.directory, shown),
        next: last && found.length > shown.length ? placeOf(last) : null,
      };
    });
  }
}

/** Returns the records as the API shows them, in their order. */
export const recentViews = async (
  view: ReadView,
  directory: PersonDirectory,
  shown: readonly RecentRecord[],
): Promise<readonly RecentRecordView[]> => {
  const before = await Promise.all(shown.map((record) => recordBefore(view, record)));
  const involved = [...shown.map(({ result }) => result), ...before.flatMap(({ holders }) => holders)];
  const former = await formerViewer(view, directory, involved);
  const referenceOf = await referenceViewer(
    view,
    directory,
    before.map(({ reference }) => reference),
  );
  return shown.map((record, index) => {
    const { result, kind, tag } = record;
    const { value, holders, reference } = before[index] ?? NO_RECORD;
    const reached = rankedValue(result, kind);
    const { resultId, persons: team, contest } = former(result, reached);
    return {
      recordId: placeOf(record).recordId,
      tag,
      label: recordLabel(tag, result.category),
      region: regionOfTag(record),
      category: result.category,
      eventId: result.eventId,
      type: kind,
      resultId,
      persons: team,
      result: reached,
      attempts: result.attempts.map((attempt) => ({ result: attempt })),
      date: result.date,
      contest,
      roundNumber: result.roundNumber,
      regionCode: result.regionCode,
      tie: value === reached,
      enteredAt: new Date(enteredAt(result, kind)).toISOString(),
      previous: holders.map((holder) => former(holder, value ?? 0)),
      previousReference: reference && referenceOf(reference),
    };
  });
};

/** Reads the persons and contests of all these results at once, and returns a function that shows one with its value. */
export const formerViewer = async (
  view: ReadView,
  directory: PersonDirectory,
  shown: readonly Result[],
): Promise<(result: Result, value: number) => FormerRecordView> => {
  const { persons, contests } = await contextOf(view, directory, shown);
  return (result, value) => ({
    resultId: result.resultId,
    persons: result.personIds.flatMap((id) => persons.get(id) ?? []),
    result: value,
    date: result.date,
    contest: contestView(result, contests.get(contestKey(result))),
  });
};

const regionOfTag = ({ tag, result }: RecentRecord): string | null => {
  switch (tag) {
    case 'WR':
      return null;
    case 'CR':
      return result.continent;
    case 'NR':
      return result.regionCode;
    default:
      return tag satisfies never;
  }
};

interface RecordBefore {
  readonly value: number | null;
  readonly holders: readonly ResultDocument[];
  readonly reference: ReferenceStep | null;
}

const NO_RECORD: RecordBefore = { value: null, holders: [], reference: null };

/** The record that stood at the end of the day before. */
const recordBefore = async (view: ReadView, record: RecentRecord): Promise<RecordBefore> => {
  const { result, kind } = record;
  const board = boardOf(result, kind);
  const region = regionOfTag(record);
  const known = board === null ? null : await view.get(records, recordId(board, region));
  if (board === null || known === null) return NO_RECORD;
  const earlier: RecordSteps = known.steps.filter(({ date }) => date < result.date);
  const last = referenceBefore(known.references ?? [], result);
  const values = [recordOn(earlier, result.date), last?.value ?? null].filter((value) => value !== null);
  const value = values.length === 0 ? null : Math.min(...values);
  const held = earlier.filter((step) => step.value === value);
  const found = await Promise.all(held.map((step) => holdersOf(view, { kind, board, region }, step)));
  const isOwn = last !== null && held.some((step) => step.date === last.date);
  return { value, holders: found.flat(), reference: last?.value === value && !isOwn ? last : null };
};
