/**
 * A part of what a filter in LQL finds: a page of entries beside a known one, or the values of a field. Both hold for all
 * entries that the filter finds, however many rows the endpoint returns. Entries are in the order of time, then id, so that
 * pages neither repeat nor omit one, also among entries of one microsecond.
 */

import { located } from '../sql/query-problem.js';
import type { Expression, OrderItem, Query, Span } from '../sql/tree.js';
import { lowerFilter } from './lower-filter.js';
import { COLUMNS, type LqlTables, tableOf } from './lower-lql.js';
import { all, binary, call, cast, column, literal, ordered, path, queryOf } from './lowered.js';
import { LqlFault } from './lql-fault.js';
import type { LqlQuery } from './lql-tree.js';

/** `newest`, `before`: newest first. `after`: oldest first. `timestamp`: ISO 8601. `rows`: at most so many. */
export type LqlPart =
  | { readonly kind: 'newest'; readonly rows: number }
  | {
      readonly kind: 'before' | 'after';
      readonly timestamp: string;
      readonly id: string;
      readonly rows: number;
    }
  /** Rows of `value` and `count`, the most frequent first. `field`: the parts of its path. */
  | { readonly kind: 'values'; readonly field: readonly string[] };

const MAX_VALUES = 20;

/** Throws QueryProblem (`lql-syntax`), also when the query chooses columns or has aggregates. */
export const lowerPart = (query: LqlQuery, tables: LqlTables, part: LqlPart): Query =>
  located({ text: query.text, code: 'lql-syntax' }, () => partOf(query, tables, part));

const partOf = (query: LqlQuery, tables: LqlTables, part: LqlPart): Query => {
  const { columns, aggregates, grouping, text, filters } = query;
  const other = columns[0] ?? aggregates[0] ?? grouping;
  if (other) throw new LqlFault(other.span.start, 'expected filters only, without s: and c:');
  const whole = { start: 0, end: text.length };
  const from = { kind: 'table', ...tableOf(query, tables), alias: null } as const;
  const conditions = filters.map(lowerFilter);
  return part.kind === 'values'
    ? valuesOf(part.field, { from, where: all(conditions), span: whole })
    : queryOf({
        items: COLUMNS.map((name) => item(column(name, whole), name)),
        from,
        where: all(part.kind === 'newest' ? conditions : [...conditions, beside(part, whole)]),
        orderBy: inOrder(whole, part.kind !== 'after'),
        span: whole,
      });
};

const inOrder = (span: Span, descending: boolean): readonly OrderItem[] =>
  ['timestamp', 'id'].map((name) => ordered(column(name, span), descending));

/** The timestamp stands alone too, so that a store can skip the entries outside it. */
const beside = (
  { kind, timestamp, id }: Extract<LqlPart, { readonly id: string }>,
  span: Span,
): Expression => {
  const [time, at] = [column('timestamp', span), cast(literal(timestamp, span), 'timestamp')];
  const beyond = kind === 'before' ? '<' : '>';
  const sameTime = binary(
    binary(time, '=', at),
    'and',
    binary(column('id', span), beyond, literal(id, span)),
  );
  return binary(binary(time, `${beyond}=`, at), 'and', binary(binary(time, beyond, at), 'or', sameTime));
};

type Found = Pick<Parameters<typeof queryOf>[0], 'from' | 'where' | 'span'>;

const valuesOf = (field: readonly string[], found: Found): Query => {
  const { span } = found;
  const [value, count] = [literal(1, span), literal(2, span)];
  const query = queryOf({
    ...found,
    items: [
      item(path({ parts: field, span }), 'value'),
      item(call('count', [{ kind: 'star', span }], span), 'count'),
    ],
    groupBy: [value],
    orderBy: [ordered(count, true), ordered(value, false)],
  });
  return { ...query, limit: literal(MAX_VALUES, span) };
};

const item = (expression: Expression, alias: string) => ({ kind: 'expression', expression, alias }) as const;
