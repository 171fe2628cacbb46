/** The aggregate functions. Each declares which modifiers it takes (DISTINCT, ORDER BY …) and builds its term. */
import type { AggregateName } from '../../../foundation/log-store/query-operations.js';
import type { OrderKey, Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { type AggregateTerm, aggregateOf, apply, choose, ELEMENT, each, literal } from '../terms.js';
import { convert, isScalar, jsonOf, recordOf, textOf } from '../values/convert.js';
import { elementType, isJson, type Shape, type ValueType } from '../values/values.js';
import {
  argument,
  type Call,
  double,
  has,
  listType,
  literalText,
  literalWhole,
  number,
  of,
  text,
  truth,
} from './call.js';
import { listIn } from './json-functions.js';

/** The modifiers in an aggregate's parentheses, beside its arguments. */
export interface Modifiers {
  readonly distinct: boolean;
  readonly ignoreNulls: boolean;
  readonly orderBy: readonly OrderKey[];
  readonly limit: number | null;
}

export interface AggregateFunction {
  readonly arity: readonly [number, number];
  readonly takes: ReadonlySet<'distinct' | 'orderBy' | 'limit' | 'nulls' | 'over'>;
  readonly shape: (call: Call, modifiers: Modifiers) => AggregateShape;
}

/** What an aggregate gives. */
interface AggregateShape {
  readonly term: AggregateTerm;
  readonly type: ValueType;
  /** What is made of it, after its OVER. */
  readonly wrap?: (term: Term) => Term;
}

type Takes = AggregateFunction['takes'];
const OVER: Takes = new Set(['over']);
const DISTINCT: Takes = new Set(['distinct', 'over']);
const LISTED: Takes = new Set(['distinct', 'orderBy', 'limit', 'nulls', 'over']);

const aggregate = (
  arity: readonly [number, number],
  takes: Takes,
  shape: AggregateFunction['shape'],
): AggregateFunction => ({ arity, takes, shape });

const integer = (term: AggregateTerm): AggregateShape => ({ term, type: { kind: 'integer' } });
const real = (term: AggregateTerm): AggregateShape => ({ term, type: { kind: 'number' } });

const count: AggregateFunction = aggregate([1, 1], DISTINCT, (call, { distinct }) => {
  if (call.expressions[0]?.kind === 'star') {
    if (distinct) return refuse(call.span, 'count(distinct *) is not supported; name a column');
    return integer(aggregateOf('count', []));
  }
  const value = argument(call, 0);
  const counted = isJson(value.type) ? textOf(value) : value.term;
  return integer(aggregateOf('count', [counted], { distinct }));
});

/** The sum of integers is an integer. */
const sum = aggregate([1, 1], DISTINCT, (call, { distinct }) => {
  const { term, type } = number(call, 0);
  const total = aggregateOf('sum', [term], { distinct });
  if (type.kind === 'number') return real(total);
  return { ...integer(total), wrap: (whole) => apply('sum-as-integer', whole) };
});

/** For JSON values of unknown shape: the extreme number if there are numbers, otherwise the extreme text. */
const extreme = (name: 'min' | 'max') =>
  aggregate([1, 1], DISTINCT, (call) => {
    const value = argument(call, 0);
    if (isScalar(value.type)) return { term: aggregateOf(name, [value.term]), type: value.type };
    if (!isJson(value.type)) return refuse(value.span, `${call.name} takes a value that has an order`);
    const text = textOf(value);
    const term = aggregateOf(`${name}-json`, [apply('text-as-ordered-number', text), text]);
    return { term, type: { kind: 'json' } };
  });

const cut =
  (limit: number | null) =>
  (list: Term): Term =>
    limit === null ? list : apply('list-start', list, literal(limit));

const arrayAgg = aggregate([1, 1], LISTED, (call, { distinct, orderBy, ignoreNulls, limit }) => {
  const value = argument(call, 0);
  const { type, term } = value;
  const item = isScalar(type) || type.kind === 'array' ? term : jsonOf(value);
  const without = ignoreNulls ? term : null;
  return {
    term: aggregateOf('list', [item], { distinct, orderBy, without }),
    type: listType(type),
    wrap: cut(limit),
  };
});

const stringAgg = aggregate([1, 2], LISTED, (call, { distinct, orderBy, limit }) => {
  const delimiter = literal(has(call, 1) ? literalText(call, 1, 'the delimiter') : ',');
  const value = text(call, 0);
  const type = { kind: 'string' } as const;
  if (limit === null)
    return { term: aggregateOf('joined-text', [value, delimiter], { distinct, orderBy }), type };
  return {
    term: aggregateOf('list', [value], { distinct, orderBy, without: value }),
    type,
    wrap: (list) => apply('list-joined', cut(limit)(list), delimiter),
  };
});

/** The n + 1 bounds that divide the sorted values into n equal parts. Exact; ignores NULLs. */
const quantiles = aggregate([2, 2], DISTINCT, (call, { distinct }) => {
  const parts = literalWhole(call, 1, { what: 'the number of quantiles', low: 1, high: 1000 });
  const value = argument(call, 0);
  const { term, type }: Shape = isScalar(value.type) ? value : of('number', double(call, 0));
  return { term: aggregateOf('quantiles', [term, literal(parts)], { distinct }), type: listType(type) };
});

/** Ignores numbers whose squares overflow, like values that are not numbers. The overflow would fail the query. */
const squarable = (call: Call, at: number): Term => {
  const value = double(call, at);
  return choose([[apply('<', apply('abs', value), literal(1e150)), value]]);
};

const statistic = (name: AggregateName) =>
  aggregate([1, 1], DISTINCT, (call, { distinct }) =>
    real(aggregateOf(name, [squarable(call, 0)], { distinct })),
  );

/** The value at `fraction` of the sorted values. Only with OVER, as in the dialect. */
const percentile = (name: AggregateName) =>
  aggregate([2, 2], OVER, (call) => {
    const fraction = argument(call, 1);
    if (typeof fraction.literal !== 'number' || fraction.literal < 0 || fraction.literal > 1)
      return refuse(fraction.span, 'the percentile is a number from 0 to 1, written in the query');
    return real(aggregateOf(name, [double(call, 0), convert(fraction, 'number', fraction.span)]));
  });

/** The most frequent values, each with its count, without NULL. The choice among equal counts is deterministic. */
const topCount = aggregate([2, 2], new Set(), (call) => {
  const most = literalWhole(call, 1, { what: 'the number of values', low: 1, high: 1000 });
  const value = argument(call, 0);
  const counted: Shape = isScalar(value.type) ? value : of('string', text(call, 0));
  const entry = recordOf([
    { name: 'value', shape: { term: apply('counted-value', ELEMENT), type: counted.type } },
    { name: 'count', shape: of('integer', apply('counted-times', ELEMENT)) },
  ]);
  return {
    term: aggregateOf('counts-by-value', [counted.term]),
    type: listType(entry.type),
    wrap: (counts) =>
      apply('coalesce', each(apply('top-counts', counts, literal(most)), entry.term), apply('list')),
  };
});

/** The value of the row in which another value is greatest or least. It may be NULL. Ignores rows whose other value is NULL. */
const valueBy = (name: AggregateName) =>
  aggregate([2, 2], OVER, (call) => {
    const [value, by] = [argument(call, 0), argument(call, 1)];
    if (!isScalar(by.type) && !isJson(by.type))
      return refuse(by.span, `${call.name} takes a value that has an order`);
    const order = isJson(by.type) ? textOf(by) : by.term;
    return { term: aggregateOf(name, [value.term, order]), type: value.type };
  });

/** Statistics of two numbers. */
const pairStatistic = (name: AggregateName) =>
  aggregate([2, 2], OVER, (call) => real(aggregateOf(name, [squarable(call, 0), squarable(call, 1)])));

/** All elements of all arrays, array by array. */
const concatenated = aggregate([1, 1], new Set(['orderBy']), (call, { orderBy }) => {
  const value = argument(call, 0);
  const list = listIn(value);
  return {
    term: aggregateOf('list', [list], { orderBy, without: list }),
    type: listType(elementType(value.type)),
    wrap: (lists) => apply('flattened', lists),
  };
});

const ofTruths = (name: AggregateName) =>
  aggregate([1, 1], OVER, (call) => ({
    term: aggregateOf(name, [truth(call, 0)]),
    type: { kind: 'boolean' },
  }));

export const AGGREGATES: Readonly<Record<string, AggregateFunction>> = {
  count,
  countif: aggregate([1, 1], OVER, (call) =>
    integer(aggregateOf('count', [choose([[truth(call, 0), literal(1)]])])),
  ),
  sum,
  avg: aggregate([1, 1], DISTINCT, (call, { distinct }) =>
    real(aggregateOf('avg', [number(call, 0).term], { distinct })),
  ),
  min: extreme('min'),
  max: extreme('max'),
  any_value: positioned('any-value', OVER),
  array_agg: arrayAgg,
  string_agg: stringAgg,
  approx_count_distinct: aggregate([1, 1], OVER, (call) =>
    integer(aggregateOf('count', [text(call, 0)], { distinct: true })),
  ),
  approx_quantiles: quantiles,
  approx_top_count: topCount,
  array_concat_agg: concatenated,
  max_by: valueBy('value-at-greatest'),
  min_by: valueBy('value-at-least'),
  corr: pairStatistic('corr'),
  covar_pop: pairStatistic('covar-pop'),
  covar_samp: pairStatistic('covar-samp'),
  logical_and: ofTruths('every'),
  logical_or: ofTruths('some'),
  stddev: statistic('stddev-samp'),
  stddev_samp: statistic('stddev-samp'),
  stddev_pop: statistic('stddev-pop'),
  variance: statistic('var-samp'),
  var_samp: statistic('var-samp'),
  var_pop: statistic('var-pop'),
};

const NULLS: Takes = new Set(['over', 'nulls']);

/** Functions that are only allowed with OVER. */
export const WINDOW_FUNCTIONS: Readonly<Record<string, AggregateFunction>> = {
  row_number: aggregate([0, 0], OVER, () => integer(aggregateOf('row-number', []))),
  rank: aggregate([0, 0], OVER, () => integer(aggregateOf('rank', []))),
  dense_rank: aggregate([0, 0], OVER, () => integer(aggregateOf('dense-rank', []))),
  percent_rank: aggregate([0, 0], OVER, () => real(aggregateOf('percent-rank', []))),
  cume_dist: aggregate([0, 0], OVER, () => real(aggregateOf('cume-dist', []))),
  ntile: aggregate([1, 1], OVER, (call) => {
    const parts = literalWhole(call, 0, { what: 'the number of parts', low: 1, high: 1_000_000 });
    return integer(aggregateOf('ntile', [literal(parts)]));
  }),
  lag: shifted('lag'),
  lead: shifted('lead'),
  first_value: positioned('first-value', NULLS),
  last_value: positioned('last-value', NULLS),
  nth_value: aggregate([2, 2], NULLS, (call, { ignoreNulls }) => {
    const { term, type } = argument(call, 0);
    const at = literalWhole(call, 1, { what: 'the place', low: 1, high: 1_000_000 });
    return { term: aggregateOf('nth-value', [term, literal(at)], { ignoreNulls }), type };
  }),
  percentile_cont: percentile('percentile-cont'),
  percentile_disc: percentile('percentile-disc'),
};

function positioned(name: AggregateName, takes: Takes): AggregateFunction {
  return aggregate([1, 1], takes, (call, { ignoreNulls }) => {
    const { term, type } = argument(call, 0);
    return { term: aggregateOf(name, [term], { ignoreNulls }), type };
  });
}

/** The value of a row at a distance, 1 by default, or a default value beyond the ends. */
function shifted(name: AggregateName): AggregateFunction {
  return aggregate([1, 3], OVER, (call) => {
    const { term, type } = argument(call, 0);
    const by = has(call, 1) ? literalWhole(call, 1, { what: 'the distance', low: 0, high: 1_000_000 }) : 1;
    if (!has(call, 2)) return { term: aggregateOf(name, [term, literal(by)]), type };
    const fallback = argument(call, 2);
    const beyond = isScalar(type) ? convert(fallback, type.kind, fallback.span) : jsonOf(fallback);
    return { term: aggregateOf(name, [term, literal(by), beyond]), type };
  });
}
