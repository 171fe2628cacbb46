/** What the entry desk reads and changes over the API, by the addresses of one round. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';
import type {
  CheckedResult,
  EntrySheetView,
  NamedChangeView,
} from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import type { EnteredResult } from '../../../../../src/competition/rounds/round.commands.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';

export interface RoundAddress {
  readonly competitionId: string;
  readonly eventId: string;
  readonly roundNumber: string;
}

/** Addresses of the round's API. */
export const useDeskPaths = ({ competitionId, eventId, roundNumber }: RoundAddress) => {
  const api = useApiPath();
  const contest = `moderation/contests/${competitionId}`;
  const round = `${contest}/rounds/${eventId}/${roundNumber}`;
  return {
    sheet: api(`${round}/entry`),
    history: api(`${round}/history`),
    undo: api(`${round}/undo`),
    check: (personIds: readonly number[]) => api(`${round}/results/${personIds.join(',')}/check`),
    result: (personIds: readonly number[]) => api(`${round}/results/${personIds.join(',')}`),
    competitors: api(`${contest}/competitors`),
    live: api(`competitions/${competitionId}/rounds/${eventId}/${roundNumber}/live`),
  };
};

export type DeskPaths = ReturnType<typeof useDeskPaths>;

/** Numbers may be given and results checked at another desk: those are not in the stream of the round. */
const REFETCH_MS = 10_000;

export const useSheet = ({ sheet }: DeskPaths) =>
  useQuery({
    queryKey: [sheet],
    queryFn: ({ signal }) => getJson<EntrySheetView>(sheet, signal),
    refetchInterval: REFETCH_MS,
  });

export const useHistory = ({ history }: DeskPaths, isWanted: boolean) =>
  useQuery({
    queryKey: [history],
    queryFn: ({ signal }) => getJson<readonly NamedChangeView[]>(history, signal),
    enabled: isWanted,
  });

interface Entering {
  readonly personIds: readonly number[];
  readonly attempts: readonly number[];
  readonly seen: readonly number[];
}

interface Undoing {
  readonly resultId: string;
  readonly change: number;
}

interface Checking extends CheckedResult {
  readonly personIds: readonly number[];
}

/** What changes the round; each knows to look at the history again, and that a changed result is unchecked. */
export const useDeskCommands = (paths: DeskPaths) => {
  const client = useQueryClient();
  const changed = ({ resultId: changedId }: EnteredResult): void => {
    void client.invalidateQueries({ queryKey: [paths.history] });
    client.setQueryData<EntrySheetView>(
      [paths.sheet],
      (sheet) =>
        sheet && { ...sheet, checked: sheet.checked.filter(({ resultId }) => resultId !== changedId) },
    );
  };
  const enter = useMutation({
    mutationFn: ({ personIds, attempts, seen }: Entering) =>
      send<EnteredResult>('PUT', paths.result(personIds), { attempts, seen }),
    onSuccess: changed,
  });
  const undo = useMutation({
    mutationFn: (undoing: Undoing) => send<EnteredResult>('POST', paths.undo, undoing),
    onSuccess: changed,
  });
  const check = useMutation({
    mutationFn: ({ personIds, attempts }: Checking) => send('POST', paths.check(personIds), { attempts }),
    onSuccess: (_, { resultId, attempts }) =>
      client.setQueryData<EntrySheetView>(
        [paths.sheet],
        (sheet) => sheet && { ...sheet, checked: [...sheet.checked, { resultId, attempts }] },
      ),
  });
  const number = useMutation({
    mutationFn: (personIds: readonly number[]) =>
      send<readonly CompetitorView[]>('POST', paths.competitors, { personIds }),
    onSuccess: (competitors) =>
      client.setQueryData<EntrySheetView>([paths.sheet], (sheet) => sheet && { ...sheet, competitors }),
  });
  return { enter, undo, check, number };
};
