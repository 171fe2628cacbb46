/**
 * Parses LQL into the query tree. The parser library takes longer to load than the rest of a CLI command, so it is loaded
 * with the first query.
 */
import type { Query } from '../sql/tree.js';
import type { LqlTables } from './lower-lql.js';

const loadLql = () => import('./parse-lql.js');

/** Returns the query tree of a text. The same text and tables always give the same tree. Throws QueryProblem. */
export const queryOfLql = async (text: string, tables: LqlTables): Promise<Query> => {
  const [{ parseLql }, { lowerLql }] = await Promise.all([loadLql(), import('./lower-lql.js')]);
  return lowerLql(parseLql(text), tables);
};
