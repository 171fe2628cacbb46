/** One room on one day: its activities with what can be done to them, and what was said of it. */
import { Link } from 'wouter';
import { lateness } from '../../../../../src/competition/schedule/now-and-next.js';
import type { ScheduledActivityView } from '../../../../../src/competition/schedule/schedule.queries.js';
import { parseActivityCode } from '../../../../../src/domain/activity-codes.js';
import { dateIn } from '../../../../../src/domain/time-zones.js';
import { type RoomOfDay, spanText, timeText } from '../../../schedule-text.js';
import { Button } from '../../parts/button.js';
import { DataTable } from '../../parts/data-table.js';
import type { ScheduleCommand } from './use-schedule.js';

interface RoomDayProps {
  readonly competitionId: string;
  readonly date: string;
  readonly room: RoomOfDay;
  /** Codes of the rounds that the contest plans. */
  readonly planned: ReadonlySet<string>;
  /** Whether the day can be run: the contest is announced or goes on. */
  readonly isRun: boolean;
  readonly command: ScheduleCommand;
  readonly onEdit: (activity: ScheduledActivityView, roomId: number) => void;
}

export const RoomDay = (props: RoomDayProps) => {
  const { competitionId, room, planned, onEdit } = props;
  const { timeZone } = room.venue;
  return (
    <section className="room-day" aria-label={room.name}>
      <h3>
        {room.name} <span className="quiet">{timeZone}</span>
      </h3>
      <Delays {...props} />
      <DataTable
        label={`Activities in ${room.name}`}
        rows={room.activities}
        keyOf={({ activityId }) => activityId}
        empty="Nothing is planned here."
        isOver={({ endedAt }) => endedAt !== null}
        isStacked
        columns={[
          {
            title: 'Time',
            isWhole: true,
            cell: (activity) => <Times activity={activity} timeZone={timeZone} />,
          },
          {
            title: 'Activity',
            cell: (activity) => (
              <span className="badged">
                {activity.name}
                <State activity={activity} planned={planned} />
              </span>
            ),
          },
          {
            title: 'Actions',
            isActions: true,
            isWide: true,
            cell: (activity) => (
              <>
                <Steps {...props} activity={activity} />
                {parseActivityCode(activity.code) !== null && (
                  <Link
                    className="cards"
                    href={`/dashboard/contests/${competitionId}/schedule/${activity.code}`}
                    aria-label={`Groups of ${activity.name}`}
                  >
                    {activity.parts.length === 0 ? 'Groups' : `Groups (${activity.parts.length})`}
                  </Link>
                )}
                <Button isQuiet label={`Edit ${activity.name}`} onPress={() => onEdit(activity, room.roomId)}>
                  Edit
                </Button>
              </>
            ),
          },
        ]}
      />
    </section>
  );
};

const Times = ({
  activity,
  timeZone,
}: {
  readonly activity: ScheduledActivityView;
  readonly timeZone: string;
}) => {
  const { start, end, expectedStart, expectedEnd } = activity;
  const [planned, expected] = [
    spanText(start, end, timeZone),
    spanText(expectedStart, expectedEnd, timeZone),
  ];
  if (planned === expected) return planned;
  return (
    <>
      <s className="quiet">
        <span className="hidden">Planned </span>
        {planned}
      </s>
      <br />
      <span className="hidden">Expected </span>
      <b>{expected}</b>
      {lateness(activity) > 0 && <span className="quiet"> +{lateness(activity)} min</span>}
    </>
  );
};

const State = ({
  activity: { code, eventId, roundNumber, startedAt, endedAt },
  planned,
}: {
  readonly activity: ScheduledActivityView;
  readonly planned: ReadonlySet<string>;
}) => {
  if (endedAt !== null) return <span className="badge">Over</span>;
  if (startedAt !== null) return <span className="badge ongoing">Now</span>;
  const isStale = parseActivityCode(code) !== null && !planned.has(`${eventId}-r${roundNumber}`);
  return isStale ? <span className="badge bad">The round is not planned</span> : null;
};

/** What goes on next: the activity, its groups, and the way back. */
const Steps = ({
  activity,
  command,
  isRun,
}: Pick<RoomDayProps, 'command' | 'isRun'> & { readonly activity: ScheduledActivityView }) => {
  const { activityId, name, startedAt, endedAt, parts } = activity;
  if (!isRun) return null;
  const post =
    (verb: string, id = activityId, body?: unknown) =>
    (): void =>
      command.mutate({ method: 'POST', path: `/activities/${id}/${verb}`, body });
  const pressed = { isQuiet: true, isDisabled: command.isPending };
  const group = parts.find((part) => part.startedAt === null);
  if (startedAt === null)
    return (
      <Button {...pressed} label={`Start ${name}`} onPress={post('start')}>
        Start
      </Button>
    );
  return (
    <>
      {endedAt === null && group !== undefined && (
        <Button
          {...pressed}
          label={`Start group ${parts.indexOf(group) + 1}: ${group.name}`}
          onPress={post('start', group.activityId)}
        >
          Start group {parts.indexOf(group) + 1}
        </Button>
      )}
      {endedAt === null && (
        <Button {...pressed} label={`End ${name}`} onPress={post('end')}>
          End
        </Button>
      )}
      <Button
        {...pressed}
        label={endedAt === null ? `Undo the start of ${name}` : `Undo the end of ${name}`}
        onPress={post('undo', activityId, { step: endedAt === null ? 'start' : 'end' })}
      >
        Undo
      </Button>
    </>
  );
};

/** What was said of the room on this day, to be taken back. */
const Delays = ({ room, date, command }: Pick<RoomDayProps, 'room' | 'date' | 'command'>) => {
  const { timeZone, rooms } = room.venue;
  const delays = (rooms.find(({ roomId }) => roomId === room.roomId)?.delays ?? []).filter(
    ({ from }) => dateIn(timeZone, from) === date,
  );
  return delays.map(({ from, minutes, at }) => (
    <p key={`${at} ${from}`} className="about">
      <span>
        Said at {timeText(at, timeZone)}: {minutes === 0 ? 'on time' : `${minutes} minutes late`} from{' '}
        {timeText(from, timeZone)} on
      </span>
      <Button
        isQuiet
        isDisabled={command.isPending}
        label={`Take back what was said at ${timeText(at, timeZone)}`}
        onPress={() =>
          command.mutate({ method: 'POST', path: '/delays/undo', body: { roomId: room.roomId, at } })
        }
      >
        Take back
      </Button>
    </p>
  ));
};
