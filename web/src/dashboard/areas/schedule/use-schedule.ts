/** Reads of a contest's schedule and of the groups of a round, and commands on them. */
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GroupView, ScheduleView } from '../../../../../src/competition/schedule/schedule.queries.js';
import { useApiPath } from '../../account.js';
import { getJson, send, sendFile } from '../../api.js';

/** Other moderators work on the schedule too. */
const REFETCH_MS = 15_000;

const GROUPS_KEY = 'schedule-groups';

const useBase = (competitionId: string): string =>
  useApiPath()(`moderation/contests/${competitionId}/schedule`);

const keyOf = (base: string): readonly string[] => ['schedule', base];

export const useSchedule = (competitionId: string) => {
  const base = useBase(competitionId);
  return useQuery({
    queryKey: keyOf(base),
    queryFn: ({ signal }) => getJson<ScheduleView>(base, signal),
    refetchInterval: REFETCH_MS,
  });
};

/** `code`: such as `333-r1`. */
export const useGroups = (competitionId: string, code: string) => {
  const base = useBase(competitionId);
  return useQuery({
    queryKey: [GROUPS_KEY, base, code],
    queryFn: ({ signal }) => getJson<readonly GroupView[]>(`${base}/groups/${code}`, signal),
    refetchInterval: REFETCH_MS,
  });
};

export interface ScheduleRequest {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** After the path of the schedule. */
  readonly path: string;
  readonly body?: unknown;
}

export type ScheduleCommand = UseMutationResult<unknown, Error, ScheduleRequest>;

/** The reply of a command is the whole schedule, or the groups of a round. Both are read again where they are shown. */
export const useScheduleCommand = (competitionId: string): ScheduleCommand => {
  const base = useBase(competitionId);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: ScheduleRequest) =>
      send<ScheduleView | readonly GroupView[]>(method, `${base}${path}`, body),
    onSuccess: (shown) => {
      if ('venues' in shown) client.setQueryData(keyOf(base), shown);
      return client.invalidateQueries({ queryKey: [GROUPS_KEY, base] });
    },
  });
};

/** Replaces the schedule by that of a WCIF file. */
export const useScheduleImport = (competitionId: string) => {
  const base = useBase(competitionId);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (bytes: ArrayBuffer) =>
      sendFile<ScheduleView>(`${base}/import`, { type: 'application/json', bytes }),
    onSuccess: (schedule) => client.setQueryData(keyOf(base), schedule),
  });
};
