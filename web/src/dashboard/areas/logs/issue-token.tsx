/** Issues an access token and shows it, which is possible only once, with a curl line that uses it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import { shellQuoted } from '../../../format.js';
import { send } from '../../api.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog, DoneAction } from '../../parts/dialog.js';
import { Checkbox, Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { Notice } from '../../parts/notice.js';

interface IssuedTokenView {
  readonly token: string;
  readonly scopes: readonly string[];
  readonly project: string | null;
}

const SCOPES = [
  { value: 'ingest', name: 'Write log entries (ingest)' },
  { value: 'query', name: 'Call every endpoint (query)' },
  { value: 'admin', name: 'Manage endpoints; includes all other scopes (admin)' },
] as const;

export const IssueTokenDialog = ({
  endpoints,
  onClose,
}: {
  readonly endpoints: readonly EndpointView[];
  readonly onClose: () => void;
}) => {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { mutate, error, isPending, data } = useMutation({
    mutationFn: async (fields: FormData): Promise<IssuedTokenView> => {
      const project = fieldText(fields, 'project') || null;
      const body = { name: fieldText(fields, 'name'), scopes: [...chosen], project };
      const { token, scopes } = await send<Omit<IssuedTokenView, 'project'>>(
        'POST',
        '/api/moderation/logs/tokens',
        body,
      );
      return { token, scopes, project };
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['logs', 'tokens'] }),
  });
  if (data) return <IssuedToken issued={data} endpoints={endpoints} onClose={onClose} />;
  const choose = (scope: string, isChosen: boolean): void => {
    const others = [...chosen].filter((one) => one !== scope);
    setChosen(new Set(isChosen ? [...others, scope] : others));
  };
  const choices = [
    ...SCOPES,
    ...endpoints.map(({ id, name }) => ({ value: `query:${id}`, name: `Call ${name}` })),
  ];
  return (
    <Dialog title="Issue a token" onClose={onClose} ignoresClicksOutside>
      <Form onSubmit={mutate} problem={error}>
        <Field name="name" label="Name" help="The name of the program" isRequired maxLength={100} autoFocus />
        <fieldset>
          <legend>The token may</legend>
          {choices.map(({ value, name }) => (
            <Checkbox
              key={value}
              name="scopes"
              value={value}
              isSelected={chosen.has(value)}
              onChange={(isChosen) => choose(value, isChosen)}
            >
              {name}
            </Checkbox>
          ))}
        </fieldset>
        <Field
          name="project"
          label="Project"
          help="The only project that the token can read and write; empty: all. Not allowed with admin."
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
  readonly issued: IssuedTokenView;
  readonly endpoints: readonly EndpointView[];
  readonly onClose: () => void;
}) => (
  <Dialog title="The token" onClose={onClose} ignoresClicksOutside>
    <Notice kind="info">The token is shown only once. Store it where only the program can read it.</Notice>
    <code className="secret">{issued.token}</code>
    <CopyButton what="token" text={() => issued.token}>
      Copy the token
    </CopyButton>
    <p>An example call:</p>
    <pre className="secret">{curlFor(issued, endpoints)}</pre>
    <CopyButton what="curl line" text={() => curlFor(issued, endpoints)}>
      Copy the line
    </CopyButton>
    <DoneAction onPress={onClose} />
  </Dialog>
);

const header = (token: string): string => `-H 'X-API-KEY: ${token}'`;

/** A curl line for one of the token's scopes. */
const curlFor = ({ token, scopes, project }: IssuedTokenView, endpoints: readonly EndpointView[]): string => {
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
