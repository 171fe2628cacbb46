/**
 * The countries of a person. A move from a day on keeps the country of older results; a correction changes older results
 * too.
 */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RegionPeriod } from '../../../../../src/competition/aggregates/person/person.events.js';

import { useApiPath } from '../../account.js';
import { send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import type { PersonDialogProps } from './person-dialog.js';
import { COUNTRY_CHOICES } from './person-queries.js';

export const MovePerson = ({ person, onClose, onDone }: PersonDialogProps) => {
  const api = useApiPath();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) =>
      send('POST', api(`moderation/persons/${person.id}/moves`), {
        from: fieldText(fields, 'from'),
        regionCode: fieldText(fields, 'regionCode') || null,
      }),
    onSuccess: () => onDone(),
  });
  return (
    <Dialog title={`${person.name} moved`} onClose={onClose} ignoresClicksOutside>
      <Form onSubmit={mutate} problem={error}>
        <SelectField
          name="regionCode"
          label="To"
          choices={COUNTRY_CHOICES}
          defaultValue={person.regionCode ?? ''}
        />
        <Field
          name="from"
          label="First day"
          type="date"
          isRequired
          help="Results before this day keep their country"
        />
        <FormActions action="Save" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};

interface Period extends RegionPeriod {
  /** Identifies the row of the form. */
  readonly key: number;
}

const keyed = (timeline: readonly RegionPeriod[]): readonly Period[] => {
  const [first = { from: null, regionCode: null }, ...others] = timeline;
  return [first, ...others].map((period, key) => ({ ...period, key }));
};

export const CorrectRegions = ({ person, onClose, onDone }: PersonDialogProps) => {
  const api = useApiPath();
  const [periods, setPeriods] = useState(keyed(person.timeline));
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) => {
      const timeline = periods.map(({ key }) => ({
        from: fieldText(fields, `from ${key}`) || null,
        regionCode: fieldText(fields, `region ${key}`) || null,
      }));
      return send('PUT', api(`moderation/persons/${person.id}/timeline`), { timeline });
    },
    onSuccess: () => onDone(),
  });
  const add = (): void => {
    const key = Math.max(-1, ...periods.map((period) => period.key)) + 1;
    setPeriods([...periods, { key, from: null, regionCode: null }]);
  };
  return (
    <Dialog title={`The countries of ${person.name}`} onClose={onClose} ignoresClicksOutside>
      <p>This also changes the country of old results, which are then ranked again.</p>
      <Form onSubmit={mutate} problem={error}>
        {periods.map(({ key, from, regionCode }, index) => (
          <fieldset key={key} className="period">
            <legend>{index === 0 ? 'From the beginning' : `Later ${index}`}</legend>
            <SelectField
              name={`region ${key}`}
              label="Country"
              choices={COUNTRY_CHOICES}
              defaultValue={regionCode ?? ''}
            />
            {index > 0 && (
              <>
                <Field
                  name={`from ${key}`}
                  label="First day"
                  type="date"
                  defaultValue={from ?? ''}
                  isRequired
                />
                <Button
                  isQuiet
                  label={`Remove later ${index}`}
                  onPress={() => setPeriods(periods.filter((period) => period.key !== key))}
                >
                  Remove
                </Button>
              </>
            )}
          </fieldset>
        ))}
        <Button onPress={add}>Another country later</Button>
        <FormActions action="Correct" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};
