/**
 * The queries on records: their results, field by field in the order of the public API, and their handlers. Persons and
 * contests are shown with their current names.
 */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { RecordList } from '../../domain/rankings.js';
import { type EventOfTags, NO_TAGS, type RecordTag } from '../../domain/record-tags.js';
import { contestKey } from '../../domain/references.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { PersonDirectory } from '../persons/person-directory.js';
import type { RankingEntryView } from '../rankings/ranking.queries.js';
import { contestView, contextOf } from '../rankings/ranking-list.js';
import { recordTagsOf } from '../results/record-tags.js';
import { eventsOf, requireEvent, requireSpace } from '../spaces/known-events.js';
import { type RecordHolder, type RecordHolders, recordHolders } from './record-holders.js';
import { type RecordReferenceView, recordReferenceViewer } from './reference-views.js';

export const RECORD_TYPES = ['single', 'average'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** A result that was the record, alone or tied, from its date until it was beaten. */
export interface RecordView
  extends Pick<RankingEntryView, 'persons' | 'result' | 'attempts' | 'date' | 'contest'> {
  readonly resultId: string;
  readonly roundNumber: number;
  /** The region that the result counts for: a country, or a continent when a team shares only that; null: none. */
  readonly regionCode: string | null;
  /** It equalled a record of another result. */
  readonly tie: boolean;
  /** YYYY-MM-DD, the day on which it was beaten; null: it still stands. */
  readonly until: string | null;
  /** Of the value: it may be more than a record of this region. */
  readonly recordTag: RecordTag | null;
}

export interface RecordHistoryView extends Omit<RecordList, 'spaceId'> {
  readonly type: RecordType;
  /** The records that still stand. */
  readonly current: readonly RecordView[];
  /** Oldest first, then by result id. Ends with those that still stand. */
  readonly history: readonly RecordView[];
  /** The reference records that were the record, oldest first. They are no results, and not in the lists above. */
  readonly references: readonly RecordReferenceView[];
}

/** The records of an event that still stand; empty when there is none, or when a reference record is better. */
export interface EventRecordsView {
  readonly eventId: string;
  readonly single: readonly RecordView[];
  readonly average: readonly RecordView[];
  /** The reference records that still stand, perhaps beside results that equal them. */
  readonly references: Readonly<Record<RecordType, readonly RecordReferenceView[]>>;
}

/** Throws RejectedError `space-not-found`, `event-not-found`. */
export class GetRecordHistory extends Query<RecordHistoryView> {
  constructor(
    readonly list: RecordList,
    readonly type: RecordType,
  ) {
    super();
  }
}

/** Every event of the space, in display order. Throws RejectedError `space-not-found`. */
export class ListRecords extends Query<readonly EventRecordsView[]> {
  constructor(readonly list: Omit<RecordList, 'eventId'>) {
    super();
  }
}

@QueryHandler(GetRecordHistory)
export class GetRecordHistoryHandler implements IQueryHandler<GetRecordHistory> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  execute({ list, type }: GetRecordHistory): Promise<RecordHistoryView> {
    return this.readModels.snapshot(async (view) => {
      const event = await requireEvent(view, list.spaceId, list.eventId);
      const found = await recordHolders({ view, list, kind: type, event, which: 'all' });
      const viewOf = await recordViewer(view, this.directory, { holders: found.results, events: [event] });
      const history = found.results.map((holder) => viewOf(holder, type));
      const referenceOf = await recordReferenceViewer(view, this.directory, found.references);
      const references = found.references.map(referenceOf);
      const { eventId, category, region } = list;
      const current = history.filter(({ until }) => until === null);
      return { eventId, type, category, region, current, history, references };
    });
  }
}

@QueryHandler(ListRecords)
export class ListRecordsHandler implements IQueryHandler<ListRecords> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  execute({ list }: ListRecords): Promise<readonly EventRecordsView[]> {
    return this.readModels.snapshot(async (view) => {
      await requireSpace(view, list.spaceId);
      const events = await eventsOf(view, list.spaceId);
      const standing = (event: EventDefinition, kind: RecordType): Promise<RecordHolders> => {
        const { eventId } = event;
        return recordHolders({ view, list: { ...list, eventId }, kind, event, which: 'current' });
      };
      const holders = await Promise.all(
        events.map(async (event) => ({
          eventId: event.eventId,
          single: await standing(event, 'single'),
          average: await standing(event, 'average'),
        })),
      );
      const all = holders.flatMap(({ single, average }) => [single, average]);
      const shown = all.flatMap(({ results }) => results);
      const viewOf = await recordViewer(view, this.directory, { holders: shown, events });
      const references = all.flatMap((each) => each.references);
      const referenceOf = await recordReferenceViewer(view, this.directory, references);
      return holders.map(({ eventId, single, average }) => ({
        eventId,
        single: single.results.map((holder) => viewOf(holder, 'single')),
        average: average.results.map((holder) => viewOf(holder, 'average')),
        references: {
          single: single.references.map(referenceOf),
          average: average.references.map(referenceOf),
        },
      }));
    });
  }
}

/** Reads the persons, contests and tags of all these results at once, and returns a function that shows one. */
const recordViewer = async (
  view: ReadView,
  directory: PersonDirectory,
  { holders, events }: { readonly holders: readonly RecordHolder[]; readonly events: readonly EventOfTags[] },
): Promise<(holder: RecordHolder, type: RecordType) => RecordView> => {
  const shown = holders.map(({ result }) => result);
  const { persons, contests } = await contextOf(view, directory, shown);
  const tags = await recordTagsOf(view, shown, events);
  const tagsById = new Map(shown.map(({ id }, index) => [id, tags[index] ?? NO_TAGS]));
  return ({ result, value, tie, until }, type) => {
    const { resultId, roundNumber, date, regionCode } = result;
    return {
      resultId,
      persons: result.personIds.flatMap((id) => persons.get(id) ?? []),
      result: value,
      attempts: result.attempts.map((attempt) => ({ result: attempt })),
      date,
      contest: contestView(result, contests.get(contestKey(result))),
      roundNumber,
      regionCode,
      tie,
      until,
      recordTag: tagsById.get(result.id)?.[type] ?? null,
    };
  };
};

export const recordQueryHandlers = [GetRecordHistoryHandler, ListRecordsHandler];
