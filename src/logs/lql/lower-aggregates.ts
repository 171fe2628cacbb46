/** Lowers aggregates. The result has one row for each time bucket and each combination of the chosen columns. */
import type { Expression, OrderItem, Span } from '../sql/tree.js';
import { chosenColumns, type Output } from './lower-columns.js';
import { call, column, keyword, literal, ordered, path } from './lowered.js';
import { LqlFault } from './lql-fault.js';
import type { Aggregate, LqlAggregate, LqlGrouping, LqlQuery } from './lql-tree.js';

interface Aggregated {
  readonly outputs: readonly Output[];
  readonly groupBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
}

export const aggregated = ({ columns, aggregates, grouping }: LqlQuery, whole: Span): Aggregated => {
  const star = columns.find(({ path: chosen }) => chosen === null);
  if (star)
    throw new LqlFault(star.span.start, 'expected a field: aggregates have a row for each of its values');
  const groups = [...(grouping ? [bucketOf(grouping)] : []), ...chosenColumns(columns)];
  // GROUP BY refers to the columns by their positions in the SELECT list.
  const groupBy = groups.map(({ span }, at) => literal(at + 1, span));
  const counted: LqlAggregate = { aggregate: 'count', path: null, span: grouping?.span ?? whole };
  const asked = aggregates.length > 0 ? aggregates : [counted];
  return {
    outputs: [...groups, ...asked.map((one) => aggregateOf(one, asked))],
    groupBy,
    orderBy: groupBy.map((place) => ordered(place, false)),
  };
};

const bucketOf = ({ bucket, span }: LqlGrouping): Output => ({
  name: 'timestamp',
  expression: call('timestamp_trunc', [column('timestamp', span), keyword(bucket, span)], span),
  span,
});

/** Names the column after the aggregate, and adds its field when the query has the aggregate more than once. */
const aggregateOf = (one: LqlAggregate, asked: readonly LqlAggregate[]): Output => {
  const { aggregate, path: of, span } = one;
  const isAlone = asked.filter((other) => other.aggregate === aggregate).length === 1;
  const name = isAlone || of === null ? aggregate : `${aggregate}_${of.parts.at(-1)}`;
  return { name, expression: valueOfAggregate(one), span };
};

const PERCENTILES: Readonly<Partial<Record<Aggregate, number>>> = { p50: 50, p95: 95, p99: 99 };

const valueOfAggregate = ({ aggregate, path: of, span }: LqlAggregate): Expression => {
  if (of === null)
    return aggregate === 'countd'
      ? call('count', [column('timestamp', span)], span, true)
      : call('count', [{ kind: 'star', span }], span);
  const field = path(of);
  const percentile = PERCENTILES[aggregate];
  if (percentile !== undefined) {
    const quantiles = call('approx_quantiles', [field, literal(100, span)], span);
    return { kind: 'element', of: quantiles, at: literal(percentile, span), from: 0, safe: false, span };
  }
  return aggregate === 'countd' ? call('count', [field], span, true) : call(aggregate, [field], span);
};
