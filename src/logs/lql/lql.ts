/**
 * LQL for those who run queries. The parser library takes longer to load than all the rest of a command, so it is
 * loaded with the first query; a server calls `loadLql` when it starts, and no request waits.
 */
import type { Query } from '../sql/tree.js';
import type { LqlTables } from './lower-lql.js';

const loadLql = () => import('./parse-lql.js');

/** The query tree of a text; the same for the same text and tables, whenever it is made. Throws QueryProblem. */
export const queryOfLql = async (text: string, tables: LqlTables): Promise<Query> => {
  const [{ parseLql }, { lowerLql }] = await Promise.all([loadLql(), import('./lower-lql.js')]);
  return lowerLql(parseLql(text), tables);
};
