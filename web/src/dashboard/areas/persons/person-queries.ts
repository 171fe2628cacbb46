/** What the server knows of persons, for every part of this area. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { COUNTRIES_BY_CODE } from '../../../../../src/domain/regions.js';
import type { PersonDetailView, PersonView } from '../../../../../src/persons/person.queries.js';
import { useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import type { Choice } from '../../parts/field.js';

/** All that is asked about persons begins with this key, so that a change makes it be asked again. */
export const PERSONS = ['persons'];

/** How many are found at most: whoever is not among them needs more of their name. */
export const MOST_FOUND = 50;

/** Those that the text finds, while it is typed: the last ones stay until the next are there. */
export const useFound = (text: string): UseQueryResult<readonly PersonView[]> => {
  const api = useApiPath();
  const search = useDeferredValue(text.trim());
  return useQuery({
    queryKey: [...PERSONS, 'found', search],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ search, limit: String(MOST_FOUND) });
      return getJson<readonly PersonView[]>(api(`moderation/persons?${query}`), signal);
    },
    placeholderData: keepPreviousData,
  });
};

export const usePerson = (id: string): UseQueryResult<PersonDetailView> => {
  const api = useApiPath();
  return useQuery({
    queryKey: [...PERSONS, id],
    queryFn: ({ signal }) =>
      getJson<PersonDetailView>(api(`moderation/persons/${encodeURIComponent(id)}`), signal),
  });
};

export const COUNTRY_CHOICES: readonly Choice[] = [
  { value: '', name: 'Not known' },
  ...[...COUNTRIES_BY_CODE.values()]
    .map(({ code, name }) => ({ value: code, name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1)),
];

/** Name with what tells it from others of that name. */
export const labelOf = ({ id, name, assocId }: Pick<PersonView, 'id' | 'name' | 'assocId'>): string =>
  `${name} (${assocId ?? `no. ${id}`})`;
