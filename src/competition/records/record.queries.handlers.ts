/** Query handlers of records. Persons and contests are shown with their current names. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { contestView, contextOf } from '../rankings/ranking-list.js';
import { contestKey } from '../results/ranking-documents.js';
import { eventsOf, requireEvent, requireSpace } from '../spaces/known-events.js';
import {
  type EventRecordsView,
  GetRecordHistory,
  ListRecords,
  type RecordHistoryView,
  type RecordType,
  type RecordView,
} from './record.queries.js';
import { type RecordHolder, recordHolders } from './record-holders.js';

@QueryHandler(GetRecordHistory)
export class GetRecordHistoryHandler implements IQueryHandler<GetRecordHistory> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  execute({ list, type }: GetRecordHistory): Promise<RecordHistoryView> {
    return this.readModels.snapshot(async (view) => {
      const event = await requireEvent(view, list.spaceId, list.eventId);
      const holders = await recordHolders({ view, list, type, event, which: 'all' });
      const history = holders.map(await recordViewer(view, this.directory, holders));
      const { eventId, category, region } = list;
      const current = history.filter(({ until }) => until === null);
      return { eventId, type, category, region, current, history };
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
      const standing = (event: EventDefinition, type: RecordType): Promise<readonly RecordHolder[]> => {
        const { eventId } = event;
        return recordHolders({ view, list: { ...list, eventId }, type, event, which: 'current' });
      };
      const holders = await Promise.all(
        events.map(async (event) => ({
          eventId: event.eventId,
          single: await standing(event, 'single'),
          average: await standing(event, 'average'),
        })),
      );
      const shown = holders.flatMap(({ single, average }) => [...single, ...average]);
      const viewOf = await recordViewer(view, this.directory, shown);
      return holders.map(({ eventId, single, average }) => ({
        eventId,
        single: single.map(viewOf),
        average: average.map(viewOf),
      }));
    });
  }
}

/** Reads the persons and contests of all these results at once, and returns a function that shows one. */
const recordViewer = async (
  view: ReadView,
  directory: PersonDirectory,
  holders: readonly RecordHolder[],
): Promise<(holder: RecordHolder) => RecordView> => {
  const { persons, contests } = await contextOf(
    view,
    directory,
    holders.map(({ result }) => result),
  );
  return ({ result, value, tie, until }) => {
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
    };
  };
};

export const recordQueryHandlers = [GetRecordHistoryHandler, ListRecordsHandler];
