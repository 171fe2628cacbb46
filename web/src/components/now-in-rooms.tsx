/** What goes on now in the rooms of a contest, what comes next, and how late each room is. */
import { nowAndNext } from '../../../src/competition/schedule/now-and-next.js';
import type {
  NowAndNext,
  ScheduledActivityView,
} from '../../../src/competition/schedule/schedule.queries.js';
import { type Day, lateText, type RoomOfDay, runningNames, timeText } from '../schedule-text.js';

/** What goes on does not end with the day. */
export const activitiesOf = ({ venue, roomId }: RoomOfDay): readonly ScheduledActivityView[] =>
  venue.rooms.find((room) => room.roomId === roomId)?.activities ?? [];

interface NowInRoomsProps {
  readonly days: readonly Day[];
  /** An instant. */
  readonly now: string;
  readonly title?: string;
}

export const NowInRooms = ({ days, now, title = 'Now' }: NowInRoomsProps) => {
  const rooms = new Map(days.flatMap((day) => day.rooms.map((room) => [room.roomId, room])));
  const shown = [...rooms.values()]
    .map((room) => ({ room, state: nowAndNext(activitiesOf(room), now) }))
    .filter(({ state }) => state.now.length > 0 || isSoon(state, now));
  if (shown.length === 0) return null;
  return (
    <section className="now unprinted" aria-labelledby="now">
      <h2 id="now">{title}</h2>
      <ul>
        {shown.map(({ room, state }) => (
          <RoomNow key={room.roomId} room={room} state={state} now={now} />
        ))}
      </ul>
    </section>
  );
};

const SOON_MS = 12 * 3_600_000;

const isSoon = ({ next }: NowAndNext, now: string): boolean =>
  next !== null && Date.parse(next.expectedStart) - Date.parse(now) < SOON_MS;

const RoomNow = ({
  room: { name, colour, venue },
  state: { now: running, groups, next, late },
  now,
}: {
  readonly room: RoomOfDay;
  readonly state: NowAndNext;
  readonly now: string;
}) => (
  <li>
    <h3>
      <Dot colour={colour} />
      {name}
      {late > 0 && <span className="badge late">{lateText(late)}</span>}
    </h3>
    <p>
      {running.length === 0 ? (
        <span className="quiet">Nothing now</span>
      ) : (
        <b>{runningNames({ now: running, groups }).join(' · ')}</b>
      )}
    </p>
    {next !== null && (
      <p className="about">
        Next: {timeText(next.expectedStart > now ? next.expectedStart : now, venue.timeZone)} {next.name}
      </p>
    )}
  </li>
);

/** The colour of a room. Its name stands beside it. */
export const Dot = ({ colour }: { readonly colour: string }) => (
  <svg className="dot" viewBox="0 0 10 10" aria-hidden="true">
    <circle cx="5" cy="5" r="5" fill={colour} />
  </svg>
);
