/** The dialogs that add, edit and erase a person. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PersonDetailView } from '../../../../../src/competition/persons/person.queries.js';
import { useApiPath } from '../../account.js';
import { send } from '../../api.js';
import { ConfirmCommand, Dialog } from '../../parts/dialog.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import type { PersonDialogProps } from './person-dialog.js';
import { COUNTRY_CHOICES, PERSONS_KEY } from './person-queries.js';

const AddPerson = ({
  name,
  onClose,
  onDone,
}: {
  /** The search text, as the first value of the name. */
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: (person: PersonDetailView) => void;
}) => {
  const api = useApiPath();
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) =>
      send<PersonDetailView>('POST', api('moderation/persons'), {
        ...profileOf(fields),
        regionCode: fieldText(fields, 'regionCode') || null,
      }),
    onSuccess: (person) => {
      void queries.invalidateQueries({ queryKey: PERSONS_KEY });
      onClose();
      onDone(person);
    },
  });
  return (
    <Dialog title="Add a person" onClose={onClose} ignoresClicksOutside>
      <Form onSubmit={mutate} problem={error}>
        <ProfileFields name={name} localizedName="" assocId="" />
        <SelectField name="regionCode" label="Country" choices={COUNTRY_CHOICES} defaultValue="" />
        <FormActions action="Add" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};

/** Adds a person whom a search did not find: `ask` opens the form, with the search text as the first value of the name. */
export const useNewPerson = (name: string, onDone: (person: PersonDetailView) => void) => {
  const [isAsked, setIsAsked] = useState(false);
  return {
    ask: () => setIsAsked(true),
    form: isAsked && <AddPerson name={name} onClose={() => setIsAsked(false)} onDone={onDone} />,
  };
};

export const EditPerson = ({ person, onClose, onDone }: PersonDialogProps) => {
  const api = useApiPath();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) =>
      send('PATCH', api(`moderation/persons/${person.id}`), profileOf(fields)),
    onSuccess: () => onDone(),
  });
  return (
    <Dialog title={`Edit ${person.name}`} onClose={onClose} ignoresClicksOutside>
      <Form onSubmit={mutate} problem={error}>
        <ProfileFields
          name={person.name}
          localizedName={person.localizedName ?? ''}
          assocId={person.assocId ?? ''}
        />
        <FormActions action="Save" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};

export const ErasePerson = ({ person, onClose, onDone }: PersonDialogProps) => {
  const api = useApiPath();
  return (
    <ConfirmCommand
      title={`Erase ${person.name}?`}
      action="Erase for good"
      isDanger
      command={() => send('DELETE', api(`moderation/persons/${person.id}`))}
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        This removes the name, the name in own script and the association id. It cannot be undone. The results
        stay under the number {person.id}, with a dash instead of the name.
      </p>
    </ConfirmCommand>
  );
};

const ProfileFields = (person: Readonly<Record<'name' | 'localizedName' | 'assocId', string>>) => (
  <>
    <Field name="name" label="Name" defaultValue={person.name} isRequired maxLength={200} autoFocus />
    <Field
      name="localizedName"
      label="Name in own script"
      defaultValue={person.localizedName}
      maxLength={200}
    />
    <Field
      name="assocId"
      label="Association id"
      defaultValue={person.assocId}
      maxLength={32}
      help="Such as 2016ABCD01; leave it empty if the person has none"
    />
  </>
);

const profileOf = (fields: FormData) => ({
  name: fieldText(fields, 'name'),
  localizedName: fieldText(fields, 'localizedName') || null,
  assocId: fieldText(fields, 'assocId') || null,
});
