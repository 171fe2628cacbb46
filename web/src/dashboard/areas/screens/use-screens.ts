/** Reads of the screens of a contest, and commands on them. The reply of a command is all screens. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Screen } from '../../../../../src/competition/hall/screens.events.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';

/** Other moderators choose too. */
const REFETCH_MS = 15_000;

const keyOf = (base: string): readonly string[] => ['screens', base];

const useBase = (competitionId: string): string =>
  useApiPath()(`moderation/contests/${competitionId}/screens`);

export const useScreens = (competitionId: string) => {
  const base = useBase(competitionId);
  return useQuery({
    queryKey: keyOf(base),
    queryFn: ({ signal }) => getJson<readonly Screen[]>(base, signal),
    refetchInterval: REFETCH_MS,
  });
};

export interface ScreenRequest {
  readonly name: string;
  /** Null: the screen is removed. */
  readonly choice: Omit<Screen, 'name'> | null;
}

export const useScreenCommand = (competitionId: string) => {
  const base = useBase(competitionId);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, choice }: ScreenRequest) =>
      choice === null
        ? send<readonly Screen[]>('DELETE', `${base}/${encodeURIComponent(name)}`)
        : send<readonly Screen[]>('PUT', `${base}/${encodeURIComponent(name)}`, choice),
    onSuccess: (screens) => client.setQueryData(keyOf(base), screens),
  });
};
