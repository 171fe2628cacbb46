/** Builds nodes of the query tree for LQL. Each node has the span of its part of the LQL text. */
import type { BinaryOperator, Expression, Literal, OrderItem, Query, Select, Span } from '../sql/tree.js';
import type { LqlPath } from './lql-tree.js';

export const literal = (value: Literal, span: Span): Extract<Expression, { kind: 'literal' }> => ({
  kind: 'literal',
  value,
  span,
});

export const path = ({ parts, span }: LqlPath): Expression => ({ kind: 'path', parts, span });

export const column = (name: string, span: Span): Expression => ({ kind: 'path', parts: [name], span });

export const keyword = (word: string, span: Span): Expression => ({ kind: 'keyword', word, span });

export const binary = (left: Expression, operator: BinaryOperator, right: Expression): Expression => ({
  kind: 'binary',
  operator,
  left,
  right,
  span: { start: Math.min(left.span.start, right.span.start), end: Math.max(left.span.end, right.span.end) },
});

/** Joins conditions with AND. Returns null when there are none. */
export const all = (conditions: readonly Expression[]): Expression | null => {
  const [first, ...rest] = conditions;
  return first ? rest.reduce((left, right) => binary(left, 'and', right), first) : null;
};

export const call = (
  name: string,
  args: readonly Expression[],
  span: Span,
  distinct = false,
): Expression => ({
  kind: 'call',
  name,
  args,
  distinct,
  nulls: null,
  orderBy: [],
  limit: null,
  over: null,
  span,
});

export const cast = (operand: Expression, type: string): Expression => ({
  kind: 'cast',
  operand,
  type,
  safe: false,
  span: operand.span,
});

export const interval = (amount: number, unit: string, span: Span): Expression => ({
  kind: 'interval',
  amount: literal(amount, span),
  unit,
  span,
});

/** Builds a query of one SELECT with the clauses that LQL has. */
export const queryOf = (
  parts: Pick<Select, 'items' | 'from' | 'where' | 'span'> & {
    readonly groupBy?: readonly Expression[];
    readonly orderBy?: readonly OrderItem[];
  },
): Query => {
  const { groupBy = [], orderBy = [], ...select } = parts;
  return {
    ctes: [],
    body: {
      kind: 'select',
      asStruct: false,
      distinct: false,
      ...select,
      groupBy: groupBy.length === 0 ? null : { kind: 'expressions', expressions: groupBy },
      having: null,
      qualify: null,
      windows: [],
    },
    orderBy,
    limit: null,
    offset: null,
  };
};

export const ordered = (expression: Expression, descending: boolean): OrderItem => ({
  expression,
  descending,
  nulls: null,
});
