/** The dialogs that create and change an account. The password of a new account is shown once. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account, Role } from '../../../../../src/foundation/operational/account.js';
import { useAccount, useApiPath } from '../../account.js';
import { send } from '../../api.js';

import { Dialog } from '../../parts/dialog.js';
import { Checkbox, Field, SelectField } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { pickedIds } from '../../parts/picker.js';
import { ContestPicker } from '../contests/contest-picker.js';
import { OneTimePassword } from './user-questions.js';

interface CreatedAccount {
  readonly account: Account;
  readonly password: string;
}

export const AddUser = ({ onClose }: { readonly onClose: () => void }) => {
  const api = useApiPath();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (fields: FormData) => send<CreatedAccount>('POST', api('moderation/users'), bodyOf(fields)),
  });
  return (
    <Dialog title={data ? 'The account is created' : 'Add a user'} onClose={onClose} ignoresClicksOutside>
      {data ? (
        <OneTimePassword email={data.account.email} password={data.password} onClose={onClose} />
      ) : (
        <Form onSubmit={mutate} problem={error}>
          <AccountFields account={null} />
          <FormActions action="Add" isPending={isPending} onClose={onClose} />
        </Form>
      )}
    </Dialog>
  );
};

export const EditUser = ({
  account,
  onClose,
}: {
  readonly account: Account;
  readonly onClose: () => void;
}) => {
  const api = useApiPath();
  const me = useAccount();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (fields: FormData) =>
      send<Account>('PATCH', api(`moderation/users/${account.accountId}`), bodyOf(fields)),
    onSuccess: () => {
      // The user's own rights may have changed, and with them the frame.
      if (account.accountId === me.accountId) location.reload();
      onClose();
    },
  });
  return (
    <Dialog title={`Edit ${account.name}`} onClose={onClose} ignoresClicksOutside>
      <Form onSubmit={mutate} problem={error}>
        <AccountFields account={account} />
        <FormActions action="Save" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};

const AccountFields = ({ account }: { readonly account: Account | null }) => {
  const me = useAccount();
  const [role, setRole] = useState<Role>(account?.role ?? 'moderator');
  return (
    <>
      <Field
        name="name"
        label="Name"
        defaultValue={account?.name ?? ''}
        isRequired
        maxLength={100}
        autoFocus
      />
      <Field
        name="email"
        label="Email"
        type="email"
        defaultValue={account?.email ?? ''}
        isRequired
        maxLength={254}
        autoComplete="off"
      />
      <SelectField
        name="role"
        label="Role"
        value={role}
        onChange={(value) => setRole(value === 'admin' ? 'admin' : 'moderator')}
        choices={[
          { value: 'moderator', name: 'Moderator: the contests below' },
          { value: 'admin', name: 'Admin: all contests of the space' },
        ]}
      />
      {role === 'moderator' && (
        <ContestPicker
          name="contests"
          label="Contests"
          ids={account?.contests ?? []}
          help="The contests that this user may run"
        />
      )}
      <Checkbox
        name="readsLogs"
        defaultSelected={account?.readsLogs ?? false}
        isDisabled={!me.readsLogs && !account?.readsLogs}
      >
        May read the logs, and manage endpoints
      </Checkbox>
      <Checkbox
        name="managesTokens"
        defaultSelected={account?.managesTokens ?? false}
        isDisabled={!me.managesTokens && !account?.managesTokens}
      >
        May manage access tokens (with the logs only)
      </Checkbox>
    </>
  );
};

const bodyOf = (fields: FormData) => ({
  name: fieldText(fields, 'name'),
  email: fieldText(fields, 'email'),
  role: fieldText(fields, 'role'),
  contests: pickedIds(fields, 'contests'),
  readsLogs: fields.has('readsLogs'),
  managesTokens: fields.has('managesTokens'),
});
