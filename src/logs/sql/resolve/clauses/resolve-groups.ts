/** Resolves GROUP BY: expressions, names of the SELECT list, or positions in it. */
import type { Grouping, Term } from '../../../../foundation/log-store/query-tree.js';
import { refuse } from '../../query-problem.js';
import { literal } from '../../terms.js';
import type { Expression, Select } from '../../tree.js';
import { textOf } from '../../values/convert.js';
import { isJson, ofOneRow, type Value } from '../../values/values.js';
import type { Resolver } from '../resolver.js';
import { itemsOf, pathsByLastName } from './resolve-items.js';

export interface Groups {
  /** All grouped terms; null without GROUP BY. */
  readonly keys: readonly Term[] | null;
  /** Null without GROUP BY. */
  readonly grouping: Grouping | null;
}

export const groupsOf = (resolver: Resolver, select: Select): Groups => {
  const { groupBy } = select;
  if (groupBy === null) return { keys: null, grouping: null };
  const valuesOf = (expressions: readonly Expression[]) =>
    keysAmong(expressions.map((expression) => groupValue(resolver, expression, select)));
  switch (groupBy.kind) {
    case 'expressions': {
      const values = valuesOf(groupBy.expressions);
      return { keys: keysOf(values), grouping: values.length === 0 ? CONSTANT : byTerms(values) };
    }
    case 'all': {
      const items = itemsOf(resolver, select).map(({ value }) => value);
      const values = keysAmong(
        items.filter(({ aggregate, window }) => aggregate === null && window === null),
      );
      // With aggregates only, GROUP BY ALL groups all rows, as a query without GROUP BY.
      const whole = items.some(({ aggregate }) => aggregate !== null) ? null : CONSTANT;
      return { keys: keysOf(values), grouping: values.length === 0 ? whole : byTerms(values) };
    }
    case 'sets': {
      const sets = groupBy.sets.map((set) => {
        const values = set.map((expression) => groupValue(resolver, expression, select));
        return keysAmong(values.map(differing));
      });
      const terms = sets.map((values) => values.map(({ term }) => term));
      return { keys: keysOf(sets.flat()), grouping: { kind: 'sets', sets: terms } };
    }
  }
};

/** Leaves out constants. They group nothing, and the engine could read one as a column position. */
const keysAmong = (values: readonly Value[]): readonly Value[] => {
  for (const value of values) {
    ofOneRow(value, 'a query cannot group by an aggregate or a window');
    if (value.type.kind === 'array') refuse(value.span, 'a query cannot group by an array');
  }
  return values.filter(({ references }) => references.length > 0);
};

/** Refuses a constant: in grouping sets it would have to be NULL in rows of sets without it. */
const differing = (value: Value): Value =>
  value.references.length > 0 || value.aggregate !== null || value.window !== null
    ? value
    : refuse(
        value.span,
        'this is the same for all rows; ROLLUP, CUBE and GROUPING SETS take what differs among them',
      );

const keysOf = (values: readonly Value[]): readonly Term[] =>
  values.flatMap((value) => (isJson(value.type) ? [value.term, textOf(value)] : [value.term]));

const byTerms = (values: readonly Value[]): Grouping => ({
  kind: 'terms',
  terms: values.map(({ term }) => term),
});

/** Grouping only by constants gives one group, or none without rows. */
const CONSTANT: Grouping = { kind: 'terms', terms: [literal(1, 'integer')] };

const groupValue = (resolver: Resolver, expression: Expression, select: Select): Value => {
  if (expression.kind === 'literal' && typeof expression.value === 'number')
    return ordinal(resolver, expression.value, { expression, select });
  const alias =
    expression.kind === 'path' && expression.parts.length === 1
      ? expression.parts[0]?.toLowerCase()
      : undefined;
  const item = select.items.find(
    (one) => one.kind === 'expression' && one.alias !== null && one.alias.toLowerCase() === alias,
  );
  if (item?.kind === 'expression') return { ...resolver.resolve(item.expression), span: expression.span };
  const { scope } = resolver;
  if (alias !== undefined) scope.lastNames = pathsByLastName(resolver, select);
  const value = resolver.resolve(expression);
  scope.lastNames = null;
  return value;
};

const ordinal = (
  resolver: Resolver,
  at: number,
  { expression, select }: { expression: Expression; select: Select },
): Value => {
  const item = select.items[at - 1];
  if (item === undefined)
    return refuse(expression.span, `there is no column ${at}; the query gives ${select.items.length}`);
  if (item.kind === 'all') return refuse(expression.span, `column ${at} is a *; name what to group by`);
  return { ...resolver.resolve(item.expression), span: expression.span };
};
