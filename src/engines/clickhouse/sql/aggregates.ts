/** How ClickHouse spells aggregates and functions of a window. Over no values they are NULL, as `-OrNull` says, but for counts. */
import { type EngineSql, integerLiteral, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import type { AggregateName } from '../../../foundation/log-store/query-operations.js';
import { once } from './clickhouse-sql.js';
import { asJson } from './json.js';
import { element, joinedText, listOf, ofArray } from './lists.js';
import { as, type Printed, printed, refuse } from './printed.js';

/** A key of an order within an aggregate. */
export interface ListOrder {
  readonly key: Printed;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** An aggregate with its arguments printed. */
export interface PrintedAggregate {
  readonly name: AggregateName;
  readonly args: readonly Printed[];
  readonly distinct: boolean;
  readonly orderBy: readonly ListOrder[];
  readonly ignoreNulls: boolean;
  /** ` FILTER (…)` and ` OVER (…)`, or nothing. */
  readonly after: EngineSql;
  readonly isWindow: boolean;
}

const number = ({ sql: value }: Printed): EngineSql => sql`toFloat64(${value})`;

/** ClickHouse gives NaN for a statistic of too few values. */
const unlessNaN = (value: EngineSql): Printed =>
  printed(
    'number',
    once([value], (x) => sql`if(isNaN(${x}), NULL, ${x})`),
  );

/** Sorts an array of tuples by their other elements, the least significant key first, keeping the order of equal ones. */
const sorted = (tuples: EngineSql, orderBy: readonly ListOrder[]): EngineSql =>
  orderBy.reduceRight((array, { descending, nullsFirst }, at) => {
    const key = sql`tupleElement(p, ${integerLiteral(at + 2)})`;
    // NULL is less than any value where it comes first in the way that the array is sorted.
    const isLess = nullsFirst !== descending;
    const nullRank = isLess ? sql`isNotNull(${key})` : sql`isNull(${key})`;
    return descending
      ? sql`arrayMap((b) -> arrayReverseSort((p, i) -> (${nullRank}, ${key}, -toInt64(i)), b, arrayEnumerate(b)), [${array}])[1]`
      : sql`arrayMap((b) -> arraySort((p, i) -> (${nullRank}, ${key}, i), b, arrayEnumerate(b)), [${array}])[1]`;
  }, tuples);

/** A list of the first elements of tuples; NULL without one. */
const firsts = (value: Printed, tuples: EngineSql): Printed => ({
  ...listOf(
    value.type.kind === 'null' ? { kind: 'string' } : value.type,
    sql`arrayFilter(b -> notEmpty(b), [arrayMap(p -> tupleElement(p, 1), ${tuples})])`,
  ),
});

/** The values of all rows in their order, the keys of which stand beside them. */
export const listOfRows = (
  value: Printed,
  {
    orderBy,
    distinct = false,
    after,
  }: {
    readonly orderBy: readonly ListOrder[];
    readonly distinct?: boolean;
    readonly after: EngineSql;
  },
): Printed => {
  const keys = orderBy.map(({ key }) => element(key));
  const all = sql`groupArray(tuple(${joined([element(value), ...keys], ', ')}))${after}`;
  return firsts(value, sorted(distinct ? sql`arrayDistinct(${all})` : all, orderBy));
};

const MOST_POINTS = 1_000;

/** Of the sorted values, those at fractions of their number, as the dialect takes them. */
const atFractions = (
  value: Printed,
  fractions: readonly EngineSql[],
  { distinct, after }: PrintedAggregate,
): Printed => {
  const values = sql`arraySort(${distinct ? sql`groupUniqArray` : sql`groupArray`}(${value.sql})${after})`;
  const place = sql`toUInt64(greatest(1, length(b) - floor(length(b) - q * length(b))))`;
  const found = sql`arrayMap(q -> toNullable(b[${place}]), [${joined(fractions, ', ')}])`;
  return listOf(value.type, sql`arrayMap(b -> ${found}, arrayFilter(b -> notEmpty(b), [${values}]))`);
};

const quantiles = (value: Printed, parts: Printed, aggregate: PrintedAggregate): Printed => {
  const count = Number(parts.literal);
  if (!(count >= 1 && count <= MOST_POINTS))
    return refuse('quantiles whose number is not written in the query');
  const points = Array.from(
    { length: count + 1 },
    (_, at) => sql`${integerLiteral(at)} / ${integerLiteral(count)}`,
  );
  return atFractions(value, points, aggregate);
};

const valueBy = (name: EngineSql, value: Printed, by: Printed, after: EngineSql): Printed => {
  const found = sql`tupleElement(${name}(tuple(${element(value)}), ${by.sql})${after}, 1)`;
  return { sql: found, type: value.type.kind === 'null' ? { kind: 'string' } : value.type };
};

const shifted = (name: EngineSql, { args, after }: PrintedAggregate): Printed => {
  const [value, by, beyond] = args;
  if (value === undefined || by === undefined) return refuse('a shift of nothing');
  const typed = value.type.kind === 'null' ? as(value, { kind: 'string' }) : value;
  const fallback = beyond === undefined ? sql`` : sql`, ${element(as(beyond, typed.type))}`;
  return { sql: sql`${name}(${element(typed)}, ${by.sql}${fallback})${after}`, type: typed.type };
};

const STATISTICS: Readonly<Partial<Record<AggregateName, EngineSql>>> = {
  corr: sql`corrStableOrNull`,
  'covar-pop': sql`covarPopStableOrNull`,
  'covar-samp': sql`covarSampStableOrNull`,
  'stddev-samp': sql`stddevSampStableOrNull`,
  'stddev-pop': sql`stddevPopStableOrNull`,
  'var-samp': sql`varSampStableOrNull`,
  'var-pop': sql`varPopStableOrNull`,
};

const RANKS: Readonly<Partial<Record<AggregateName, EngineSql>>> = {
  'row-number': sql`row_number`,
  rank: sql`rank`,
  'dense-rank': sql`dense_rank`,
};

/** Prints an aggregate with its arguments. */
export const aggregateSql = (aggregate: PrintedAggregate): Printed => {
  const { name, args, distinct, orderBy, ignoreNulls, after, isWindow } = aggregate;
  const [first = printed('null', sql`NULL`), second = first] = args;
  if (distinct && isWindow) return refuse('DISTINCT in a window function');
  const inside = (value: EngineSql): EngineSql => (distinct ? sql`DISTINCT ${value}` : value);
  const call = (engineName: EngineSql, value: EngineSql): EngineSql =>
    sql`${engineName}(${inside(value)})${after}`;
  switch (name) {
    case 'count':
      return printed(
        'integer',
        sql`toInt64(${args.length === 0 ? sql`count()${after}` : call(sql`count`, countable(first))})`,
      );
    case 'sum':
      return first.type.kind === 'number'
        ? printed('number', call(sql`sumOrNull`, first.sql))
        : printed('integer', call(sql`sumOrNull`, sql`toInt128(${first.sql})`));
    case 'avg':
      return printed('number', call(sql`avgOrNull`, number(first)));
    case 'min':
    case 'max':
      return { sql: call(name === 'min' ? sql`minOrNull` : sql`maxOrNull`, first.sql), type: first.type };
    case 'min-json':
    case 'max-json': {
      const extreme = name === 'min-json' ? sql`minOrNull` : sql`maxOrNull`;
      const numbers = printed('number', call(extreme, first.sql));
      const texts = printed('string', call(extreme, second.sql));
      return printed('json', sql`coalesce(${asJson(numbers).sql}, ${asJson(texts).sql})`);
    }
    case 'any-value':
      return first.type.kind === 'list'
        ? { sql: sql`anyIf(${first.sql}, notEmpty(${first.sql}))${after}`, type: first.type }
        : { sql: call(sql`anyOrNull`, first.sql), type: first.type };
    case 'list':
      return listOfRows(first, { orderBy, distinct, after });
    case 'joined-text': {
      const list = listOfRows(first, { orderBy, distinct, after });
      const texts = sql`arrayMap(b -> arrayFilter(e -> isNotNull(e), b), ${list.sql})`;
      return joinedText({ ...list, sql: sql`arrayFilter(b -> notEmpty(b), ${texts})` }, second);
    }
    case 'quantiles':
      return quantiles(first, second, aggregate);
    case 'percentile-disc': {
      const at = atFractions(first, [second.sql], aggregate);
      return printed('number', ofArray(at, sql`b[1]`));
    }
    case 'percentile-cont':
      return printed('number', sql`quantileExactInclusiveOrNull(${second.sql})(${number(first)})${after}`);
    case 'counts-by-value':
      return {
        sql: sql`sumMapIf([assumeNotNull(${first.sql})], [toUInt64(1)], isNotNull(${first.sql}))${after}`,
        type: { kind: 'counts', of: first.type },
      };
    case 'value-at-greatest':
      return valueBy(sql`argMax`, first, second, after);
    case 'value-at-least':
      return valueBy(sql`argMin`, first, second, after);
    case 'every':
      return printed('boolean', call(sql`minOrNull`, sql`CAST(${first.sql} AS Nullable(Bool))`));
    case 'some':
      return printed('boolean', call(sql`maxOrNull`, sql`CAST(${first.sql} AS Nullable(Bool))`));
    case 'corr':
    case 'covar-pop':
    case 'covar-samp':
      return unlessNaN(sql`${STATISTICS[name] ?? sql``}(${number(first)}, ${number(second)})${after}`);
    case 'stddev-samp':
    case 'stddev-pop':
    case 'var-samp':
    case 'var-pop':
      return unlessNaN(call(STATISTICS[name] ?? sql``, number(first)));
    case 'row-number':
    case 'rank':
    case 'dense-rank':
      return printed('integer', sql`toInt64(${RANKS[name] ?? sql``}()${after})`);
    case 'percent-rank':
      return printed('number', sql`percent_rank()${after}`);
    case 'cume-dist':
      return printed('number', sql`cume_dist()${after}`);
    case 'ntile':
      return printed('integer', sql`toInt64(ntile(${first.sql})${after})`);
    case 'lag':
      return shifted(sql`lag`, aggregate);
    case 'lead':
      return shifted(sql`lead`, aggregate);
    case 'first-value':
      return placed(ignoreNulls ? sql`first_value` : sql`first_value_respect_nulls`, first, after);
    case 'last-value':
      return placed(ignoreNulls ? sql`last_value` : sql`last_value_respect_nulls`, first, after);
    case 'nth-value':
      return ignoreNulls
        ? refuse('NTH_VALUE with IGNORE NULLS')
        : { sql: sql`nth_value(${element(first)}, ${second.sql})${after}`, type: first.type };
    default:
      return name satisfies never;
  }
};

const countable = (value: Printed): EngineSql =>
  value.type.kind === 'list' ? sql`if(empty(${value.sql}), NULL, 1)` : value.sql;

const placed = (name: EngineSql, value: Printed, after: EngineSql): Printed => ({
  sql: sql`${name}(${element(value)})${after}`,
  type: value.type,
});
