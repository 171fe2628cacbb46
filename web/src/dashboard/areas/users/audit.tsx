/** What was done with accounts, keys and tokens, newest first; one click shows what one account or one network did. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { AuditView } from '../../../../../src/accounts/audit.js';
import type { AuditAction } from '../../../../../src/foundation/operational/audit-store.js';
import { useApiPath } from '../../account.js';
import { getPage } from '../../api.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { SelectField } from '../../parts/field.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { useSearchParam } from '../../parts/search-param.js';
import { UsersFrame } from './users-frame.js';

const PATH = '/dashboard/users/audit';
const PAGE_SIZE = 50;

const ACTION_NAMES: Readonly<Record<AuditAction, string>> = {
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
  'device-signed-out': 'Signed out another device',
  'sign-in-failed': 'Sign-in failed',
  'password-changed': 'Changed the password',
  'password-reset': 'Gave a new password',
  'factors-changed': 'Changed passkeys or codes',
  'factors-reset': 'Reset passkeys and codes',
  'account-created': 'Created an account',
  'account-changed': 'Changed an account',
  'account-removed': 'Removed an account',
  'key-issued': 'Issued an API key',
  'key-revoked': 'Revoked an API key',
  'key-ended': 'Ended an API key with its contest',
  'key-failed': 'Bad API key',
  'token-issued': 'Issued an access token',
  'token-revoked': 'Revoked an access token',
  'token-handed-over': 'Handed an access token over',
  'token-failed': 'Bad access token',
  'person-erased': 'Erased a person',
};

const CHOICES = [
  { value: '', name: 'All' },
  ...Object.entries(ACTION_NAMES).map(([value, name]) => ({ value, name })),
];

const Audit = () => {
  const [action, setAction] = useSearchParam('action');
  const [account, setAccount] = useSearchParam('account');
  const [network, setNetwork] = useSearchParam('network');
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useAudit({
    action,
    account,
    network,
  });
  return (
    <UsersFrame>
      <h1>Audit trail</h1>
      <SelectField name="action" label="Action" value={action} onChange={setAction} choices={CHOICES} />
      {account !== '' && <Filter of={`Account ${account}`} onRemove={() => setAccount('')} />}
      {network !== '' && <Filter of={`Network ${network}`} onRemove={() => setNetwork('')} />}
      {error && <ProblemNotice problem={error} />}
      {!data && !error && <Loading />}
      {data && (
        <DataTable
          label="Audit trail"
          columns={COLUMNS}
          rows={data}
          keyOf={({ entryId }) => entryId}
          empty="There are no entries."
          isStacked
        />
      )}
      {hasNextPage && (
        <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </UsersFrame>
  );
};

export default Audit;

interface Filters {
  readonly action: string;
  readonly account: string;
  readonly network: string;
}

const useAudit = (filters: Filters) => {
  const api = useApiPath();
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  const query = new URLSearchParams([...given, ['limit', String(PAGE_SIZE)]]);
  return useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) => getPage<AuditView>(pageParam, signal),
    initialPageParam: api(`moderation/audit?${query}`),
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
  });
};

const Filter = ({ of, onRemove }: { readonly of: string; readonly onRemove: () => void }) => (
  <p>
    <span className="badge">{of}</span>{' '}
    <Button isQuiet label={`Show all, not only ${of}`} onPress={onRemove}>
      Show all
    </Button>
  </p>
);

const timeText = (iso: string): string => new Date(iso).toLocaleString();

/** A removed account, or one of another space, has only its id. */
const nameText = (name: string | null, id: string): string => name ?? id.slice(0, 12);

const COLUMNS: readonly Column<AuditView>[] = [
  {
    title: 'What',
    cell: ({ action, count, details }) => (
      <>
        {ACTION_NAMES[action]}
        {count > 1 && ` (${count} times)`}
        {details.length > 0 && <div className="help">{details.join(', ')}</div>}
      </>
    ),
  },
  { title: 'When', cell: ({ at }) => timeText(at) },
  {
    title: 'Who',
    isWide: true,
    cell: ({ action, accountId, accountName }) => {
      if (accountId === null) return action.endsWith('-failed') ? 'Not known' : 'Command line';
      return <Link href={`${PATH}?account=${accountId}`}>{nameText(accountName, accountId)}</Link>;
    },
  },
  {
    title: 'To',
    isWide: true,
    cell: ({ subject, subjectName }) => subject && nameText(subjectName, subject),
  },
  {
    title: 'Network',
    isWide: true,
    cell: ({ network }) => network && <Link href={`${PATH}?network=${network}`}>{network}</Link>,
  },
];
