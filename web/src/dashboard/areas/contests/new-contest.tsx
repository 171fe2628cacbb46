/** A new contest, which is a draft. The form proposes an id made from the name; the user can type another. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { useApiPath } from '../../account.js';
import { send } from '../../api.js';
import { Field } from '../../parts/field.js';
import { fieldText } from '../../parts/form.js';
import { DetailsForm } from './details-form.js';
import './contests.css';

const MAX_ID_LENGTH = 64;

/** `Spring Open 2026` as `SpringOpen2026`. */
const idOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9]+/g, '')
    .slice(0, MAX_ID_LENGTH);

const NewContestPage = () => {
  const path = useApiPath()('moderation/contests');
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [ownId, setOwnId] = useState<string | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: object) => send<ModeratedContestView>('POST', path, body),
    onSuccess: ({ competitionId }) => {
      void client.invalidateQueries({ queryKey: ['moderated-contests'] });
      navigate(`/dashboard/contests/${competitionId}/rounds`);
    },
  });
  return (
    <>
      <h1>New contest</h1>
      <p className="quiet">A new contest is a draft: it is not public until you announce it.</p>
      <DetailsForm
        contest={null}
        action="Create the draft"
        isPending={isPending}
        problem={error}
        onSubmit={(details, fields) =>
          mutate({ ...details, competitionId: fieldText(fields, 'competitionId') })
        }
      >
        <Field name="name" label="Name" value={name} onChange={setName} isRequired autoFocus />
        <Field
          name="competitionId"
          label="Id"
          value={ownId ?? idOf(name)}
          onChange={setOwnId}
          help="Used in addresses and on devices; it cannot change later. Letters, digits, _ and -"
          maxLength={MAX_ID_LENGTH}
          isRequired
        />
      </DetailsForm>
    </>
  );
};

export default NewContestPage;
