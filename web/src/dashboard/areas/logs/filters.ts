/** The saved filters of LQL, which the list, the explorer and its editor share. */
import { useQuery } from '@tanstack/react-query';
import type { SavedFilterView } from '../../../../../src/logs/saved-filters/saved-filter.js';
import { listFilters } from './requests.js';

export const FILTERS_KEY = ['logs', 'filters'];

export const useSavedFilters = () => useQuery({ queryKey: FILTERS_KEY, queryFn: listFilters });

/** Two projects may have filters of one name. */
export const filterTitle = ({ name, project }: Pick<SavedFilterView, 'name' | 'project'>): string =>
  project === null ? name : `${name} of ${project}`;

/** Those that a query of the project finds: its own come before those of all. `project` empty: those of all. */
export const filtersOf = (
  filters: readonly SavedFilterView[],
  project: string,
): readonly SavedFilterView[] => {
  const own = filters.filter((filter) => filter.project === project);
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...filters.filter((filter) => filter.project === null && !names.has(filter.name))];
};
