/** The tables that a stored query may read: the sources, and behind them the endpoints that it names. */
import { parseQuery } from '../parse/parse-query.js';
import type { Origin } from '../query-problem.js';
import type { CompileContext, TableScope } from './context.js';
import { namedTable } from './resolve-query.js';
import { sourceTables } from './source-tables.js';

/** An endpoint that a stored query reads as a table. */
export interface ReadEndpoint {
  /** Upper and lower case differ, as in the names of endpoints. */
  readonly name: string;
  readonly text: string;
}

/** Runs `work` on a text, whose refusals it turns into problems. */
export type Lower = <T>(origin: Origin, work: () => T) => T;

/** `endpoints`: each after those that it reads itself. It sees the sources and the endpoints before it, and nothing of the query that names it. */
export const baseTables = (
  endpoints: readonly ReadEndpoint[] = [],
  context: CompileContext,
  lower: Lower,
): TableScope => {
  const behind: TableScope = { parent: null, tables: new Map(), isExact: true };
  const tables: TableScope = { parent: behind, tables: sourceTables(context) };
  for (const { name, text } of endpoints) {
    const origin = { text, code: 'sql-refused', endpoint: name } as const;
    behind.tables.set(
      name,
      lower(origin, () => namedTable(name, { context, tables }, parseQuery(text))),
    );
  }
  return tables;
};
