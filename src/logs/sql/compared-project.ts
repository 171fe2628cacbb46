/**
 * Finds the one project whose entries a stored query reads: each SELECT from a source compares the source's project with
 * the same parameter or text. So the query can be compiled with the fields of that project alone.
 */
import { isSourceName } from '../../foundation/log-store/sources.js';
import { type SelectWithTables, selectsWithTables } from './read-tables.js';
import type { ReadEndpoint } from './resolve/base-tables.js';
import { operandsOf } from './resolve/expressions/resolve-operators.js';
import type { Expression } from './tree.js';

/** What the project is compared with. */
export type ComparedProject = { readonly parameter: string } | { readonly text: string };

/** Of a stored query. */
interface ReadTexts {
  readonly text: string;
  readonly endpoints?: readonly ReadEndpoint[];
}

/** Returns null when a source is read without a comparison, or with different ones. Throws QueryProblem. */
export const comparedProject = ({ text, endpoints = [] }: ReadTexts): ComparedProject | null => {
  const compared = new Map<string, ComparedProject | null>();
  const isSource = (name: string) =>
    isSourceName(name.toLowerCase()) && !endpoints.some((endpoint) => endpoint.name === name);
  const texts = [text, ...endpoints.map((endpoint) => endpoint.text)];
  for (const one of texts.flatMap(selectsWithTables)) {
    if (!one.tables.some(isSource)) continue;
    const project = comparedIn(one);
    compared.set(JSON.stringify(project), project);
  }
  const [first = null, second] = compared.values();
  return second === undefined ? first : null;
};

/** A comparison of a SELECT with several tables says nothing of the others, so it does not count. */
const comparedIn = ({ select: { where }, isJoined }: SelectWithTables): ComparedProject | null => {
  if (where === null || isJoined) return null;
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
