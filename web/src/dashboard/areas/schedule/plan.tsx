/** The schedule of a contest by days and rooms: made by hand or taken from a WCIF, and run on the day. */
import { type ChangeEvent, useState } from 'react';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import type { Room } from '../../../../../src/competition/schedule/schedule.events.js';
import type {
  ScheduledVenueView,
  ScheduleView,
} from '../../../../../src/competition/schedule/schedule.queries.js';
import { instantOf, localTime } from '../../../../../src/domain/time-zones.js';
import { daysOf, dayText } from '../../../schedule-text.js';
import { Button } from '../../parts/button.js';
import { DataTable } from '../../parts/data-table.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { FileField, WCIF_FILE } from '../../parts/file-field.js';
import { ProblemNotice } from '../../parts/notice.js';
import { useSearchParam } from '../../parts/search-param.js';
import { useEvents } from '../contests/use-contest.js';
import { activityOptions } from './activity-choices.js';
import { ActivityForm, type Edited, type PlacedRoom } from './activity-form.js';
import { RoomDay } from './day-table.js';
import { DelayForm } from './delay-form.js';
import { RoomForm, VenueForm } from './place-forms.js';
import { useScheduleCommand, useScheduleImport } from './use-schedule.js';

type EditedRoom = Omit<Room, 'roomId'> & { readonly roomId: number | null };

interface PlanProps {
  readonly contest: ModeratedContestView;
  readonly schedule: ScheduleView;
}

export const Plan = ({ contest, schedule }: PlanProps) => {
  const { competitionId } = contest;
  const events = useEvents();
  const command = useScheduleCommand(competitionId);
  const [chosen, choose] = useSearchParam('day');
  const [edited, setEdited] = useState<Edited | null>(null);
  const [isLate, setIsLate] = useState(false);
  const rooms = roomsIn(schedule);
  const days = daysOf(schedule);
  const today = localTime(instantOf(Date.now()), rooms[0]?.venue.timeZone ?? 'UTC').date;
  const day = days.find(({ date }) => date === (chosen || today)) ?? days[0];
  const planned = new Set(
    contest.events.flatMap(({ eventId, rounds }) =>
      rounds.map(({ roundNumber }) => `${eventId}-r${roundNumber}`),
    ),
  );
  const [firstRoom] = rooms;
  return (
    <>
      <div className="toolbar">
        <h2>Schedule</h2>
        {firstRoom !== undefined && (
          <div className="links">
            {day !== undefined && <Button onPress={() => setIsLate(true)}>Running late</Button>}
            <Button
              isMain
              onPress={() =>
                setEdited({
                  activity: null,
                  roomId: firstRoom.roomId,
                  parentId: null,
                  date: day?.date ?? contest.startDate,
                })
              }
            >
              Add activity
            </Button>
          </div>
        )}
      </div>
      {command.error && <ProblemNotice problem={command.error} />}
      {days.length > 1 && (
        <div className="filter-row">
          <SelectField
            name="day"
            label="Day"
            choices={days.map(({ date }) => ({ value: date, name: dayText(date) }))}
            value={day?.date ?? ''}
            onChange={choose}
          />
        </div>
      )}
      {day?.rooms.map((room) => (
        <RoomDay
          key={room.roomId}
          {...{ competitionId, room, planned, command }}
          date={day.date}
          isRun={contest.state === 'announced' || contest.state === 'ongoing'}
          onEdit={(activity, roomId) => setEdited({ activity, roomId, parentId: null, date: day.date })}
        />
      ))}
      {day === undefined && (
        <p className="empty">
          {rooms.length === 0
            ? 'There is no schedule yet. Add a venue with a room, or take the schedule of a WCIF file.'
            : 'No activities are planned yet.'}
        </p>
      )}
      <Places competitionId={competitionId} schedule={schedule} />
      <ScheduleFile competitionId={competitionId} isReplacing={rooms.length > 0} />
      {edited && (
        <ActivityForm
          {...{ competitionId, edited, rooms }}
          choices={activityOptions(contest, events)}
          onClose={() => setEdited(null)}
        />
      )}
      {isLate && day && (
        <DelayForm competitionId={competitionId} rooms={day.rooms} onClose={() => setIsLate(false)} />
      )}
    </>
  );
};

