/** Reads of a contest, and commands on it. The reply of a command is the changed contest, which all tabs then show. */
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';

const keyOf = (path: string): readonly string[] => ['moderated-contest', path];

/** Devices and other moderators change the contest too. */
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
  /** After the contest's own path. */
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

/** The events of the space's catalogue, in display order. Empty while they load. */
export const useEvents = (): readonly EventDefinition[] => {
  const path = useApiPath()('events');
  const { data } = useQuery({
    queryKey: ['events', path],
    queryFn: ({ signal }) => getJson<readonly EventDefinition[]>(path, signal),
    staleTime: 300_000,
  });
  return data ?? [];
};

/** The event's name, or its id when the catalogue does not have the event. */
export const eventName = (events: readonly EventDefinition[], eventId: string): string =>
  events.find((event) => event.eventId === eventId)?.name ?? eventId;
