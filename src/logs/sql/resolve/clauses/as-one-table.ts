/** Makes one table of a join: a subquery with all that the query around it may read. */
import type { FromNode, Term } from '../../../../foundation/log-store/query-tree.js';
import { column, PLAIN_SELECT, sameTerm } from '../../terms.js';
import type { JsonPlace, Shape } from '../../values/values.js';
import type { Resolver } from '../resolver.js';
import type { Relation, Scope } from '../scope.js';
import { recordConditions } from './record-conditions.js';

export interface OneTable {
  readonly node: FromNode;
  /** The items of the join, as they are read from the table. */
  readonly relations: readonly Relation[];
  readonly merged: Scope['merged'];
}

/** A resolved join, whose items are in the scope of its resolver. */
interface Join {
  readonly node: FromNode | null;
  readonly conditions: readonly Term[];
  readonly records: readonly JsonPlace[];
}

export const asOneTable = (resolver: Resolver, join: Join): OneTable => {
  const { context, scope } = resolver;
  const as = context.fresh('t');
  const items: { readonly term: Term; readonly name: string }[] = [];
  const moved = (term: Term): Term => {
    const known = items.find((item) => sameTerm(item.term, term));
    if (known !== undefined) return column(as, known.name);
    const name = context.fresh('k');
    items.push({ term, name });
    return column(as, name);
  };
  const movedPlace = ({ base, path }: JsonPlace): JsonPlace => ({ base: moved(base), path });
  const movedShape = ({ term, type, json, readFrom, certain, isNull }: Shape): Shape => ({
    term: moved(term),
    type,
    ...(json && { json: movedPlace(json) }),
    ...(readFrom && { readFrom: movedPlace(readFrom) }),
    ...(certain !== undefined && { certain }),
    ...(isNull && { isNull }),
  });
  const relations = scope.relations.map(({ alias, columns, element, identifier }) => ({
    alias,
    columns: columns.map((one) => ({ ...movedShape(one), name: one.name })),
    element: element && movedShape(element),
    ...(identifier && { identifier: movedShape(identifier) }),
  }));
  const merged = new Map(
    [...scope.merged].map(([name, { shape, of }]) => [name, { shape: movedShape(shape), of }]),
  );
  const where = [...recordConditions(resolver, join.records, null), ...join.conditions];
  const query = { ...PLAIN_SELECT, items, from: join.node, where };
  return { node: { kind: 'derived', query, as }, relations, merged };
};
