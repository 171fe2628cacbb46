/** The contest that an address names, and commands on it: each answers the contest as it is then, which is what all tabs show. */
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';

const keyOf = (path: string): readonly string[] => ['moderated-contest', path];

/** Asked again now and then: devices and other moderators change it too. */
const REFETCH_MS = 15_000;

export const useContest = (competitionId: string) => {
  const path = useApiPath()(`moderation/contests/${competitionId}`);
  return useQuery({
    queryKey: keyOf(path),
    queryFn: ({ signal }) => getJson<ModeratedContestView>(path, signal),
    refetchInterval: REFETCH_MS,
  });
};

export interface ContestCommand {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Behind the contest's own path. */
  readonly path?: string;
  readonly body?: unknown;
}

export const useContestCommand = (
  competitionId: string,
): UseMutationResult<ModeratedContestView, Error, ContestCommand> => {
  const base = useApiPath()(`moderation/contests/${competitionId}`);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path = '', body }: ContestCommand) =>
      send<ModeratedContestView>(method, `${base}${path}`, body),
    onSuccess: (contest) => {
      client.setQueryData(keyOf(base), contest);
      void client.invalidateQueries({ queryKey: ['moderated-contests'] });
    },
  });
};

/** The catalogue of the space, in display order. */
export const useEvents = (): readonly EventDefinition[] => {
  const path = useApiPath()('events');
  const { data } = useQuery({
    queryKey: ['events', path],
    queryFn: ({ signal }) => getJson<readonly EventDefinition[]>(path, signal),
    staleTime: 300_000,
  });
  return data ?? [];
};

/** The id where the catalogue has no such event. */
export const eventName = (events: readonly EventDefinition[], eventId: string): string =>
  events.find((event) => event.eventId === eventId)?.name ?? eventId;
