/** The tables that a stored query may read: the sources, and behind them the endpoints that it names. */
import { parseQuery } from '../parse/parse-query.js';
import type { Origin } from '../query-problem.js';
import type { CompileContext, TableScope } from './context.js';
import { namedTable } from './resolve-query.js';
import { sourceTables } from './source-tables.js';

/** Runs `work` on a text, whose refusals it turns into problems. */
export type Lower = <T>(origin: Origin, work: () => T) => T;

/** `endpoints`: see StoredQuery. An endpoint sees the sources and the endpoints before it, and nothing of the query that names it. */
export const baseTables = (
  endpoints: Readonly<Record<string, string>> = {},
  context: CompileContext,
  lower: Lower,
): TableScope => {
  const behind: TableScope = { parent: null, tables: new Map() };
  const tables: TableScope = { parent: behind, tables: sourceTables(context) };
  for (const [endpoint, text] of Object.entries(endpoints)) {
    const origin = { text, code: 'sql-refused', endpoint } as const;
    const table = lower(origin, () => namedTable(endpoint, { context, tables }, parseQuery(text)));
    behind.tables.set(endpoint.toLowerCase(), table);
  }
  return tables;
};
