/** The access tokens: a list with their scopes and last use, and dialogs that issue and revoke one. */
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
  const [isIssuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<TokenView | null>(null);

  return (
    <LogsFrame title="Access tokens">
      <div className="toolbar">
        <p className="quiet">Each token lets one program write logs or call endpoints.</p>
        <Button isMain onPress={() => setIssuing(true)}>
          Issue a token
        </Button>
      </div>
      <Loaded read={tokens}>
        {(issued) => (
          <DataTable
            label="Access tokens"
            columns={columnsWith(endpoints.data ?? [], setRevoking)}
            rows={issued.toReversed()}
            keyOf={({ tokenId }) => tokenId}
            isOver={({ state }) => state === 'revoked'}
            empty="There are no access tokens."
          />
        )}
      </Loaded>
      {isIssuing && <IssueTokenDialog endpoints={endpoints.data ?? []} onClose={() => setIssuing(false)} />}
      {revoking && <RevokeToken token={revoking} onClose={() => setRevoking(null)} />}
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
  {
    title: 'Made by',
    isWide: true,
    cell: ({ madeBy, handedTo }) => (
      <>
        {accountText(madeBy)}
        {handedTo && <div className="help">now of {accountText(handedTo)}</div>}
      </>
    ),
  },
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

const accountText = (account: TokenView['madeBy']): string =>
  account === null ? 'Command line' : (account.name ?? 'A removed account');

/** Replaces the endpoint's id in a scope by its name. */
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
      <p>The server refuses the program at once. This cannot be undone; issue a new token instead.</p>
    </ConfirmCommand>
  );
};
