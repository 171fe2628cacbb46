/** The form with the details of a new or existing contest. */
import type { ReactNode } from 'react';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { CONTEST_TYPES } from '../../../../../src/domain/attempts.js';
import { COUNTRY_OPTIONS } from '../../../components/options.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { pickedIds } from '../../parts/picker.js';
import { PersonPicker } from '../persons/person-picker.js';
import { CONTEST_TYPE_NAMES } from './contest-state.js';

const COUNTRIES = [{ value: '', name: 'None' }, ...COUNTRY_OPTIONS];
const TYPES = CONTEST_TYPES.map((value) => ({ value, name: CONTEST_TYPE_NAMES[value] }));

interface DetailsFormProps {
  /** Null for a new contest. */
  readonly contest: ModeratedContestView | null;
  /** Fields before the others. */
  readonly children?: ReactNode;
  readonly action: string;
  readonly isPending: boolean;
  readonly problem: Error | null;
  readonly onSubmit: (details: object, fields: FormData) => void;
  readonly onCancel?: () => void;
}

export const DetailsForm = ({
  contest,
  children,
  action,
  isPending,
  problem,
  onSubmit,
  onCancel,
}: DetailsFormProps) => (
  <Form problem={problem} onSubmit={(fields) => onSubmit(detailsOf(fields), fields)}>
    {children}
    {contest && <Field name="name" label="Name" defaultValue={contest.name} isRequired />}
    <Field
      name="shortName"
      label="Short name"
      defaultValue={contest?.shortName ?? ''}
      help="For narrow columns. Default: the name"
    />
    <SelectField name="type" label="Type" choices={TYPES} defaultValue={contest?.type ?? 'competition'} />
    <div className="side-by-side">
      <Field
        name="startDate"
        label="First day"
        type="date"
        defaultValue={contest?.startDate ?? ''}
        isRequired
      />
      <Field
        name="endDate"
        label="Last day"
        type="date"
        defaultValue={contest?.endDate ?? ''}
        help="Default: the first day"
      />
    </div>
    <SelectField
      name="regionCode"
      label="Country"
      choices={COUNTRIES}
      defaultValue={contest?.regionCode ?? ''}
    />
    <Field name="city" label="City" defaultValue={contest?.city ?? ''} />
    <Field name="venue" label="Venue" defaultValue={contest?.venue ?? ''} />
    <PersonPicker
      name="organizerIds"
      label="Organizers"
      defaultPicked={contest?.organizers.map(({ personId, name }) => ({ id: String(personId), name })) ?? []}
    />
    <div className="form-end">
      <SubmitButton isPending={isPending}>{action}</SubmitButton>
      {onCancel && (
        <Button isQuiet onPress={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  </Form>
);

const detailsOf = (fields: FormData): object => {
  const orNull = (name: string): string | null => fieldText(fields, name) || null;
  const name = fieldText(fields, 'name');
  const startDate = fieldText(fields, 'startDate');
  return {
    name,
    shortName: fieldText(fields, 'shortName') || name,
    type: fieldText(fields, 'type'),
    startDate,
    endDate: fieldText(fields, 'endDate') || startDate,
    regionCode: orNull('regionCode'),
    city: orNull('city'),
    venue: orNull('venue'),
    organizerIds: pickedIds(fields, 'organizerIds').map(Number),
  };
};
