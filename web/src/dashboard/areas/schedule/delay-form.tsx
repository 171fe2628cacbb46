/** The dialog that says how late the contest runs: what comes later on the day moves along. */
import { useState } from 'react';
import { lateness } from '../../../../../src/competition/schedule/now-and-next.js';
import type { RoomOfDay } from '../../../schedule-text.js';
import { timeText } from '../../../schedule-text.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { useScheduleCommand } from './use-schedule.js';

const ALL = { value: '', name: 'All rooms' };
const NEXT = { value: '', name: 'What comes next' };

const minutesProblem = (text: string): string | null =>
  /^\d{1,3}$/.test(text.trim()) ? null : 'Minutes, such as 20; 0 when all is on time again';

export const DelayForm = ({
  competitionId,
  rooms,
  onClose,
}: {
  readonly competitionId: string;
  /** Of one day. */
  readonly rooms: readonly RoomOfDay[];
  readonly onClose: () => void;
}) => {
  const { mutate, error, isPending } = useScheduleCommand(competitionId);
  const [roomId, setRoomId] = useState('');
  const room = rooms.find((each) => String(each.roomId) === roomId);
  const waiting = room?.activities.filter(({ startedAt }) => startedAt === null) ?? [];
  const submit = (fields: FormData): void => {
    const from = fieldText(fields, 'from');
    const body = {
      minutes: Number(fieldText(fields, 'minutes')),
      roomId: roomId === '' ? null : Number(roomId),
      from: from === '' ? null : Number(from),
    };
    mutate({ method: 'POST', path: '/delays', body }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Running late" onClose={onClose} ignoresClicksOutside>
      <Form problem={error} onSubmit={submit}>
        <Field
          name="minutes"
          label="Minutes late"
          inputMode="numeric"
          placeholder="20"
          help="0 when all is on time again"
          validate={minutesProblem}
          isRequired
          autoFocus
        />
        <SelectField
          name="roomId"
          label="Room"
          choices={[ALL, ...rooms.map(({ roomId: id, name }) => ({ value: String(id), name }))]}
          value={roomId}
          onChange={setRoomId}
        />
        {room !== undefined && (
          <SelectField
            name="from"
            label="From"
            choices={[
              NEXT,
              ...waiting.map((activity) => ({
                value: String(activity.activityId),
                name: `${timeText(activity.start, room.venue.timeZone)} ${activity.name}${
                  lateness(activity) > 0 ? `, ${lateness(activity)} minutes late so far` : ''
                }`,
              })),
            ]}
          />
        )}
        <FormActions action="Move the rest of the day" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
