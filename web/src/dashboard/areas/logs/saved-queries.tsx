/** The queries that the accounts have saved under a name. Each has a link that stays the same when the query is replaced. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { ConfirmCommand, Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { ProblemNotice } from '../../parts/notice.js';
import { listSavedQueries, removeQuery, saveQuery } from './requests.js';

const KEY = ['logs', 'saved queries'];

export const useSavedQueries = () => useQuery({ queryKey: KEY, queryFn: listSavedQueries });

const linkTo = (name: string): string => `/dashboard/logs?saved=${encodeURIComponent(name)}`;

export const SavedQueries = () => {
  const { data: saved = [], error } = useSavedQueries();
  const [removing, setRemoving] = useState<string | null>(null);
  if (error) return <ProblemNotice problem={error} />;
  if (saved.length === 0) return null;
  return (
    <details className="saved-queries">
      <summary>Saved queries ({saved.length})</summary>
      <ul>
        {saved.map(({ name }) => (
          <li key={name}>
            <Link href={linkTo(name)}>{name}</Link>
            <CopyButton what={`link of ${name}`} text={() => location.origin + linkTo(name)}>
              Copy link
            </CopyButton>
            <Button isQuiet isDanger label={`Remove ${name}`} onPress={() => setRemoving(name)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {removing !== null && <RemoveQuery name={removing} onClose={() => setRemoving(null)} />}
    </details>
  );
};

const RemoveQuery = ({ name, onClose }: { readonly name: string; readonly onClose: () => void }) => {
  const client = useQueryClient();
  return (
    <ConfirmCommand
      title={`Remove ${name}?`}
      action="Remove it"
      isDanger
      command={() => removeQuery(name)}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: KEY });
        onClose();
      }}
      onClose={onClose}
    >
      <p>Its link ends for all accounts. The log entries stay.</p>
    </ConfirmCommand>
  );
};

/** The text as a name: a space becomes a hyphen, and what no name has is left out while the user types. */
const nameOf = (text: string): string =>
  text
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^\w.-]/g, '')
    .replace(/^[._-]+/, '');

/** Not inside the form of the query, which would run it with each submit. */
export const SaveQueryDialog = ({
  address,
  onClose,
}: {
  /** Of the query, with its facets. */
  readonly address: string;
  readonly onClose: () => void;
}) => {
  const client = useQueryClient();
  const { data: saved = [] } = useSavedQueries();
  const [name, setName] = useState('');
  const saving = useMutation({
    mutationFn: (as: string) => saveQuery(as, address),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: KEY });
      onClose();
    },
  });
  const isTaken = saved.some((one) => one.name === name.trim());
  return (
    <Dialog title="Save the query" onClose={onClose} ignoresClicksOutside>
      <Form onSubmit={(fields) => saving.mutate(fieldText(fields, 'name'))} problem={saving.error}>
        <Field
          name="name"
          label="Name"
          value={name}
          onChange={(text) => setName(nameOf(text))}
          isRequired
          autoFocus
          maxLength={100}
          help={
            isTaken
              ? 'A query has this name. This one replaces it.'
              : 'Letters, digits and . _ - such as failed-requests. All accounts that read the logs see it.'
          }
        />
        <FormActions
          action={isTaken ? 'Replace it' : 'Save'}
          isPending={saving.isPending}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
};
