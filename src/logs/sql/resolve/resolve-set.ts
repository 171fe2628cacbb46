/** UNION, INTERSECT and EXCEPT. Both sides are converted to common types, and ORDER BY orders the combined rows. */
import type { SelectNode, Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, choose, column as columnTerm, literal, PLAIN_SELECT } from '../terms.js';
import type { Query, SetOperation, Span } from '../tree.js';
import { asCommon, commonType, isScalar } from '../values/convert.js';
import { plainValue, type ValueType } from '../values/values.js';
import type { OutputItem } from './clauses/resolve-items.js';
import { limitsOf, orderedBy, orderKeysOf } from './clauses/resolve-order.js';
import { selectList } from './clauses/select-list.js';
import type { CompileContext } from './context.js';
import type { LoweredQuery, Place } from './lowered-query.js';
import type { Resolver } from './resolver.js';
import type { GivenColumn } from './scope.js';

/** Lowers a set operation, or a query in parentheses. Its ORDER BY sees only the columns of `body`. */
export const lowerOrdered = (
  query: Query,
  body: LoweredQuery,
  { place, resolver }: { place: Place; resolver: Resolver },
): LoweredQuery => {
  const name = place.context.fresh('t');
  const columns = body.columns.map((column) => ({ ...column, term: columnTerm(name, column.called) }));
  resolver.scope.relations.push({ alias: null, columns, element: null });
  const items: OutputItem[] = columns.map((column) => ({
    name: column.name,
    alias: column.name,
    value: { ...plainValue(column, NOWHERE), references: [{ scope: resolver.scope.id, span: NOWHERE }] },
  }));
  const order = query.orderBy.map((item) => ({ item, value: orderedBy(resolver, item, items) }));
  const time = body.time === null ? null : columnTerm(name, body.time);
  const list = selectList({ place, items, time, identifier: null });
  const node: SelectNode = {
    ...PLAIN_SELECT,
    items: list.items,
    from: { kind: 'derived', query: body.node, as: name },
    orderBy: orderKeysOf({ query, place, order, items, distinct: false, time }),
    ...limitsOf(query, resolver),
  };
  return { node, columns: list.columns, time: list.time, references: body.references, simple: false };
};

const typeOf = ({ type, isNull }: GivenColumn): ValueType => (isNull ? { kind: 'null' } : type);

/** NULL as a value of the type, which an engine may have to know. */
const nullOf = (type: ValueType, span: Span): Term => {
  if (isScalar(type)) return literal(null, type.kind);
  if (type.kind === 'array' && type.form === 'list')
    return choose([[literal(false), apply('list', nullOf(type.items, span))]]);
  const text = plainValue({ term: literal(null, 'string'), type: { kind: 'string' } }, span);
  return asCommon(text, { kind: 'json' });
};

const NOWHERE: Span = { start: 0, end: 0 };

/** Lowers the set operation on its two sides, without ORDER BY. */
export const lowerSet = (
  { operator, span }: SetOperation,
  [left, right]: readonly [LoweredQuery, LoweredQuery],
  context: CompileContext,
): LoweredQuery => {
  if (left.columns.length !== right.columns.length)
    refuse(
      span,
      `the sides of a set operation need as many columns: ${left.columns.length} and ${right.columns.length}`,
    );
  const columns = left.columns.map((column, at) => {
    const other = right.columns[at];
    return {
      name: column.name,
      called: context.fresh('k'),
      type: commonType([typeOf(column), typeOf(other ?? column)], span),
      ...(column.isNull && other?.isNull && { isNull: true as const }),
    };
  });
  // UNION ALL keeps the rows and their times. The other operators merge equal rows, which can have several times.
  const timed = operator === 'union all' && left.time !== null && right.time !== null;
  const time = timed ? context.fresh('k') : null;
  const side = (query: LoweredQuery): SelectNode => {
    const items = query.columns.map((column, at) => {
      const { type, called } = columns[at] ?? column;
      if (column.isNull) return { term: nullOf(type, span), name: called };
      const value = plainValue({ ...column, term: columnTerm(null, column.called) }, span);
      return { term: asCommon(value, type), name: called };
    });
    if (time !== null && query.time !== null) items.push({ term: columnTerm(null, query.time), name: time });
    return { ...PLAIN_SELECT, items, from: { kind: 'derived', query: query.node, as: null } };
  };
  return {
    node: { kind: 'set', operator, left: side(left), right: side(right) },
    columns,
    time,
    references: [...left.references, ...right.references],
    simple: false,
  };
};
