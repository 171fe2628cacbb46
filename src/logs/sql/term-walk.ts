/** Walks the terms of a query tree in their order. */
import type { FromNode, QueryNode, SelectNode, Term } from '../../foundation/log-store/query-tree.js';

/** Only terms have a size. */
const isTerm = (value: object): value is Term => 'kind' in value && 'size' in value;

/** Calls `visit` with each term in the value. It walks into a term for which that returns true, but never into a subquery. */
export const walkTerms = (value: unknown, visit: (term: Term) => boolean): void => {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) || !isTerm(value)) {
    for (const inner of Object.values(value)) walkTerms(inner, visit);
    return;
  }
  if (!visit(value) || value.kind === 'subquery') return;
  const inside = value.kind === 'among-rows' ? [value.of] : Object.values(value);
  walkTerms(inside, visit);
};

/** The conditions of joins, and the lists whose elements are rows. */
const termsOf = (from: FromNode): readonly Term[] => {
  if (from.kind === 'elements') return [from.list];
  return from.kind === 'join' ? [...termsOf(from.left), ...termsOf(from.right), ...from.on] : [];
};

/** The queries that stand in the terms of a SELECT. */
export const subqueriesOf = (select: SelectNode): readonly QueryNode[] => {
  const found: QueryNode[] = [];
  walkTerms({ ...select, from: select.from && termsOf(select.from) }, (term) => {
    if (term.kind === 'subquery' || term.kind === 'among-rows') found.push(term.query);
    return true;
  });
  return found;
};

/** The conditions that all hold, without AND. */
export const conditionsIn = (where: readonly Term[]): readonly Term[] =>
  where.flatMap((term) =>
    term.kind === 'chain' && term.operator === 'and' ? conditionsIn(term.terms) : [term],
  );
