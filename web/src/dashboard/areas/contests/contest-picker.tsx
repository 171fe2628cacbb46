/** Picks contests of the space, found by name, id or city. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  ModeratedContestView,
  ModeratedSummaryView,
} from '../../../../../src/competition/contests/moderation.queries.js';
import { dateRangeText } from '../../../format.js';
import { useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { Loading } from '../../parts/loading.js';
import { type Picked, Picker, type PickerProps } from '../../parts/picker.js';

const MAX_CANDIDATES = 12;

type PickerField = Pick<PickerProps, 'name' | 'label' | 'help'>;

export const ContestPicker = ({ ids, ...field }: PickerField & { readonly ids: readonly string[] }) => {
  const known = useContestNames(ids);
  return known === null ? <Loading /> : <NamedPicker {...field} defaultPicked={known} />;
};

const NamedPicker = (props: PickerField & Pick<PickerProps, 'defaultPicked'>) => {
  const [text, setText] = useState('');
  const found = useContestCandidates(text);
  return (
    <Picker
      {...props}
      placeholder="Part of the name"
      text={text}
      onText={setText}
      options={(found ?? []).map(({ competitionId, name, startDate, endDate }) => ({
        id: competitionId,
        name,
        about: dateRangeText(startDate, endDate),
      }))}
      empty={found && 'No contest matches.'}
    />
  );
};

/** Null while they load. */
const useContestCandidates = (typed: string): readonly ModeratedSummaryView[] | null => {
  const q = typed.trim();
  const path = useApiPath()(
    `moderation/contests?${new URLSearchParams({ q, limit: String(MAX_CANDIDATES) })}`,
  );
  const { data = null } = useQuery({
    queryKey: ['moderated-contests', path],
    queryFn: ({ signal }) => getJson<readonly ModeratedSummaryView[]>(path, signal),
    enabled: q !== '',
  });
  return data;
};

/** Null until all names have loaded. A contest without a name in the reply keeps its id. */
const useContestNames = (ids: readonly string[]): readonly Picked[] | null => {
  const api = useApiPath();
  const found = useQueries({
    queries: ids.map((id) => {
      const path = api(`moderation/contests/${encodeURIComponent(id)}`);
      return {
        queryKey: ['moderated-contest', path],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          getJson<ModeratedContestView>(path, signal),
        retry: false,
      };
    }),
  });
  if (found.some(({ isPending }) => isPending)) return null;
  return ids.map((id, index) => ({ id, name: found[index]?.data?.name ?? id }));
};
