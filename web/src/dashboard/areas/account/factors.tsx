/** The user's passkeys, authenticator app and recovery codes, each with a button that removes it or makes it anew. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  FactorsDto,
  NewAuthenticatorDto,
  RecoveryCodesDto,
} from '../../../../../src/accounts/factors/factors.dto.js';
import { useSignedIn } from '../../account.js';
import { getJson, getSignedInAccount, send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemNotice } from '../../parts/notice.js';
import { NewAuthenticator } from './new-authenticator.js';
import { NewPasskey } from './new-passkey.js';
import { RecoveryCodes } from './recovery-codes.js';

const PATH = '/api/session/factors';
const KEY = ['session', 'factors'];

interface Factor {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly usedAt: string | null;
}

type Open =
  | { readonly kind: 'passkey' }
  | { readonly kind: 'authenticator'; readonly made: NewAuthenticatorDto }
  | { readonly kind: 'codes'; readonly codes: readonly string[] }
  | { readonly kind: 'remove'; readonly factor: Factor; readonly isLast: boolean };

export const Factors = () => {
  const { update } = useSignedIn();
  const client = useQueryClient();
  const [open, setOpen] = useState<Open | null>(null);
  const factors = useQuery({ queryKey: KEY, queryFn: () => getJson<FactorsDto>(PATH) });
  const begin = useMutation({
    mutationFn: () => send<NewAuthenticatorDto>('POST', `${PATH}/authenticator/secret`),
    onSuccess: (made) => setOpen({ kind: 'authenticator', made }),
  });
  /** `codes`: new ones, to be shown this once. */
  const changed = (codes: readonly string[] | null): void => {
    setOpen(codes === null ? null : { kind: 'codes', codes });
    // The devices too: the others are signed out.
    void client.invalidateQueries({ queryKey: ['session'] });
    void getSignedInAccount().then((now) => now && update(now));
  };
  const renew = useMutation({
    mutationFn: () => send<RecoveryCodesDto>('POST', `${PATH}/recovery-codes`),
    onSuccess: ({ recoveryCodes }) => changed(recoveryCodes),
  });
  const problem = begin.error ?? renew.error;
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Loaded read={factors}>
        {(read) => {
          const rows = rowsOf(read);
          return (
            <>
              <DataTable
                label="Passkeys and codes"
                columns={columnsWith((factor) =>
                  setOpen({ kind: 'remove', factor, isLast: rows.length === 1 }),
                )}
                rows={rows}
                keyOf={({ path }) => path}
                empty="You have none: the password alone signs in."
              />
              <div className="actions left">
                <Button onPress={() => setOpen({ kind: 'passkey' })}>Add a passkey</Button>
                <Button isPending={begin.isPending} onPress={() => begin.mutate()}>
                  {read.authenticator ? 'Replace the authenticator app' : 'Set up an authenticator app'}
                </Button>
              </div>
              {rows.length > 0 && (
                <div className="actions left">
                  <span>Recovery codes left: {read.recoveryCodesLeft}</span>
                  <Button isPending={renew.isPending} onPress={() => renew.mutate()}>
                    Make new recovery codes
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Loaded>
      {open && <Opened open={open} onChanged={changed} onClose={() => setOpen(null)} />}
    </>
  );
};

const Opened = ({
  open,
  onChanged,
  onClose,
}: {
  readonly open: Open;
  readonly onChanged: (codes: readonly string[] | null) => void;
  readonly onClose: () => void;
}) => {
  switch (open.kind) {
    case 'passkey':
      return <NewPasskey onAdded={onChanged} onClose={onClose} />;
    case 'authenticator':
      return <NewAuthenticator made={open.made} onAdded={onChanged} onClose={onClose} />;
    case 'codes':
      return <RecoveryCodes codes={open.codes} onClose={onClose} />;
    case 'remove':
      return (
        <ConfirmCommand
          title={`Remove ${open.factor.name}?`}
          action="Remove"
          isDanger
          command={() => send('DELETE', `${PATH}/${open.factor.path}`)}
          onDone={() => onChanged(null)}
          onClose={onClose}
        >
          <p>
            {open.isLast && 'Then the password alone signs in, and the recovery codes end. '}
            This signs you out everywhere else.
          </p>
        </ConfirmCommand>
      );
    default:
      return open satisfies never;
  }
};

const timeText = (time: string): string => new Date(time).toLocaleString();

const rowsOf = ({ passkeys, authenticator }: FactorsDto): readonly Factor[] => [
  ...passkeys.map(({ passkeyId, name, isSynced, createdAt, usedAt }) => ({
    path: `passkeys/${passkeyId}`,
    name,
    about: `Passkey${isSynced ? ', on all devices of its owner' : ''}, since ${timeText(createdAt)}`,
    usedAt,
  })),
  ...(authenticator
    ? [
        {
          path: 'authenticator',
          name: 'Authenticator app',
          about: `Codes, since ${timeText(authenticator.createdAt)}`,
          usedAt: null,
        },
      ]
    : []),
];

const columnsWith = (onRemove: (factor: Factor) => void): readonly Column<Factor>[] => [
  {
    title: 'Name',
    cell: ({ name, about, usedAt }) => (
      <>
        {name}
        <div className="help">
          {about}
          {usedAt !== null && `, last used ${timeText(usedAt)}`}
        </div>
      </>
    ),
  },
  {
    title: 'Remove',
    isActions: true,
    cell: (factor) => (
      <Button isQuiet isDanger label={`Remove ${factor.name}`} onPress={() => onRemove(factor)}>
        Remove
      </Button>
    ),
  },
];
