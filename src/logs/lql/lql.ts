/**
 * Parses LQL into the query tree. The parser takes longer to load than the rest of a CLI command, so it is loaded with the first
 * query. A server loads it at its start.
 */
import type { Query } from '../sql/tree.js';
import type { LqlTables } from './lower-lql.js';
import type { LqlPart } from './lql-part.js';

export const loadLql = () => import('./parse-lql.js');

/**
 * Returns the query tree of a text, or of a part of what it finds. The same text, tables and part always give the same tree.
 * Throws QueryProblem.
 */
export const queryOfLql = async (text: string, tables: LqlTables, part?: LqlPart): Promise<Query> => {
  const [{ parseLql }, { lowerLql }] = await Promise.all([loadLql(), import('./lower-lql.js')]);
  const query = parseLql(text);
  if (part === undefined) return lowerLql(query, tables);
  const { lowerPart } = await import('./lql-part.js');
  return lowerPart(query, tables, part);
};
