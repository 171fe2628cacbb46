/** Access tokens: issued, shown once with what one does with them, listed with their last use, revoked. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import type { TokenView } from '../../../../../src/logs/tokens/token.queries.js';
import { getJson, send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { IssueTokenDialog } from './issue-token.js';
import { LogsFrame } from './logs-frame.js';
import { listEndpoints } from './requests.js';
import { dayText, minuteText } from './time-text.js';

const PATH = '/api/moderation/logs/tokens';

const Tokens = () => {
  const tokens = useQuery({
    queryKey: ['logs', 'tokens'],
    queryFn: () => getJson<readonly TokenView[]>(PATH),
  });
  const endpoints = useQuery({ queryKey: ['logs', 'endpoints'], queryFn: listEndpoints });
  const [issues, setIssues] = useState(false);
  const [revoked, setRevoked] = useState<TokenView | null>(null);

  return (
    <LogsFrame title="Access tokens">
      <div className="toolbar">
        <p className="quiet">Each lets one program write logs or call endpoints.</p>
        <Button isMain onPress={() => setIssues(true)}>
          Issue a token
        </Button>
      </div>
      <Loaded read={tokens}>
        {(issued) => (
          <DataTable
            label="Access tokens"
            columns={columnsWith(endpoints.data ?? [], setRevoked)}
            rows={issued.toReversed()}
            keyOf={({ tokenId }) => tokenId}
            isOver={({ state }) => state === 'revoked'}
            empty="There are no access tokens."
          />
        )}
      </Loaded>
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
  { title: 'Issued', isWide: true, cell: ({ issuedAt }) => dayText(issuedAt) },
  { title: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : minuteText(lastUsedAt)) },
  {
    title: 'Revoke',
    isActions: true,
    cell: (token) =>
      token.state === 'revoked' ? (
        `Revoked ${dayText(token.revokedAt ?? '')}`
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

const RevokeToken = ({ token, onClose }: { readonly token: TokenView; readonly onClose: () => void }) => {
  const client = useQueryClient();
  return (
    <ConfirmCommand
      title={`Revoke ${token.name}?`}
      action="Revoke it"
      isDanger
      command={() => send('DELETE', `${PATH}/${encodeURIComponent(token.tokenId)}`)}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: ['logs', 'tokens'] });
        onClose();
      }}
      onClose={onClose}
    >
      <p>The program that has it is refused at once. This cannot be taken back; issue another one instead.</p>
    </ConfirmCommand>
  );
};
