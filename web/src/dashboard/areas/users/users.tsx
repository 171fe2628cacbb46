/** The accounts of the space and their rights, which admins add, change and remove. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { Account, ListedAccount } from '../../../../../src/foundation/operational/account.js';
import { ROLE_NAMES, useAccount, useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { RemoveUser } from './remove-user.js';
import { AddUser, EditUser } from './user-form.js';
import { ResetFactors, ResetPassword } from './user-questions.js';
import { UsersFrame } from './users-frame.js';

const USERS_KEY = ['users'];

const FACTOR_NAMES = { passkey: 'Passkey', authenticator: 'App' } as const;

type Open =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'password' | 'factors' | 'remove'; readonly account: Account };

const Users = () => {
  const me = useAccount();
  const api = useApiPath();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const { data, error } = useQuery({
    queryKey: USERS_KEY,
    queryFn: ({ signal }) => getJson<readonly ListedAccount[]>(api('moderation/users'), signal),
  });
  const close = (): void => {
    setOpen(null);
    void queries.invalidateQueries({ queryKey: USERS_KEY });
  };
  if (!data) return error ? <ProblemNotice problem={error} /> : <Loading />;
  return (
    <UsersFrame>
      <div className="toolbar">
        <h1>Users</h1>
        <Button isMain onPress={() => setOpen({ kind: 'add' })}>
          Add a user
        </Button>
      </div>
      {error && <ProblemNotice problem={error} />}
      <DataTable
        label="Users"
        columns={columnsFor(me, setOpen)}
        rows={data}
        keyOf={({ accountId }) => accountId}
        empty="There are no users."
      />
      {open && <Opened open={open} accounts={data} onClose={close} />}
    </UsersFrame>
  );
};

export default Users;

const Opened = ({
  open,
  accounts,
  onClose,
}: {
  readonly open: Open;
  readonly accounts: readonly Account[];
  readonly onClose: () => void;
}) => {
  switch (open.kind) {
    case 'add':
      return <AddUser onClose={onClose} />;
    case 'edit':
      return <EditUser account={open.account} onClose={onClose} />;
    case 'password':
      return <ResetPassword account={open.account} onClose={onClose} />;
    case 'factors':
      return <ResetFactors account={open.account} onClose={onClose} />;
    case 'remove':
      return <RemoveUser account={open.account} accounts={accounts} onClose={onClose} />;
    default:
      return open satisfies never;
  }
};

/** Breaks an email only before dots and the @, and keeps the part after the @ on one line if there is room. */
const Email = ({ of }: { readonly of: string }) => {
  const at = of.lastIndexOf('@');
  return (
    <span className="quiet email">
      <BreakableAtDots>{of.slice(0, at)}</BreakableAtDots>
      <wbr />
      <span>
        <BreakableAtDots>{of.slice(at)}</BreakableAtDots>
      </span>
    </span>
  );
};

const BreakableAtDots = ({ children }: { readonly children: string }) =>
  children.split(/(?=\.)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change their order.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));

const columnsFor = (me: Account, open: (what: Open) => void): readonly Column<ListedAccount>[] => [
  {
    title: 'Name',
    cell: ({ accountId, name, email }) => (
      <>
        <span className="badged">
          {name}
          {accountId === me.accountId && <span className="badge">You</span>}
        </span>
        <Email of={email} />
      </>
    ),
  },
  { title: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
  {
    title: 'Contests',
    isWide: true,
    cell: ({ role, contests }) => (role === 'admin' ? 'All' : contests.join(', ') || 'None yet'),
  },
  { title: 'Logs', isWide: true, cell: ({ readsLogs }) => (readsLogs ? 'Yes' : 'No') },
  {
    title: 'Second factor',
    isWide: true,
    cell: ({ factors }) => factors.map((kind) => FACTOR_NAMES[kind]).join(', ') || 'None',
  },
  {
    title: 'Actions',
    isActions: true,
    cell: (account) => (
      <>
        <Button isQuiet label={`Edit ${account.name}`} onPress={() => open({ kind: 'edit', account })}>
          Edit
        </Button>
        {account.accountId !== me.accountId && (
          <>
            <Button
              isQuiet
              label={`New password for ${account.name}`}
              onPress={() => open({ kind: 'password', account })}
            >
              New password
            </Button>
            {account.factors.length > 0 && (
              <Button
                isQuiet
                label={`Reset the second factor of ${account.name}`}
                onPress={() => open({ kind: 'factors', account })}
              >
                Reset factor
              </Button>
            )}
            <Button
              isQuiet
              isDanger
              label={`Remove ${account.name}`}
              onPress={() => open({ kind: 'remove', account })}
            >
              Remove
            </Button>
          </>
        )}
      </>
    ),
  },
];
