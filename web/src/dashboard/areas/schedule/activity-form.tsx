/** The dialog that adds an activity, or changes, moves and removes one. */
import { useState } from 'react';
import type {
  ScheduledActivityView,
  ScheduledRoomView,
  ScheduledVenueView,
} from '../../../../../src/competition/schedule/schedule.queries.js';
import { instantIn, localTime } from '../../../../../src/domain/time-zones.js';
import type { Option } from '../../../components/options.js';
import { Button } from '../../parts/button.js';
import { ConfirmCommand, Dialog } from '../../parts/dialog.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { useScheduleCommand } from './use-schedule.js';

export interface PlacedRoom extends Pick<ScheduledRoomView, 'roomId' | 'name'> {
  readonly venue: Pick<ScheduledVenueView, 'name' | 'timeZone'>;
}

export type EditedActivity = Pick<ScheduledActivityView, 'activityId' | 'code' | 'name' | 'start' | 'end'>;

/** A new activity, one of the schedule, or a part of one, which stays in its room. */
export interface Edited {
  /** Null: a new one. */
  readonly activity: EditedActivity | null;
  readonly roomId: number;
  readonly parentId: number | null;
  /** Of a new activity, YYYY-MM-DD. */
  readonly date: string;
}

const DAY_MS = 86_400_000;

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

interface ActivityFormProps {
  readonly competitionId: string;
  readonly edited: Edited;
  readonly rooms: readonly PlacedRoom[];
  /** By code. */
  readonly choices: readonly Option[];
  readonly onClose: () => void;
}

export const ActivityForm = ({ competitionId, edited, rooms, choices, onClose }: ActivityFormProps) => {
  const { activity, parentId } = edited;
  const { mutate, mutateAsync, error, isPending } = useScheduleCommand(competitionId);
  const [isRemoving, setIsRemoving] = useState(false);
  const first = choices[0] ?? { value: '', name: '' };
  const [code, setCode] = useState(activity?.code ?? first.value);
  const [name, setName] = useState(activity?.name ?? first.name);
  const [roomId, setRoomId] = useState(edited.roomId);
  const timeZone = rooms.find((room) => room.roomId === roomId)?.venue.timeZone ?? 'UTC';
  const start = activity && localTime(activity.start, timeZone);
  const end = activity && localTime(activity.end, timeZone);
  const path = activity === null ? '/activities' : `/activities/${activity.activityId}`;
  const choose = (chosen: string): void => {
    const named = choices.find(({ value }) => value === code)?.name;
    setCode(chosen);
    // A name of the user's own stays.
    if (name === named) setName(choices.find(({ value }) => value === chosen)?.name ?? '');
  };
  const submit = (fields: FormData): void => {
    const date = fieldText(fields, 'date');
    const [from, to] = [fieldText(fields, 'start'), fieldText(fields, 'end')];
    const endDate = to > from ? date : dayAfter(date);
    const body = {
      ...(parentId === null ? { roomId } : { parentId }),
      code,
      name,
      start: instantIn(timeZone, { date, time: from }) ?? '',
      end: instantIn(timeZone, { date: endDate, time: to }) ?? '',
    };
    mutate({ method: activity === null ? 'POST' : 'PUT', path, body }, { onSuccess: onClose });
  };
  if (isRemoving && activity !== null)
    return (
      <ConfirmCommand
        title={`Remove ${activity.name}?`}
        action="Remove"
        isDanger
        command={() => mutateAsync({ method: 'DELETE', path })}
        onDone={onClose}
        onClose={onClose}
      >
        <p>Its groups go with it, and who is assigned to them.</p>
      </ConfirmCommand>
    );
  return (
    <Dialog title={activity?.name ?? 'New activity'} onClose={onClose} ignoresClicksOutside>
      <Form problem={error} onSubmit={submit}>
        {parentId === null && (
          <SelectField
            name="code"
            label="What"
            choices={
              choices.some(({ value }) => value === code)
                ? choices
                : [...choices, { value: code, name: code }]
            }
            value={code}
            onChange={choose}
          />
        )}
        <Field name="name" label="Name" value={name} onChange={setName} maxLength={200} isRequired />
        {parentId === null && (
          <SelectField
            name="roomId"
            label="Room"
            choices={rooms.map((room) => ({
              value: String(room.roomId),
              name: `${room.name}, ${room.venue.name}`,
            }))}
            value={String(roomId)}
            onChange={(value) => setRoomId(Number(value))}
          />
        )}
        <div className="times-of-activity">
          <Field name="date" label="Day" type="date" defaultValue={start?.date ?? edited.date} isRequired />
          <Field name="start" label="From" type="time" defaultValue={start?.time ?? '09:00'} isRequired />
          <Field name="end" label="Until" type="time" defaultValue={end?.time ?? '10:00'} isRequired />
        </div>
        <p className="help">
          In the time of {timeZone}. An end before the start is on the next day.
          {activity !== null && parentId === null && ' Groups move along.'}
        </p>
        {activity !== null && (
          <Button isQuiet isDanger onPress={() => setIsRemoving(true)}>
            Remove
          </Button>
        )}
        <FormActions action={activity === null ? 'Add' : 'Save'} isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
