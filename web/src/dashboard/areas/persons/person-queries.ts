/** What the server knows of persons, for every part of the dashboard that looks for one. */
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

/** All that is asked about persons begins with this key, so that a change makes it be asked again. */
export const PERSONS_KEY = ['persons'];

const PAGE_SIZE = 50;

/** Those that the text finds, page by page, while it is typed: the last ones stay until the next are there. */
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

/** It fits half of a space; a sign of another script may be a whole name, and a digit a number. */
const isTooShort = (text: string): boolean => text === '' || /^[a-z]$/i.test(text);

/**
 * Whom to propose for what is typed; null while that is not known. Never those of a shorter text, since Enter takes the
 * first.
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

/** Name with what tells it from others of that name. */
export const personLabel = ({ id, name, assocId }: Pick<PersonView, 'id' | 'name' | 'assocId'>): string =>
  `${name} (${assocId ?? `no. ${id}`})`;
