/** LQL asked of a log store as the caller of an endpoint does: read, lowered, compiled, run. */

import type { LogRows } from '../../src/foundation/log-store/log-store.js';
import { queryOfLql } from '../../src/logs/lql/lql.js';
import type { LqlPart } from '../../src/logs/lql/lql-part.js';
import { storedTables } from '../../src/logs/sql/compile.js';
import { type Asked, LOGS_ALL, type LogQueries } from './log-queries.js';

export const askLql = async (
  queries: LogQueries,
  text: string,
  asked: Asked = {},
  part?: LqlPart,
): Promise<LogRows> => {
  const { reads: defaultTable, ...tables } = storedTables(asked.stored ?? LOGS_ALL);
  const query = await queryOfLql(text, { ...tables, defaultTable }, part);
  return queries.ask({ language: 'lql', text, query }, asked);
};
