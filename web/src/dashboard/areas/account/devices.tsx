/** The devices on which the user is signed in, each with a button that signs it out. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Device } from '../../../../../src/accounts/device.js';
import { getJson, send } from '../../api.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemNotice } from '../../parts/notice.js';

const PATH = '/api/session/devices';
const KEY = ['session', 'devices'];

export const Devices = () => {
  const devices = useQuery({ queryKey: KEY, queryFn: () => getJson<readonly Device[]>(PATH) });
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ deviceId }: Device) => send('DELETE', `${PATH}/${deviceId}`),
    // Also after a failure: it may have ended meanwhile.
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <>
      {error && <ProblemNotice problem={error} />}
      <Loaded read={devices}>
        {(rows) => (
          <DataTable
            label="Devices"
            columns={columnsWith(mutate, isPending)}
            rows={rows}
            keyOf={({ deviceId }) => deviceId}
            empty="There are none."
          />
        )}
      </Loaded>
    </>
  );
};

const timeText = (time: string): string => new Date(time).toLocaleString();
const nameOf = ({ device }: Device): string => device ?? 'Unknown device';

const columnsWith = (onEnd: (device: Device) => void, isPending: boolean): readonly Column<Device>[] => [
  {
    title: 'Device',
    cell: (device) => (
      <>
        {nameOf(device)}
        <div className="help">
          {device.network ?? 'Unknown network'}, since {timeText(device.startedAt)}
        </div>
      </>
    ),
  },
  { title: 'Last used', cell: ({ seenAt }) => timeText(seenAt) },
  {
    title: 'Sign out',
    isActions: true,
    cell: (device) =>
      device.isThis ? (
        'This device'
      ) : (
        <Button
          isQuiet
          isDanger
          isPending={isPending}
          label={`Sign out ${nameOf(device)}`}
          onPress={() => onEnd(device)}
        >
          Sign out
        </Button>
      ),
  },
];
