/** The reads and commands of the entry desk for one round. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';
import type {
  CheckedResult,
  EntrySheetView,
  NamedStepView,
} from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import type { EnteredResult } from '../../../../../src/competition/rounds/round.commands.js';
import { useApiPath } from '../../account.js';
import { getJson, send } from '../../api.js';

export interface RoundAddress {
  readonly competitionId: string;
  readonly eventId: string;
  readonly roundNumber: string;
}

/** The paths of the round's API. */
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
    roster: api(`${round}/roster`),
    live: api(`competitions/${competitionId}/rounds/${eventId}/${roundNumber}/live`),
  };
};

export type DeskPaths = ReturnType<typeof useDeskPaths>;

/** The round's event stream does not have the numbers and checks of other desks. */
const REFETCH_MS = 10_000;

export const useSheet = ({ sheet }: DeskPaths) =>
  useQuery({
    queryKey: [sheet],
    queryFn: ({ signal }) => getJson<EntrySheetView>(sheet, signal),
    refetchInterval: REFETCH_MS,
  });

/** `address`: of a round's history. */
export const useHistory = (address: string, isWanted: boolean) =>
  useQuery({
    queryKey: [address],
    queryFn: ({ signal }) => getJson<readonly NamedStepView[]>(address, signal),
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

/** The commands of the desk. After each one the history loads again, and a changed result counts as unchecked. */
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
  const add = useMutation({
    mutationFn: (personIds: readonly number[]) =>
      send('POST', paths.roster, { competitors: [{ personIds, mark: 'expected' }] }),
    onSuccess: () => client.invalidateQueries({ queryKey: [paths.history] }),
  });
  return { enter, undo, check, number, add };
};
