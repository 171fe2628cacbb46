/** The tables that a query reads, as its text names them: no name is resolved. */
import { parseQuery } from './parse/parse-query.js';
import type { Cte, FromItem, Query, Select } from './tree.js';

export interface SelectWithTables {
  readonly select: Select;
  /** Those of its FROM that no named subquery hides. */
  readonly tables: readonly string[];
  /** Whether its FROM has other tables or subqueries beside the first. */
  readonly isJoined: boolean;
}

/** Returns the SELECTs that read such a table. Throws QueryProblem. */
export const selectsWithTables = (text: string): readonly SelectWithTables[] => {
  const found: SelectWithTables[] = [];
  const visit = (node: unknown, hidden: ReadonlySet<string>): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isQuery(node)) {
      const names = new Set(hidden);
      for (const { name, query: named } of node.ctes) {
        visit(named, names);
        names.add(name.toLowerCase());
      }
      const { ctes: _, ...rest } = node;
      for (const part of Object.values(rest)) visit(part, names);
      return;
    }
    if (isSelect(node)) {
      const names = namesIn(node.from);
      const tables = names.filter((name) => name !== null).filter((name) => !hidden.has(name.toLowerCase()));
      if (tables.length > 0) found.push({ select: node, tables, isJoined: names.length > 1 });
    }
    for (const part of Object.values(node)) visit(part, hidden);
  };
  visit(parseQuery(text), new Set());
  return found;
};

const isQuery = (node: object): node is Query & { readonly ctes: readonly Cte[] } => 'ctes' in node;

const isSelect = (node: object): node is Select => 'kind' in node && node.kind === 'select';

/** Null: a subquery. */
const namesIn = (from: FromItem | null): readonly (string | null)[] => {
  switch (from?.kind) {
    case 'table':
      return [from.name];
    case 'derived':
      return [null];
    case 'join':
      return [...namesIn(from.left), ...namesIn(from.right)];
    default:
      return [];
  }
};
