/**
 * Parses LQL into the query tree. The parser takes longer to load than the rest of a CLI command, so it is loaded with the first
 * query. A server loads it at its start.
 */
import type { Query } from '../sql/tree.js';
import type { LqlTables } from './lower-lql.js';
import type { LqlPart } from './lql-part.js';
import { type SavedTexts, withSavedFilters } from './saved-filters.js';

export const loadLql = () => import('./parse-lql.js');

/**
 * Returns the query tree of a text, or of a part of what it finds. `saved`: the filters that it names. The same text, tables, part and filters always give the same tree.
 * Throws QueryProblem.
 */
export const queryOfLql = async (
  text: string,
  tables: LqlTables,
  part?: LqlPart,
  saved?: SavedTexts,
): Promise<Query> => {
  const [{ parseLql }, { lowerLql }] = await Promise.all([loadLql(), import('./lower-lql.js')]);
  const query = withSavedFilters(parseLql(text), saved, parseLql);
  if (part === undefined) return lowerLql(query, tables);
  const { lowerPart } = await import('./lql-part.js');
  return lowerPart(query, tables, part);
};
