/**
 * Finds the one project whose entries a stored query reads: each SELECT from a source compares the source's project with
 * the same parameter or text. So the query can be compiled with the fields of that project alone.
 */
import { isSourceName } from '../../foundation/log-store/sources.js';
import { parseQuery } from './parse/parse-query.js';
import { located } from './query-problem.js';
import { operandsOf } from './resolve/expressions/resolve-operators.js';
import type { Cte, Expression, FromItem, Query, Select } from './tree.js';

/** What the project is compared with. */
export type ComparedProject = { readonly parameter: string } | { readonly text: string };

/** Returns null when a source is read without a comparison, or with different ones. Throws QueryProblem. */
export const comparedProject = (text: string): ComparedProject | null => {
  const compared = new Map<string, ComparedProject | null>();
  for (const select of selectsFromSources(located(text, 'sql-syntax', () => parseQuery(text)))) {
    const one = comparedIn(select);
    compared.set(JSON.stringify(one), one);
  }
  const [first = null, second] = compared.values();
  return second === undefined ? first : null;
};

/** Returns the SELECTs that read a source: a table that no named subquery of the same name hides. */
const selectsFromSources = (query: Query): readonly Select[] => {
  const found: Select[] = [];
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
    if (isSelect(node) && tablesOf(node.from).some((name) => isSourceName(name) && !hidden.has(name)))
      found.push(node);
    for (const part of Object.values(node)) visit(part, hidden);
  };
  visit(query, new Set());
  return found;
};

const isQuery = (node: object): node is Query & { readonly ctes: readonly Cte[] } => 'ctes' in node;

const isSelect = (node: object): node is Select => 'kind' in node && node.kind === 'select';

/** Names of the tables in a FROM, in lower case; a subquery has an empty one. */
const tablesOf = (from: FromItem | null): readonly string[] => {
  switch (from?.kind) {
    case 'table':
      return [from.name.toLowerCase()];
    case 'derived':
      return [''];
    case 'join':
      return [...tablesOf(from.left), ...tablesOf(from.right)];
    default:
      return [];
  }
};

/** A comparison of a SELECT with several tables says nothing of the others, so it does not count. */
const comparedIn = ({ from, where }: Select): ComparedProject | null => {
  if (where === null || tablesOf(from).length > 1) return null;
  for (const condition of operandsOf(where, 'and')) {
    if (condition.kind !== 'binary' || condition.operator !== '=') continue;
    const { left, right } = condition;
    if (isProject(left) && comparandOf(right) !== null) return comparandOf(right);
    if (isProject(right) && comparandOf(left) !== null) return comparandOf(left);
  }
  return null;
};

/** The project column, or the field of the metadata that names the project. */
const isProject = (expression: Expression): boolean =>
  expression.kind === 'path' && /^(\w+\.)?(metadata\.)?project(_ref)?$/i.test(expression.parts.join('.'));

const comparandOf = (expression: Expression): ComparedProject | null => {
  if (expression.kind === 'parameter') return { parameter: expression.name };
  return expression.kind === 'literal' && typeof expression.value === 'string'
    ? { text: expression.value }
    : null;
};
