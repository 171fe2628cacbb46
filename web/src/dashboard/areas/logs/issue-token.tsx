/** Issues an access token and shows it, which is possible this once, with a line that uses it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import { shellQuoted } from '../../../format.js';
import { send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { Notice } from '../../parts/notice.js';

interface Issued {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly project: string | null;
}

const SCOPES = [
  { value: 'ingest', name: 'Write log entries (ingest)' },
  { value: 'query', name: 'Call every endpoint (query)' },
  { value: 'admin', name: 'Manage endpoints, and all of the others (admin)' },
] as const;

export const IssueTokenDialog = ({
  endpoints,
  onClose,
}: {
  readonly endpoints: readonly EndpointView[];
  readonly onClose: () => void;
}) => {
  const client = useQueryClient();
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const { mutate, error, isPending, data } = useMutation({
    mutationFn: async (fields: FormData): Promise<Issued> => {
      const project = fieldText(fields, 'project') || null;
      const body = { name: fieldText(fields, 'name'), scopes: [...wanted], project };
      const { token, scopes } = await send<Omit<Issued, 'project'>>(
        'POST',
        '/api/moderation/logs/tokens',
        body,
      );
      return { token, scopes, project };
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['logs', 'tokens'] }),
  });
  if (data) return <IssuedToken issued={data} endpoints={endpoints} onClose={onClose} />;
  const choose = (scope: string, isWanted: boolean): void => {
    const others = [...wanted].filter((one) => one !== scope);
    setWanted(new Set(isWanted ? [...others, scope] : others));
  };
  const choices = [
    ...SCOPES,
    ...endpoints.map(({ id, name }) => ({ value: `query:${id}`, name: `Call ${name}` })),
  ];
  return (
    <Dialog title="Issue a token" onClose={onClose} keepsOpen>
      <Form onSubmit={mutate} problem={error}>
        <Field
          name="name"
          label="Name"
          help="What you call the program"
          isRequired
          maxLength={100}
          autoFocus
        />
        <fieldset>
          <legend>It may</legend>
          {choices.map(({ value, name }) => (
            <Checkbox
              key={value}
              name="scopes"
              value={value}
              isSelected={wanted.has(value)}
              onChange={(isWanted) => choose(value, isWanted)}
            >
              {name}
            </Checkbox>
          ))}
        </fieldset>
        <Field
          name="project"
          label="Project"
          help="The only one that it reads and writes; empty: all. Never with admin."
          maxLength={200}
        />
        <FormActions action="Issue it" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};

const IssuedToken = ({
  issued,
  endpoints,
  onClose,
}: {
  readonly issued: Issued;
  readonly endpoints: readonly EndpointView[];
  readonly onClose: () => void;
}) => (
  <Dialog title="The token" onClose={onClose} keepsOpen>
    <Notice kind="info">
      It is shown this once. Keep it where the program finds it and nobody else does.
    </Notice>
    <code className="secret">{issued.token}</code>
    <CopyButton what="token" text={() => issued.token}>
      Copy the token
    </CopyButton>
    <p>What it is for:</p>
    <pre className="secret">{curlFor(issued, endpoints)}</pre>
    <CopyButton what="curl line" text={() => curlFor(issued, endpoints)}>
      Copy the line
    </CopyButton>
    <div className="actions">
      <Button isMain onPress={onClose}>
        Done
      </Button>
    </div>
  </Dialog>
);

const header = (token: string): string => `-H 'X-API-KEY: ${token}'`;

/** A line that uses what the token may do. */
const curlFor = ({ token, scopes, project }: Issued, endpoints: readonly EndpointView[]): string => {
  const { origin } = location;
  if (scopes.every((scope) => scope === 'ingest')) {
    const entry = JSON.stringify({ event_message: 'hello', project: project ?? 'todo-app' });
    return `curl -X POST '${origin}/api/logs?source=edge_logs' ${header(token)} \\
  -H 'Content-Type: application/json' -d ${shellQuoted(entry)}`;
  }
  const [, id] = scopes.find((scope) => scope.startsWith('query:'))?.split(':') ?? [];
  const endpoint = endpoints.find((one) => one.id === id)?.name ?? endpoints[0]?.name ?? 'logs.all';
  return `curl -G '${origin}/api/endpoints/query/${endpoint}' ${header(token)} \\
  -H 'Content-Type: application/json; charset=utf-8' --data-urlencode ${shellQuoted(`project=${project ?? 'todo-app'}`)}`;
};
