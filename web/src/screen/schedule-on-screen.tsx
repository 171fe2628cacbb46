/** What goes on now and comes next in each room, on a screen. */
import { nowAndNext } from '../../../src/competition/schedule/now-and-next.js';
import type { NowAndNext, ScheduleView } from '../../../src/competition/schedule/schedule.queries.js';
import { lateText, runningNames, timeText } from '../schedule-text.js';
import { pagesFor } from './turns.js';
import { useTicks } from './use-screen.js';

interface RoomNow extends NowAndNext {
  readonly roomId: number;
  readonly name: string;
  readonly timeZone: string;
}

const ROOMS_OF_PAGE = 4;

export const ScheduleOnScreen = ({
  schedule: { venues },
  now,
  seconds,
}: {
  readonly schedule: ScheduleView;
  /** An instant; null until the page runs in a browser. */
  readonly now: string | null;
  /** With many rooms, each part of them is shown for so long. */
  readonly seconds: number;
}) => {
  const ticks = useTicks(seconds);
  const rooms = venues.flatMap(({ timeZone, rooms: ofVenue }) =>
    ofVenue.flatMap(({ roomId, name, activities }): readonly RoomNow[] =>
      now === null ? [] : [{ roomId, name, timeZone, ...nowAndNext(activities, now) }],
    ),
  );
  const page = ticks % pagesFor(rooms.length, ROOMS_OF_PAGE);
  const shown = rooms.slice(page * ROOMS_OF_PAGE, (page + 1) * ROOMS_OF_PAGE);
  return (
    <>
      <div className="screen-title">
        <h1>Now and next</h1>
      </div>
      {rooms.length === 0 && now !== null && <p className="screen-empty">There is no schedule yet</p>}
      {rooms.length > 0 && (
        <ul className="screen-rooms">
          {shown.map((room) => (
            <li key={room.roomId}>
              <h2>
                <span className="name">{room.name}</span>
                {room.late > 0 && <span className="late">{lateText(room.late)}</span>}
              </h2>
              <p className="name">
                <b>{room.now.length === 0 ? 'Nothing now' : runningNames(room).join(' · ')}</b>
              </p>
              {room.next !== null && now !== null && (
                <p className="name next">
                  {timeText(laterOf(room.next.expectedStart, now), room.timeZone)} {room.next.name}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const laterOf = (a: string, b: string): string => (a > b ? a : b);
