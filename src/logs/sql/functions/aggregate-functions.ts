/** The aggregate functions. Each declares which modifiers it takes (DISTINCT, ORDER BY …) and prints its call. */
import { type EngineSql, integerLiteral, joined, sql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import { convert, isScalar, jsonOf, numbersAsJson, recordOf, textOf } from '../values/convert.js';
import { elementType, isJson, type Shape } from '../values/values.js';
import {
  argument,
  type Call,
  double,
  has,
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
  /** Empty, or ORDER BY with its items. */
  readonly orderBy: EngineSql;
  readonly limit: number | null;
}

export interface AggregateFunction {
  readonly arity: readonly [number, number];
  readonly takes: ReadonlySet<'distinct' | 'orderBy' | 'limit' | 'nulls' | 'over'>;
  readonly print: (
    call: Call,
    modifiers: Modifiers,
  ) => Shape & { readonly suffix?: EngineSql; readonly wrap?: (printed: EngineSql) => EngineSql };
}

type Takes = AggregateFunction['takes'];
const OVER: Takes = new Set(['over']);
const DISTINCT: Takes = new Set(['distinct', 'over']);
const LISTED: Takes = new Set(['distinct', 'orderBy', 'limit', 'nulls', 'over']);

const aggregate = (
  arity: readonly [number, number],
  takes: Takes,
  print: AggregateFunction['print'],
): AggregateFunction => ({ arity, takes, print });

const distinctly = ({ distinct }: Modifiers): EngineSql => (distinct ? sql`DISTINCT ` : sql``);

const count: AggregateFunction = aggregate([1, 1], DISTINCT, (call, modifiers) => {
  if (call.expressions[0]?.kind === 'star') {
    if (modifiers.distinct) return refuse(call.span, 'count(distinct *) is not supported; name a column');
    return of('integer', sql`count(*)`);
  }
  const value = argument(call, 0);
  const counted = isJson(value.type) ? textOf(value) : value.sql;
  return of('integer', sql`count(${distinctly(modifiers)}${counted})`);
});

/** The sum of integers is an integer. */
const sum = aggregate([1, 1], DISTINCT, (call, modifiers) => {
  const { sql: added, type } = number(call, 0);
  const total = sql`sum(${distinctly(modifiers)}${added})`;
  if (type.kind === 'number') return of('number', total);
  return { ...of('integer', total), wrap: (printed) => sql`TRY_CAST(${printed} AS BIGINT)` };
});

/** For JSON values of unknown shape: the extreme number if there are numbers, otherwise the extreme text. */
const extreme = (printed: EngineSql) =>
  aggregate([1, 1], DISTINCT, (call) => {
    const value = argument(call, 0);
    if (isScalar(value.type)) return { sql: sql`${printed}(${value.sql})`, type: value.type };
    if (!isJson(value.type)) return refuse(value.span, `${call.name} takes a value that has an order`);
    const of0 = textOf(value);
    return of(
      'json',
      sql`COALESCE(${numbersAsJson(sql`${printed}(TRY_CAST(${of0} AS DOUBLE))`)}, to_json(${printed}(${of0})))`,
    );
  });

const listed = (call: Call, modifiers: Modifiers): EngineSql => {
  const value = argument(call, 0);
  const item = isScalar(value.type) || value.type.kind === 'array' ? value.sql : jsonOf(value);
  return sql`list(${distinctly(modifiers)}${item}${modifiers.orderBy})`;
};

const cut =
  (limit: number | null) =>
  (printed: EngineSql): EngineSql =>
    limit === null ? printed : sql`list_slice(${printed}, 1, ${integerLiteral(limit)})`;

const arrayAgg = aggregate([1, 1], LISTED, (call, modifiers) => {
  const { type, sql: value } = argument(call, 0);
  const shape: Shape = { sql: listed(call, modifiers), type: { kind: 'array', items: type, form: 'list' } };
  const suffix = modifiers.ignoreNulls ? sql` FILTER (WHERE ${value} IS NOT NULL)` : sql``;
  return { ...shape, suffix, wrap: cut(modifiers.limit) };
});

const stringAgg = aggregate([1, 2], LISTED, (call, modifiers) => {
  const delimiter = textLiteral(has(call, 1) ? literalText(call, 1, 'the delimiter') : ',');
  const value = text(call, 0);
  if (modifiers.limit === null)
    return of('string', sql`string_agg(${distinctly(modifiers)}${value}, ${delimiter}${modifiers.orderBy})`);
  const list = sql`list(${distinctly(modifiers)}${value}${modifiers.orderBy})`;
  return {
    ...of('string', list),
    suffix: sql` FILTER (WHERE ${value} IS NOT NULL)`,
    wrap: (printed) => sql`array_to_string(${cut(modifiers.limit)(printed)}, ${delimiter})`,
  };
});

/** The n + 1 bounds that divide the sorted values into n equal parts. Exact; ignores NULLs. */
const quantiles = aggregate([2, 2], DISTINCT, (call, modifiers) => {
  const parts = literalWhole(call, 1, { what: 'the number of quantiles', low: 1, high: 1000 });
  const value = argument(call, 0);
  const shape: Shape = isScalar(value.type)
    ? { sql: value.sql, type: value.type }
    : of('number', double(call, 0));
  const points = Array.from(
    { length: parts + 1 },
    (_, at) => sql`${integerLiteral(at)}.0 / ${integerLiteral(parts)}`,
  );
  return {
    sql: sql`quantile_disc(${distinctly(modifiers)}${shape.sql}, [${joined(points, ', ')}])`,
    type: { kind: 'array', items: shape.type, form: 'list' },
  };
});

/** Ignores numbers whose squares overflow, like values that are not numbers. The overflow would fail the query. */
const squarable = (call: Call, at: number): EngineSql => {
  const value = double(call, at);
  return sql`CASE WHEN abs(${value}) < 1e150 THEN ${value} END`;
};

const statistic = (printed: EngineSql) =>
  aggregate([1, 1], DISTINCT, (call, modifiers) =>
    of('number', sql`${printed}(${distinctly(modifiers)}${squarable(call, 0)})`),
  );

/** The value at `fraction` of the sorted values. Only with OVER, as in the dialect. */
const percentile = (printed: EngineSql) =>
  aggregate([2, 2], OVER, (call) => {
    const fraction = argument(call, 1);
    if (typeof fraction.literal !== 'number' || fraction.literal < 0 || fraction.literal > 1)
      return refuse(fraction.span, 'the percentile is a number from 0 to 1, written in the query');
    return of('number', sql`${printed}(${double(call, 0)}, ${convert(fraction, 'number', fraction.span)})`);
  });

/** The most frequent values, each with its count, without NULL. The choice among equal counts is deterministic. */
const topCount = aggregate([2, 2], new Set(), (call) => {
  const most = literalWhole(call, 1, { what: 'the number of values', low: 1, high: 1000 });
  const value = argument(call, 0);
  const counted: Shape = isScalar(value.type)
    ? { sql: value.sql, type: value.type }
    : of('string', text(call, 0));
  const key: Shape = { sql: sql`x.v`, type: counted.type };
  const times: Shape = of('integer', sql`(-x.n)`);
  const entry = recordOf([
    { name: 'value', shape: key },
    { name: 'count', shape: times },
  ]);
  return {
    sql: sql`histogram(${counted.sql})`,
    type: { kind: 'array', items: entry.type, form: 'list' },
    wrap: (printed) => {
      const counts = sql`list_transform(map_entries(${printed}), lambda x: {n: -CAST(x.value AS BIGINT), v: x.key})`;
      const first = sql`list_slice(list_sort(${counts}), 1, ${integerLiteral(most)})`;
      return sql`COALESCE(list_transform(${first}, lambda x: ${entry.sql}), [])`;
    },
  };
});

/** The value of the row in which another value is greatest or least. It may be NULL. Ignores rows whose other value is NULL. */
const valueBy = (printed: EngineSql) =>
  aggregate([2, 2], OVER, (call) => {
    const [value, by] = [argument(call, 0), argument(call, 1)];
    if (!isScalar(by.type) && !isJson(by.type))
      return refuse(by.span, `${call.name} takes a value that has an order`);
    const order = isJson(by.type) ? textOf(by) : by.sql;
    return { sql: sql`${printed}(${value.sql}, ${order})`, type: value.type };
  });

/** Statistics of two numbers. */
const pairStatistic = (printed: EngineSql) =>
  aggregate([2, 2], OVER, (call) =>
    of('number', sql`${printed}(${squarable(call, 0)}, ${squarable(call, 1)})`),
  );

/** All elements of all arrays, array by array. */
const concatenated = aggregate([1, 1], new Set(['orderBy']), (call, modifiers) => {
  const value = argument(call, 0);
  const list = listIn(value);
  return {
    sql: sql`list(${list}${modifiers.orderBy})`,
    type: { kind: 'array', items: elementType(value.type), form: 'list' },
    suffix: sql` FILTER (WHERE ${list} IS NOT NULL)`,
    wrap: (printed) => sql`flatten(${printed})`,
  };
});

export const AGGREGATES: Readonly<Record<string, AggregateFunction>> = {
  count,
  // The engine's own count_if is NULL, not 0, when every condition is NULL.
  countif: aggregate([1, 1], OVER, (call) =>
    of('integer', sql`count(CASE WHEN ${truth(call, 0)} THEN 1 END)`),
  ),
  sum,
  avg: aggregate([1, 1], DISTINCT, (call, modifiers) =>
    of('number', sql`avg(${distinctly(modifiers)}${number(call, 0).sql})`),
  ),
  min: extreme(sql`min`),
  max: extreme(sql`max`),
  any_value: aggregate([1, 1], OVER, (call) => {
    const value = argument(call, 0);
    return { sql: sql`any_value(${value.sql})`, type: value.type };
  }),
  array_agg: arrayAgg,
  string_agg: stringAgg,
  approx_count_distinct: aggregate([1, 1], OVER, (call) =>
    of('integer', sql`count(DISTINCT ${text(call, 0)})`),
  ),
  approx_quantiles: quantiles,
  approx_top_count: topCount,
  array_concat_agg: concatenated,
  max_by: valueBy(sql`arg_max_null`),
  min_by: valueBy(sql`arg_min_null`),
  corr: pairStatistic(sql`corr`),
  covar_pop: pairStatistic(sql`covar_pop`),
  covar_samp: pairStatistic(sql`covar_samp`),
  logical_and: aggregate([1, 1], OVER, (call) => of('boolean', sql`bool_and(${truth(call, 0)})`)),
  logical_or: aggregate([1, 1], OVER, (call) => of('boolean', sql`bool_or(${truth(call, 0)})`)),
  stddev: statistic(sql`stddev_samp`),
  stddev_samp: statistic(sql`stddev_samp`),
  stddev_pop: statistic(sql`stddev_pop`),
  variance: statistic(sql`var_samp`),
  var_samp: statistic(sql`var_samp`),
  var_pop: statistic(sql`var_pop`),
};

/** Functions that are only allowed with OVER. */
export const WINDOW_FUNCTIONS: Readonly<Record<string, AggregateFunction>> = {
  row_number: aggregate([0, 0], OVER, () => of('integer', sql`row_number()`)),
  rank: aggregate([0, 0], OVER, () => of('integer', sql`rank()`)),
  dense_rank: aggregate([0, 0], OVER, () => of('integer', sql`dense_rank()`)),
  percent_rank: aggregate([0, 0], OVER, () => of('number', sql`percent_rank()`)),
  cume_dist: aggregate([0, 0], OVER, () => of('number', sql`cume_dist()`)),
  ntile: aggregate([1, 1], OVER, (call) =>
    of(
      'integer',
      sql`ntile(${integerLiteral(literalWhole(call, 0, { what: 'the number of parts', low: 1, high: 1_000_000 }))})`,
    ),
  ),
  lag: shifted(sql`lag`),
  lead: shifted(sql`lead`),
  first_value: positioned(sql`first_value`),
  last_value: positioned(sql`last_value`),
  nth_value: aggregate([2, 2], new Set(['over', 'nulls']), (call, modifiers) => {
    const value = argument(call, 0);
    const at = integerLiteral(literalWhole(call, 1, { what: 'the place', low: 1, high: 1_000_000 }));
    return { sql: sql`nth_value(${value.sql}, ${at}${ignoring(modifiers)})`, type: value.type };
  }),
  percentile_cont: percentile(sql`quantile_cont`),
  percentile_disc: percentile(sql`quantile_disc`),
};

function ignoring({ ignoreNulls }: Modifiers): EngineSql {
  return ignoreNulls ? sql` IGNORE NULLS` : sql``;
}

function positioned(printed: EngineSql): AggregateFunction {
  return aggregate([1, 1], new Set(['over', 'nulls']), (call, modifiers) => {
    const value = argument(call, 0);
    return { sql: sql`${printed}(${value.sql}${ignoring(modifiers)})`, type: value.type };
  });
}

/** The value of a row at a distance, 1 by default, or a default value beyond the ends. */
function shifted(printed: EngineSql): AggregateFunction {
  return aggregate([1, 3], OVER, (call) => {
    const value = argument(call, 0);
    const by = has(call, 1) ? literalWhole(call, 1, { what: 'the distance', low: 0, high: 1_000_000 }) : 1;
    if (!has(call, 2)) return { sql: sql`${printed}(${value.sql}, ${integerLiteral(by)})`, type: value.type };
    const fallback = argument(call, 2);
    const beyond = isScalar(value.type)
      ? convert(fallback, value.type.kind, fallback.span)
      : jsonOf(fallback);
    return { sql: sql`${printed}(${value.sql}, ${integerLiteral(by)}, ${beyond})`, type: value.type };
  });
}
