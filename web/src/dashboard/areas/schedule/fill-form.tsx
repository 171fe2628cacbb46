/** Fills the groups of a round by the rule. */
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { useScheduleCommand } from './use-schedule.js';

const stationsProblem = (text: string): string | null =>
  /^\d{0,3}$/.test(text.trim()) ? null : 'A number, or nothing';

export const FillForm = ({
  competitionId,
  code,
  onClose,
}: {
  readonly competitionId: string;
  readonly code: string;
  readonly onClose: () => void;
}) => {
  const { mutate, error, isPending } = useScheduleCommand(competitionId);
  const submit = (fields: FormData): void => {
    const stations = fieldText(fields, 'stations');
    const body = { stations: stations === '' ? null : Number(stations), judges: fields.has('judges') };
    mutate({ method: 'POST', path: `/groups/${code}/assign`, body }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Fill the groups" onClose={onClose} ignoresClicksOutside>
      <Form problem={error} onSubmit={submit}>
        <p>
          Who is in a group stays there. The others come by number into the group with the fewest so far. Who
          is not expected in the round leaves.
        </p>
        <Field
          name="stations"
          label="Stations"
          inputMode="numeric"
          placeholder="none"
          help="Gives each competitor without a station the lowest free one"
          validate={stationsProblem}
        />
        <Checkbox name="judges">The competitors of each group judge the next one in the same room</Checkbox>
        <FormActions action="Fill" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
