/**
 * Query handlers of schedules. A schedule is read from its stream's state, as the competitor list is: it is read whole, and
 * changes seldom. Replies are cached until an event changes them.
 */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { isCompeting } from '../../domain/registrations.js';
import { RejectedError } from '../../domain/rejections.js';
import { StreamNames } from '../../domain/streams.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import {
  FindCompetitor,
  GetCompetitorList,
  type ListedCompetitorView,
} from '../contests/competitor-list.commands.js';
import { requireContest } from '../contests/contest.queries.handlers.js';
import type { ContestDocument } from '../contests/contest-documents.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { calendarText } from './icalendar.js';
import { nowAndNext } from './now-and-next.js';
import { scheduleAggregate } from './schedule.decider.js';
import { type ScheduleState, scheduleStream } from './schedule.events.js';
import {
  type CompetitorScheduleView,
  GetCalendar,
  GetCompetitorSchedule,
  GetGroups,
  GetNowAndNext,
  GetSchedule,
  GetWholeSchedule,
  type GroupView,
  HasSchedule,
  type RoomNowView,
  type ScheduleView,
  type WholeScheduleView,
} from './schedule.queries.js';
import { competitorEvents, contestEvents } from './schedule-calendar.js';
import { appointmentViews, groupViews, scheduleView, wholeView } from './schedule-views.js';

abstract class ScheduleQueryHandler {
  constructor(
    @Inject(READ_MODELS) protected readonly readModels: ReadModels,
    @Inject(AGGREGATES) protected readonly aggregates: AggregateRuntime,
    protected readonly directory: PersonDirectory,
    protected readonly queries: QueryBus,
  ) {}

  /** Reads the stream's tail: the reply is cached until the next change, so it must not be older than this one. */
  protected async state(contest: ContestRef): Promise<ScheduleState> {
    return (await this.aggregates.load(scheduleAggregate, contest, { fresh: true })).state;
  }

  protected require(contest: ContestRef, includeHidden: boolean): Promise<ContestDocument> {
    return this.readModels.snapshot((view) => requireContest(view, contest, includeHidden));
  }

  /** The competitors of the list who come, by each id of theirs that is given. */
  protected async competitors(
    contest: ContestRef,
    personIds: Iterable<number>,
    includeHidden: boolean,
  ): Promise<ReadonlyMap<number, ListedCompetitorView>> {
    const list = await this.queries.execute(new GetCompetitorList(contest, includeHidden));
    const listed = new Map(
      list.competitors.filter(isCompeting).map((competitor) => [competitor.person.id, competitor]),
    );
    const shown = await this.readModels.snapshot((view) => this.directory.views(view, personIds));
    const found = new Map<number, ListedCompetitorView>();
    for (const [personId, { id }] of shown) {
      const competitor = listed.get(id);
      if (competitor !== undefined) found.set(personId, competitor);
    }
    return found;
  }
}

const assignedIds = ({ assigned }: ScheduleState): ReadonlySet<number> =>
  new Set(
    [...assigned.values()].flatMap((roles) => [...roles.values()].flat().map(([personId]) => personId)),
  );

@QueryHandler(GetSchedule)
export class GetScheduleHandler extends ScheduleQueryHandler implements IQueryHandler<GetSchedule> {
  async execute({ contest, includeHidden }: GetSchedule): Promise<ScheduleView> {
    await this.require(contest, includeHidden);
    return scheduleView(await this.state(contest));
  }
}

@QueryHandler(HasSchedule)
export class HasScheduleHandler extends ScheduleQueryHandler implements IQueryHandler<HasSchedule> {
  async execute({ contest }: HasSchedule): Promise<boolean> {
    return (await this.state(contest)).activities.size > 0;
  }
}

@QueryHandler(GetNowAndNext)
export class GetNowAndNextHandler extends ScheduleQueryHandler implements IQueryHandler<GetNowAndNext> {
  async execute({ contest, at, includeHidden }: GetNowAndNext): Promise<readonly RoomNowView[]> {
    await this.require(contest, includeHidden);
    return scheduleView(await this.state(contest)).venues.flatMap(({ timeZone, rooms }) =>
      rooms.map(({ roomId, name, activities }) => ({
        roomId,
        name,
        timeZone,
        ...nowAndNext(activities, at),
      })),
    );
  }
}

@QueryHandler(GetGroups)
export class GetGroupsHandler extends ScheduleQueryHandler implements IQueryHandler<GetGroups> {
  async execute({ contest, code, includeHidden }: GetGroups): Promise<readonly GroupView[]> {
    await this.require(contest, includeHidden);
    const state = await this.state(contest);
    const competitors = await this.competitors(contest, assignedIds(state), includeHidden);
    return groupViews(state, code, (personId) => competitors.get(personId) ?? null);
  }
}

@QueryHandler(GetCompetitorSchedule)
export class GetCompetitorScheduleHandler
  extends ScheduleQueryHandler
  implements IQueryHandler<GetCompetitorSchedule>
{
  async execute(query: GetCompetitorSchedule): Promise<CompetitorScheduleView> {
    const { contest, number: asked, includeHidden } = query;
    const { competitor, personIds } = await this.queries.execute(
      new FindCompetitor(contest, asked, includeHidden),
    );
    const { number, person } = competitor;
    if (!isCompeting(competitor)) {
      const detail = `The competitor with the number ${asked} has withdrawn.`;
      throw new RejectedError({ code: 'person-not-found', detail });
    }
    const state = await this.state(contest);
    return { number, person, appointments: appointmentViews(state, (id) => personIds.has(id)) };
  }
}

@QueryHandler(GetWholeSchedule)
export class GetWholeScheduleHandler extends ScheduleQueryHandler implements IQueryHandler<GetWholeSchedule> {
  async execute({ contest }: GetWholeSchedule): Promise<WholeScheduleView> {
    await this.require(contest, true);
    const state = await this.state(contest);
    const competitors = await this.competitors(contest, assignedIds(state), true);
    return wholeView(state, (personId) => competitors.get(personId) ?? null);
  }
}

@QueryHandler(GetCalendar)
export class GetCalendarHandler implements IQueryHandler<GetCalendar> {
  constructor(
    private readonly queries: QueryBus,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(EVENT_STORE) private readonly events: Pick<EventStore, 'readStream'>,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly names: StreamNames,
  ) {}

  async execute({ contest, number, includeHidden }: GetCalendar): Promise<string> {
    const { name } = await this.readModels.snapshot((view) => requireContest(view, contest, includeHidden));
    const own =
      number === null
        ? null
        : await this.queries.execute(new GetCompetitorSchedule(contest, number, includeHidden));
    const whole = await this.queries.execute(new GetSchedule(contest, includeHidden));
    const { state } = await this.aggregates.load(scheduleAggregate, contest);
    const events =
      own === null
        ? contestEvents(contest, state, whole)
        : competitorEvents(contest, state, own.appointments);
    const title = own === null ? name : `${name}: ${own.person.name}`;
    return calendarText(title, await this.#changedAt(contest), events);
  }

  /** 0 for a schedule without events. */
  async #changedAt(contest: ContestRef): Promise<number> {
    const stream = this.names.of(scheduleStream, contest);
    const [last] = (await this.events.readStream(stream, { direction: 'backwards', limit: 1 })) ?? [];
    return last?.recordedAt ?? 0;
  }
}

export const scheduleQueryHandlers = [
  GetScheduleHandler,
  HasScheduleHandler,
  GetNowAndNextHandler,
  GetGroupsHandler,
  GetCompetitorScheduleHandler,
  GetWholeScheduleHandler,
  GetCalendarHandler,
];
