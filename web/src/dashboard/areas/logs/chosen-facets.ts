/** The facets that the user adds to those of the source: fields of the metadata, kept in the address. */
import type { Entry } from './entries.js';
import { isNested } from './paths.js';

const PARAMETER = 'facet';

/** Names of fields with their dots: `request.path`. */
export type FacetNames = readonly string[];

/** An address in two parts: the query, and the facets beside its result. */
export const parseFacets = (search: string): { readonly query: string; readonly facets: FacetNames } => {
  const given = new URLSearchParams(search);
  const facets = [...new Set(given.getAll(PARAMETER))];
  given.delete(PARAMETER);
  return { query: given.toString(), facets };
};

/** `query`: of `toSearch`. */
export const withFacets = (query: string, facets: FacetNames): string => {
  const search = new URLSearchParams(query);
  for (const facet of facets) search.append(PARAMETER, facet);
  return search.toString();
};

/** As far as a filter can name them. */
const NAME = /^[\w$-]+$/;
/** Deeper records are not searched. */
const MAX_DEPTH = 6;
const MAX_FIELDS = 200;

/** The fields with single values in the metadata of the entries, by name. */
export const fieldsIn = (entries: readonly Pick<Entry, 'metadata'>[]): FacetNames => {
  const found = new Set<string>();
  const look = (value: unknown, path: readonly string[]): void => {
    if (!isNested(value) || Array.isArray(value) || path.length >= MAX_DEPTH) return;
    for (const [name, inner] of Object.entries(value)) {
      if (!NAME.test(name)) continue;
      if (isNested(inner)) look(inner, [...path, name]);
      else if (inner !== null && found.size < MAX_FIELDS) found.add([...path, name].join('.'));
    }
  };
  for (const { metadata } of entries) look(metadata, []);
  return [...found].sort();
};
