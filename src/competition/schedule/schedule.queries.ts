/**
 * Queries on schedules: the JSON of the public API. Times are instants, as planned and as expected; what goes on now follows
 * from them by now-and-next.ts, so replies do not change while time passes.
 */
import { Query } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { ContestQuery } from '../contest-query.js';
import type { PersonView } from '../persons/person.queries.js';
import type { Activity, Delay, Room, Venue } from './schedule.events.js';

export interface ScheduledActivityView
  extends Pick<Activity, 'activityId' | 'code' | 'name' | 'start' | 'end'> {
  /** Null: it belongs to no round. */
  readonly eventId: string | null;
  readonly roundNumber: number | null;
  /** Instants. */
  readonly expectedStart: string;
  readonly expectedEnd: string;
  /** Instants; null: not yet, or not said. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Such as the groups of a round. By planned start. */
  readonly parts: readonly ScheduledActivityView[];
}

export interface ScheduledRoomView extends Omit<Room, 'venueId'> {
  readonly delays: readonly Delay[];
  /** By planned start. */
  readonly activities: readonly ScheduledActivityView[];
}

export interface ScheduledVenueView extends Venue {
  readonly rooms: readonly ScheduledRoomView[];
}

export interface ScheduleView {
  readonly venues: readonly ScheduledVenueView[];
}

/** Each query throws RejectedError `contest-not-found`, also for drafts and deleted contests unless `includeHidden` is true. */
export class GetSchedule extends Query<ScheduleView> {
  constructor(
    readonly contest: ContestRef,
    readonly includeHidden = false,
  ) {
    super();
  }
}

export interface NowAndNext {
  /** Whole activities, without their parts. */
  readonly now: readonly ScheduledActivityView[];
  /** The groups that go on, of what goes on. */
  readonly groups: readonly ScheduledActivityView[];
  /** Null: nothing more is planned. */
  readonly next: ScheduledActivityView | null;
  /** Minutes behind the plan: of the next activity, else of what goes on. */
  readonly late: number;
}

/** Whether there is anything in the schedule. Does not ask whether there is such a contest. */
export class HasSchedule extends ContestQuery<boolean> {}

export interface RoomNowView extends Pick<Room, 'roomId' | 'name'>, NowAndNext {
  readonly timeZone: string;
}

/** What goes on at this time, what comes next, and how late each room is. */
export class GetNowAndNext extends Query<readonly RoomNowView[]> {
  constructor(
    readonly contest: ContestRef,
    /** An instant. */
    readonly at: string,
    readonly includeHidden = false,
  ) {
    super();
  }
}

/** An activity with its place, for lists that are not sorted by rooms. */
export interface PlacedActivityView extends Omit<ScheduledActivityView, 'parts'> {
  readonly room: Pick<Room, 'roomId' | 'name' | 'colour'>;
  readonly venue: Pick<Venue, 'venueId' | 'name' | 'timeZone'>;
}

export interface AssignedPersonView {
  /** The competitor's number. */
  readonly number: number;
  readonly person: PersonView;
  /** `competitor`, or a duty such as `staff-judge`. */
  readonly role: string;
  readonly station: number | null;
}

export interface GroupView extends PlacedActivityView {
  /** Competitors before duties, by station, then by number. Who has withdrawn is left out. */
  readonly persons: readonly AssignedPersonView[];
}

/**
 * The groups of a round (`333-r1`) or an attempt with their persons, in all rooms, by planned start. Without groups it is the
 * round itself. Of another code, the activities that have it. Empty when there are none.
 */
export class GetGroups extends Query<readonly GroupView[]> {
  constructor(
    readonly contest: ContestRef,
    readonly code: string,
    readonly includeHidden = false,
  ) {
    super();
  }
}

export interface AppointmentView extends PlacedActivityView, Pick<AssignedPersonView, 'role' | 'station'> {}

export interface CompetitorScheduleView {
  readonly number: number;
  readonly person: PersonView;
  /** Groups and duties, by expected start. */
  readonly appointments: readonly AppointmentView[];
}

/** Throws RejectedError `person-not-found` too: no competitor on the list has this number. */
export class GetCompetitorSchedule extends Query<CompetitorScheduleView> {
  constructor(
    readonly contest: ContestRef,
    readonly number: number,
    readonly includeHidden = false,
  ) {
    super();
  }
}

export interface WholeScheduleView {
  readonly venues: readonly Venue[];
  readonly rooms: readonly Room[];
  readonly activities: readonly Activity[];
  /** Of those on the competitor list who come. */
  readonly assignments: readonly (Omit<AssignedPersonView, 'number'> & Pick<Activity, 'activityId'>)[];
}

/** The plan, and who is assigned to it, for an export; each list by id. Includes drafts. */
export class GetWholeSchedule extends ContestQuery<WholeScheduleView> {}

/** An iCalendar of the whole contest, or of one competitor; throws as GetCompetitorSchedule then. */
export class GetCalendar extends Query<string> {
  constructor(
    readonly contest: ContestRef,
    /** Null: of the whole contest, without groups. */
    readonly number: number | null,
    readonly includeHidden = false,
  ) {
    super();
  }
}
