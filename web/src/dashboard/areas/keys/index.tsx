/** The API keys of a contest, one for each device or program: their purpose, their use, and for ended keys the reason. */
import './keys.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import type { IssuedKeyDto } from '../../../../../src/competition/keys/key.dto.js';
import type { ApiKeyView } from '../../../../../src/competition/keys/key.queries.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { Field, SelectField } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { IssuedKey } from './issued-key.js';

/** Devices use their keys while the page is open. */
const REFETCH_MS = 5_000;

const useKeys = (competitionId: string) => {
  const path = useApiPath()(`moderation/contests/${competitionId}/keys`);
  const client = useQueryClient();
  const refetch = (): Promise<void> => client.invalidateQueries({ queryKey: [path] });
  return {
    list: useQuery({
      queryKey: [path],
      queryFn: ({ signal }) => getJson<readonly ApiKeyView[]>(path, signal),
      refetchInterval: REFETCH_MS,
    }),
    issue: useMutation({
      mutationFn: (wanted: Pick<IssuedKeyDto, 'device' | 'purpose'>) =>
        send<IssuedKeyDto>('POST', path, wanted),
      onSuccess: refetch,
    }),
    revoke: async (keyId: string): Promise<void> => {
      await send('DELETE', `${path}/${keyId}`);
      await refetch();
    },
  };
};

const KeysTab = () => {
  const { competitionId = '' } = useParams<{ competitionId?: string }>();
  const { list, issue, revoke } = useKeys(competitionId);
  const [revoking, setRevoking] = useState<ApiKeyView | null>(null);
  const [device, setDevice] = useState('');
  return (
    <>
      <h2>API keys</h2>
      <p className="quiet">
        A key lets one device enter attempts into this contest, or one program replace its competitor list. It
        does nothing else, and ends with the contest.
      </p>
      <Form
        className="form issue-key"
        problem={issue.error}
        onSubmit={(fields) =>
          issue.mutate(
            { device: fieldText(fields, 'device'), purpose: purposeIn(fieldText(fields, 'purpose')) },
            { onSuccess: () => setDevice('') },
          )
        }
      >
        <Field
          name="device"
          label="Name of the device or program"
          placeholder="Timer 1"
          maxLength={100}
          isRequired
          value={device}
          onChange={setDevice}
        />
        <SelectField name="purpose" label="For" choices={PURPOSES} defaultValue="entry" />
        <SubmitButton isPending={issue.isPending}>Issue key</SubmitButton>
      </Form>
      <Loaded read={list}>
        {(keys) => (
          <div className="keys">
            <DataTable
              label="API keys of the contest"
              columns={columns(setRevoking)}
              rows={keys.toReversed()}
              keyOf={({ keyId }) => keyId}
              empty="No keys were issued yet."
              isOver={({ state }) => state !== 'active'}
            />
          </div>
        )}
      </Loaded>
      {issue.data && <IssuedKey issued={issue.data} onClose={issue.reset} />}
      {revoking && (
        <ConfirmCommand
          title={`Revoke the key of ${revoking.device}?`}
          action="Revoke key"
          isDanger
          command={() => revoke(revoking.keyId)}
          onDone={() => setRevoking(null)}
          onClose={() => setRevoking(null)}
        >
          <p>
            The server refuses the next request with this key. A revoked key cannot be restored. What was
            entered with it stays.
          </p>
        </ConfirmCommand>
      )}
    </>
  );
};

export default KeysTab;

const PURPOSES: readonly { readonly value: IssuedKeyDto['purpose']; readonly name: string }[] = [
  { value: 'entry', name: 'Entering results' },
  { value: 'competitors', name: 'The competitor list' },
];

const purposeIn = (text: string): IssuedKeyDto['purpose'] =>
  PURPOSES.find(({ value }) => value === text)?.value ?? 'entry';

const columns = (onRevoke: (key: ApiKeyView) => void): readonly Column<ApiKeyView>[] => [
  { title: 'Device', cell: ({ device }) => device },
  {
    title: 'For',
    isWide: true,
    cell: ({ purpose }) => PURPOSES.find(({ value }) => value === purpose)?.name,
  },
  { title: 'Key', isWide: true, cell: ({ keyId }) => <code>{keyId}</code> },
  { title: 'State', cell: stateOf },
  { title: 'Issued', isWide: true, cell: ({ issuedAt }) => <Moment at={issuedAt} /> },
  {
    title: 'Last used',
    isWide: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />),
  },
  { title: 'Accepted', isNumber: true, cell: ({ accepted }) => accepted },
  { title: 'Refused', isWide: true, isNumber: true, cell: ({ refused }) => refused },
  {
    title: 'Actions',
    isActions: true,
    cell: (key) =>
      key.state === 'active' && (
        <Button isQuiet isDanger label={`Revoke the key of ${key.device}`} onPress={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
  },
];

const stateOf = ({ state, reason, endedAt }: ApiKeyView) => {
  if (state === 'active') return <span className="badge ongoing">Active</span>;
  return (
    <>
      {reasonText(reason)}
      {endedAt !== null && (
        <>
          {', '}
          <Moment at={endedAt} />
        </>
      )}
    </>
  );
};

const reasonText = (reason: ApiKeyView['reason']): string => {
  switch (reason) {
    case 'revoked':
      return 'Revoked';
    case 'finished':
      return 'Contest finished';
    case 'deleted':
      return 'Contest deleted';
    case null:
      return 'Ended';
    default:
      return reason satisfies never;
  }
};

const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}</time>
);
