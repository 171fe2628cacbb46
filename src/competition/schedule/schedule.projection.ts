/**
 * Invalidates cached replies when a schedule changes. It has no documents: a schedule is read from its stream's state (see
 * schedule.queries.handlers.ts).
 */
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import { contestStream, SHOWN_CONTEST_EVENTS } from '../aggregates/contest/contest.js';
import { type ScheduleEvent, scheduleEvents, scheduleStream } from './schedule.events.js';

/** The only event that changes persons and not the schedule. */
const ASSIGNED: ScheduleEvent['type'] = 'AssignmentsSet';

export const scheduleProjection: Projection = {
  name: 'schedule',
  version: 1,
  collections: [],
  eventTypes: [...Object.keys(scheduleEvents), ...SHOWN_CONTEST_EVENTS],

  apply({ type, subject }: ProjectedEvent, session: ProjectionSession): void {
    const contest = idIn(scheduleStream, subject) ?? idIn(contestStream, subject);
    if (contest === null) return;
    session.touch(() => (type === ASSIGNED ? tags.assignments(contest) : tags.schedule(contest)));
  },
};
