/** Reads of persons, for every part of the dashboard that needs one. */
import {
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { PersonDetailView, PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { COUNTRY_OPTIONS, type Option } from '../../../components/options.js';
import { useApiPath } from '../../account.js';
import { getJson, getPage } from '../../api.js';

/** The first part of the key of every read of persons. Invalidate it after a change. */
export const PERSONS_KEY = ['persons'];

const PAGE_SIZE = 50;

/** Finds persons by text, page by page. The last matches stay until the next ones have loaded. */
export const usePersonSearch = (text: string): UseInfiniteQueryResult<readonly PersonView[]> => {
  const api = useApiPath();
  const search = useDeferredValue(text.trim());
  const query = new URLSearchParams({ search, limit: String(PAGE_SIZE) });
  return useInfiniteQuery({
    queryKey: [...PERSONS_KEY, 'found', search],
    queryFn: ({ pageParam, signal }) => getPage<PersonView>(pageParam, signal),
    initialPageParam: api(`moderation/persons?${query}`),
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
  });
};

const MAX_CANDIDATES = 12;

/** One Latin letter matches half of the persons. One character of another script may be a name, one digit a number. */
const isTooShort = (text: string): boolean => text === '' || /^[a-z]$/i.test(text);

/**
 * The candidates for a typed text; null while they load. It never returns the candidates of an earlier text, because Enter
 * takes the first one.
 */
export const usePersonCandidates = (typed: string): readonly PersonView[] | null => {
  const api = useApiPath();
  const search = typed.trim();
  const query = new URLSearchParams({ search, limit: String(MAX_CANDIDATES) });
  const { data = null } = useQuery({
    queryKey: [...PERSONS_KEY, 'candidates', search],
    queryFn: ({ signal }) => getJson<readonly PersonView[]>(api(`moderation/persons?${query}`), signal),
    enabled: !isTooShort(search),
  });
  return data;
};

export const usePerson = (id: string): UseQueryResult<PersonDetailView> => {
  const api = useApiPath();
  return useQuery({
    queryKey: [...PERSONS_KEY, id],
    queryFn: ({ signal }) =>
      getJson<PersonDetailView>(api(`moderation/persons/${encodeURIComponent(id)}`), signal),
  });
};

export const COUNTRY_CHOICES: readonly Option[] = [{ value: '', name: 'Not known' }, ...COUNTRY_OPTIONS];

/** The name with the association id or the number, which tell persons of the same name apart. */
export const personLabel = ({ id, name, assocId }: Pick<PersonView, 'id' | 'name' | 'assocId'>): string =>
  `${name} (${assocId ?? `no. ${id}`})`;
