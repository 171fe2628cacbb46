/** The question before an account is removed, with what becomes of its access tokens. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../../../src/foundation/operational/account.js';
import type { TokenView } from '../../../../../src/logs/tokens/token.queries.js';
import { useAccount, useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';

interface RemoveUserProps {
  readonly account: Account;
  /** All accounts of the space. */
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}

export const RemoveUser = ({ account, accounts, onClose }: RemoveUserProps) => {
  const api = useApiPath();
  const { managesTokens } = useAccount();
  const [heir, setHeir] = useState('');
  const query = heir === '' ? '' : `?${new URLSearchParams({ handTokensTo: heir })}`;
  const heirs = accounts.filter((one) => one.managesTokens && one.accountId !== account.accountId);
  return (
    <ConfirmCommand
      title={`Remove ${account.name}?`}
      action="Remove"
      isDanger
      command={() => send('DELETE', api(`moderation/users/${account.accountId}${query}`))}
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        This signs the user out at once and erases their name and email. Results that they entered stay,
        without their name.
      </p>
      {managesTokens ? (
        <Tokens of={account} heirs={heirs} heir={heir} onChoose={setHeir} />
      ) : (
        <p>It also revokes the access tokens that they made.</p>
      )}
    </ConfirmCommand>
  );
};

interface TokensProps {
  readonly of: Account;
  readonly heirs: readonly Account[];
  /** Id of the account that gets them; empty: they are revoked. */
  readonly heir: string;
  readonly onChoose: (heir: string) => void;
}

const Tokens = ({ of, heirs, heir, onChoose }: TokensProps) => {
  const { data, error } = useQuery({
    queryKey: ['logs', 'tokens'],
    queryFn: ({ signal }) => getJson<readonly TokenView[]>('/api/moderation/logs/tokens', signal),
  });
  if (error) return <ProblemNotice problem={error} />;
  if (!data) return <Loading />;
  const own = data.filter((token) => token.state === 'active' && ownerOf(token) === of.accountId);
  if (own.length === 0) return <p>They have no access tokens.</p>;
  const count = own.length === 1 ? 'an access token' : `${own.length} access tokens`;
  return (
    <>
      <p>
        They have {count}: {own.map(({ name }) => name).join(', ')}. The programs that use them go on only
        when you hand the tokens over.
      </p>
      <SelectField
        name="handTokensTo"
        label="Access tokens"
        value={heir}
        onChange={onChoose}
        choices={[
          { value: '', name: 'Revoke' },
          ...heirs.map(({ accountId, name }) => ({ value: accountId, name: `Hand over to ${name}` })),
        ]}
      />
    </>
  );
};

const ownerOf = ({ madeBy, handedTo }: TokenView): string | undefined => (handedTo ?? madeBy)?.accountId;
