/** Access tokens: issued, shown once with what one does with them, listed with their last use, revoked. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import type { TokenView } from '../../../../../src/logs/tokens/token.queries.js';
import { getJson, send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Confirm } from '../../parts/dialog.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { IssueTokenDialog } from './issue-token.js';
import { LogsFrame } from './logs-frame.js';
import { listEndpoints } from './requests.js';

const PATH = '/api/moderation/logs/tokens';

const Tokens = () => {
  const tokens = useQuery({
    queryKey: ['logs', 'tokens'],
    queryFn: () => getJson<readonly TokenView[]>(PATH),
  });
  const endpoints = useQuery({ queryKey: ['logs', 'endpoints'], queryFn: listEndpoints });
  const [issues, setIssues] = useState(false);
  const [revoked, setRevoked] = useState<TokenView | null>(null);
  const newest = (tokens.data ?? []).toReversed();
  return (
    <LogsFrame title="Access tokens">
      <div className="toolbar">
        <p className="quiet">Each lets one program write logs or call endpoints.</p>
        <Button isMain onPress={() => setIssues(true)}>
          Issue a token
        </Button>
      </div>
      {tokens.error && <ProblemNotice problem={tokens.error} />}
      {tokens.isPending && <Loading />}
      {tokens.data && (
        <DataTable
          label="Access tokens"
          columns={columnsWith(endpoints.data ?? [], setRevoked)}
          rows={newest}
          keyOf={({ tokenId }) => tokenId}
          isOver={({ state }) => state === 'revoked'}
          empty="There are no access tokens."
        />
      )}
      {issues && <IssueTokenDialog endpoints={endpoints.data ?? []} onClose={() => setIssues(false)} />}
      {revoked && <RevokeToken token={revoked} onClose={() => setRevoked(null)} />}
    </LogsFrame>
  );
};

export default Tokens;

const columnsWith = (
  endpoints: readonly EndpointView[],
  onRevoke: (token: TokenView) => void,
): readonly Column<TokenView>[] => [
  {
    title: 'Name',
    cell: ({ name, tokenId }) => (
      <>
        {name}
        <div className="help">{tokenId}</div>
      </>
    ),
  },
  { title: 'May', cell: ({ scopes }) => scopes.map((scope) => scopeText(scope, endpoints)).join(', ') },
  { title: 'Project', isWide: true, cell: ({ project }) => project ?? 'All' },
  { title: 'Issued', isWide: true, cell: ({ issuedAt }) => dayOf(issuedAt) },
  { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : timeOf(lastUsedAt)) },
  {
    title: 'Revoke',
    isActions: true,
    cell: (token) =>
      token.state === 'revoked' ? (
        `Revoked ${dayOf(token.revokedAt ?? '')}`
      ) : (
        <Button isQuiet isDanger label={`Revoke ${token.name}`} onPress={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
  },
];

/** A scope has the endpoint's id; people know its name. */
const scopeText = (scope: string, endpoints: readonly EndpointView[]): string => {
  const [kind, id] = scope.split(':');
  return id === undefined ? scope : `${kind} ${endpoints.find((endpoint) => endpoint.id === id)?.name ?? id}`;
};

const dayOf = (iso: string): string => iso.slice(0, 10);
const timeOf = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

const RevokeToken = ({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }) => {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => send('DELETE', `${PATH}/${encodeURIComponent(token.tokenId)}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['logs', 'tokens'] });
      onClose();
    },
  });
  return (
    <Confirm
      title={`Revoke ${token.name}?`}
      action="Revoke it"
      isDanger
      isPending={isPending}
      problem={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>The program that has it is refused at once. This cannot be taken back; issue another one instead.</p>
    </Confirm>
  );
};
