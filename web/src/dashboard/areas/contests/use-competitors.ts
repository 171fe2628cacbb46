/** Reads of a contest's competitor list, and commands on it. The reply of a command is the whole list as it is then. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListedCompetitorView } from '../../../../../src/competition/contests/competitor-list.commands.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';

export type CompetitorList = readonly ListedCompetitorView[];

const keyOf = (base: string): readonly string[] => ['competitor-list', base];

const useBase = (competitionId: string): string =>
  useApiPath()(`moderation/contests/${competitionId}/competitors`);

/** Other moderators and imports change the list too. */
const REFETCH_MS = 15_000;

export const useCompetitors = (competitionId: string) => {
  const base = useBase(competitionId);
  return useQuery({
    queryKey: keyOf(base),
    queryFn: ({ signal }) => getJson<CompetitorList>(`${base}/list`, signal),
    refetchInterval: REFETCH_MS,
  });
};

export interface CompetitorCommand {
  readonly method: 'POST' | 'PUT';
  /** After the path of the list. */
  readonly path: string;
  readonly body?: unknown;
}

export const useCompetitorCommand = (competitionId: string) => {
  const base = useBase(competitionId);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: CompetitorCommand) =>
      send<CompetitorList>(method, `${base}${path}`, body),
    onSuccess: (list) => client.setQueryData(keyOf(base), list),
  });
};
