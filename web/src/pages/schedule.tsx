/** The schedule of a contest: what goes on now, and the plan by days and rooms with the times that are expected. */

import { lateness, nowAndNext } from '../../../src/competition/schedule/now-and-next.js';
import type { ScheduledActivityView } from '../../../src/competition/schedule/schedule.queries.js';
import type { SchedulePage as Model } from '../../../src/pages/page-models.js';
import { ContestLink } from '../components/contest-list.js';
import { activitiesOf, Dot, NowInRooms } from '../components/now-in-rooms.js';
import { isLive } from '../components/round.js';
import { dateRangeText } from '../format.js';
import { useFreshSchedule, useNow } from '../fresh-page.js';
import { type Day, daysOf, dayText, type RoomOfDay, spanText, timeText } from '../schedule-text.js';

export const scheduleTitle = ({ contest }: Model): string => `Schedule: ${contest.name}`;

export const SchedulePage = ({ model }: { readonly model: Model }) => {
  const { base, contest } = model;
  const api = `/api${base}/competitions/${contest.competitionId}/schedule`;
  const schedule = useFreshSchedule(model.schedule, isLive(contest.state) ? api : null);
  const now = useNow();
  const days = daysOf(schedule);
  const isNow = (activity: ScheduledActivityView, room: RoomOfDay): boolean =>
    now !== null && nowAndNext(activitiesOf(room), now).now.includes(activity);
  return (
    <>
      <h1>Schedule</h1>
      <p className="about">
        <ContestLink base={base} id={contest.competitionId} name={contest.name} />
        <span>{dateRangeText(contest.startDate, contest.endDate)}</span>
        {days.length > 0 && (
          <a className="unprinted" href={`${api}.ics`}>
            Calendar file
          </a>
        )}
      </p>
      {days.length === 0 && <p className="empty">There is no schedule yet.</p>}
      {now !== null && isLive(contest.state) && <NowInRooms days={days} now={now} />}
      {days.map((day) => (
        <section key={day.date} className="day" aria-labelledby={`day-${day.date}`}>
          <h2 id={`day-${day.date}`}>{dayText(day.date)}</h2>
          <div className="rooms-of-day">
            {day.rooms.map((room) => (
              <RoomTable key={room.roomId} model={model} day={day} room={room} isNow={isNow} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
};

const RoomTable = ({
  model: { base, contest, schedule },
  day,
  room,
  isNow,
}: {
  readonly model: Model;
  readonly day: Day;
  readonly room: RoomOfDay;
  readonly isNow: (activity: ScheduledActivityView, room: RoomOfDay) => boolean;
}) => {
  const { venue, roomId, name, colour, activities } = room;
  const id = `day-${day.date}-room-${roomId}`;
  const page = `${base}/contests/${contest.competitionId}`;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>
        <Dot colour={colour} />
        {name}
        <span className="quiet">
          {schedule.venues.length > 1 && `${venue.name}, `}
          {venue.timeZone}
        </span>
      </h3>
      <table className="results">
        <caption className="hidden">
          {name} on {dayText(day.date)}
        </caption>
        <thead>
          <tr>
            <th scope="col" className="times">
              Time
            </th>
            <th scope="col">Activity</th>
          </tr>
        </thead>
        <tbody>
          {activities.map((activity) => (
            <tr key={activity.activityId} className={isNow(activity, room) ? 'now' : undefined}>
              <td className="times">
                <Times activity={activity} timeZone={venue.timeZone} />
              </td>
              <td>
                <Name activity={activity} page={page} />{' '}
                {isNow(activity, room) && <span className="badge ongoing">Now</span>}
                <Groups activity={activity} page={page} timeZone={venue.timeZone} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

interface TimesProps {
  readonly activity: ScheduledActivityView;
  readonly timeZone: string;
}

/** The plan, and what is expected where it differs. */
const Times = ({ activity, timeZone }: TimesProps) => {
  const { start, end, expectedStart, expectedEnd } = activity;
  const [planned, expected] = [
    spanText(start, end, timeZone),
    spanText(expectedStart, expectedEnd, timeZone),
  ];
  const late = lateness(activity);
  if (planned === expected) return <span>{planned}</span>;
  return (
    <>
      <s>
        <span className="hidden">Planned </span>
        {planned}
      </s>
      <span className={late > 0 ? 'is-late' : undefined}>
        <span className="hidden">, expected </span>
        {expected}
      </span>
    </>
  );
};

const Name = ({
  activity: { name, eventId, roundNumber },
  page,
}: Pick<TimesProps, 'activity'> & { readonly page: string }) =>
  eventId === null ? <span>{name}</span> : <a href={`${page}/rounds/${eventId}/${roundNumber}`}>{name}</a>;

const Groups = ({
  activity: { code, parts, name },
  page,
  timeZone,
}: TimesProps & { readonly page: string }) =>
  parts.length === 0 ? null : (
    <p className="about groups">
      <a href={`${page}/schedule/${code}`} aria-label={`Groups of ${name}`}>
        Groups
      </a>
      {parts.map((part, index) => (
        <span key={part.activityId}>
          {index + 1}: {timeText(part.expectedStart, timeZone)}
        </span>
      ))}
    </p>
  );
