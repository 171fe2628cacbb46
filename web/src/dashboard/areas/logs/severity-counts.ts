/** Counts of all entries that a query finds, by time and severity, whatever the number of rows that its endpoint returns. */
import {
  type Bucket,
  boundsOf,
  type Counts,
  countingQuery,
  parseCounts,
  timeColumn,
  unitForRange,
} from './counts.js';
import { absoluteRange, type LogQuery, type QueryResult } from './log-query.js';
import { tableOf } from './lql-table.js';
import type { EndpointOutline } from './outline.js';
import { type Severity, severityTerms } from './source-fields.js';

export interface SeverityBucket extends Bucket {
  readonly of: Readonly<Record<Severity, number>>;
}

export interface SeverityCounts {
  readonly unit: Counts['unit'];
  readonly buckets: readonly SeverityBucket[];
  /** False: the entries do not say how severe they are, and all count as `other`. */
  readonly hasSeverity: boolean;
  /** What the query reads; null: it was not counted. */
  readonly read: QueryResult['read'];
}

/** The queries for the counts of one result. */
export interface CountingPlan {
  readonly unit: ReturnType<typeof unitForRange>;
  readonly all: LogQuery;
  readonly errors: LogQuery | null;
  readonly warnings: LogQuery | null;
}

/** Null when the rows of the result are all there is to count, or cannot be counted over time. */
export const countingPlan = (
  asked: LogQuery,
  { result, outline }: { readonly result: QueryResult; readonly outline: EndpointOutline },
): CountingPlan | null => {
  const range = absoluteRange(asked.range, result.at);
  const unit = unitForRange(range);
  const table = tableOf(asked, outline);
  if (table === null) {
    const isCut = result.isTruncated && timeColumn(result.rows) === 'timestamp';
    const all = isCut ? countingQuery({ ...asked, range }, { reads: null, unit }) : null;
    return all && { unit, all, errors: null, warnings: null };
  }
  // The stored query reads the table as LQL without a filter does.
  const filter: LogQuery = { ...asked, language: 'lql', range };
  const counting = (term: string): LogQuery | null =>
    countingQuery({ ...filter, query: `${asked.query} ${term}`.trim() }, { reads: null, unit });
  const all = counting('');
  const terms = severityTerms(table);
  return (
    all && {
      unit,
      all,
      errors: terms && counting(terms.error),
      warnings: terms && counting(terms.warning),
    }
  );
};

/** Throws what `run` throws. Returns null when there is nothing to count. */
export const runPlan = async (
  { unit, all, errors, warnings }: CountingPlan,
  run: (query: LogQuery, cost: boolean) => Promise<QueryResult>,
): Promise<SeverityCounts | null> => {
  const bounds = boundsOf(all.range);
  const count = async (query: LogQuery | null): Promise<Counts | null> =>
    query && parseCounts((await run(query, false)).rows, unit, bounds);
  // It reads what the query itself reads.
  const [{ rows, read }, ofErrors, ofWarnings] = await Promise.all([
    run(all, true),
    count(errors),
    count(warnings),
  ]);
  const total = parseCounts(rows, unit, bounds);
  const ofSeverities = { errors: ofErrors, warnings: ofWarnings };
  return total && { ...withSeverities(total, ofSeverities, errors !== null), read };
};

/** Counts of which each entry is `other`. */
export const withoutSeverities = (counts: Counts): SeverityCounts =>
  withSeverities(counts, { errors: null, warnings: null }, false);

const withSeverities = (
  { unit, buckets }: Counts,
  { errors, warnings }: { readonly errors: Counts | null; readonly warnings: Counts | null },
  hasSeverity: boolean,
): SeverityCounts => {
  const [errorsAt, warningsAt] = [errors, warnings].map(
    (counts) => new Map(counts?.buckets.map(({ start, count }) => [start, count])),
  );
  return {
    unit,
    hasSeverity,
    read: null,
    buckets: buckets.map((bucket) => {
      const [error, warning] = [errorsAt?.get(bucket.start) ?? 0, warningsAt?.get(bucket.start) ?? 0];
      return { ...bucket, of: { error, warning, other: Math.max(0, bucket.count - error - warning) } };
    }),
  };
};