const roomsIn = ({ venues }: ScheduleView): readonly PlacedRoom[] =>
  venues.flatMap((venue) => venue.rooms.map(({ roomId, name }) => ({ roomId, name, venue })));

const Places = ({
  competitionId,
  schedule: { venues },
}: {
  readonly competitionId: string;
  readonly schedule: ScheduleView;
}) => {
  const [venue, setVenue] = useState<ScheduledVenueView | 'new' | null>(null);
  const [room, setRoom] = useState<EditedRoom | null>(null);
  return (
    <>
      <div className="toolbar">
        <h2>Venues and rooms</h2>
        <Button onPress={() => setVenue('new')}>Add venue</Button>
      </div>
      {venues.map((each) => (
        <section key={each.venueId} aria-label={each.name}>
          <div className="toolbar">
            <h3>
              {each.name} <span className="quiet">{each.timeZone}</span>
            </h3>
            <div className="links">
              <Button isQuiet label={`Edit ${each.name}`} onPress={() => setVenue(each)}>
                Edit
              </Button>
              <Button
                label={`Add room to ${each.name}`}
                onPress={() => setRoom({ roomId: null, venueId: each.venueId, name: '', colour: '#304a96' })}
              >
                Add room
              </Button>
            </div>
          </div>
          <DataTable
            label={`Rooms of ${each.name}`}
            rows={each.rooms}
            keyOf={({ roomId }) => roomId}
            empty="It has no rooms yet."
            columns={[
              { title: 'Room', cell: ({ name }) => name },
              { title: 'Activities', isNumber: true, cell: ({ activities }) => activities.length },
              {
                title: 'Actions',
                isActions: true,
                cell: ({ roomId, name, colour }) => (
                  <Button
                    isQuiet
                    label={`Edit ${name}`}
                    onPress={() => setRoom({ roomId, venueId: each.venueId, name, colour })}
                  >
                    Edit
                  </Button>
                ),
              },
            ]}
          />
        </section>
      ))}
      {venue !== null && (
        <VenueForm
          competitionId={competitionId}
          venue={venue === 'new' ? null : venue}
          onClose={() => setVenue(null)}
        />
      )}
      {room !== null && <RoomForm competitionId={competitionId} room={room} onClose={() => setRoom(null)} />}
    </>
  );
};

const ScheduleFile = ({
  competitionId,
  isReplacing,
}: {
  readonly competitionId: string;
  readonly isReplacing: boolean;
}) => {
  const { mutate, mutateAsync, error, isSuccess } = useScheduleImport(competitionId);
  /** A file that waits for the user's yes. */
  const [asked, setAsked] = useState<ArrayBuffer | null>(null);
  const close = (): void => setAsked(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = target.files ?? [];
    if (!file) return;
    const bytes = await file.arrayBuffer();
    // The same file can be chosen again.
    target.value = '';
    if (isReplacing) setAsked(bytes);
    else mutate(bytes);
  };
  return (
    <>
      <h2>From a file</h2>
      {error && <ProblemNotice problem={error} />}
      <FileField
        label={isReplacing ? 'Replace the schedule by that of a WCIF' : 'Take the schedule of a WCIF'}
        accept={WCIF_FILE}
        onChange={choose}
      />
      <p role="status" className="quiet">
        {isSuccess && 'The schedule is that of the file.'}
      </p>
      {asked !== null && (
        <ConfirmCommand
          title="Replace the schedule?"
          action="Replace"
          isDanger
          command={() => mutateAsync(asked)}
          onDone={close}
          onClose={close}
        >
          <p>Venues, rooms, activities and assignments become those of the file.</p>
        </ConfirmCommand>
      )}
    </>
  );
};
