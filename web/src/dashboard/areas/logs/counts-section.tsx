/** The counts of rows over time above the result. The chart's part that the user chooses becomes the time of the query. */
import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import { ProblemNotice } from '../../parts/notice.js';
import { countRows } from './counts.js';
import { CountsChart } from './counts-chart.js';
import { absoluteRange, type LogQuery, narrowed, type QueryResult } from './log-query.js';
import type { EndpointOutline } from './outline.js';
import { AFTER_CANCELLED, runQuery } from './requests.js';
import { countingPlan, runPlan, withoutSeverities } from './severity-counts.js';

interface CountsSectionProps {
  readonly asked: LogQuery;
  readonly result: QueryResult;
  readonly outline: EndpointOutline;
  readonly onAsk: (query: LogQuery) => void;
}

/** Not again for each page of entries. */
export const CountsSection = memo(({ asked, result, outline, onAsk }: CountsSectionProps) => {
  const plan = countingPlan(asked, { result, outline });
  const counted = useQuery({
    queryKey: ['logs', 'counts', plan],
    queryFn: ({ signal }) =>
      plan === null ? null : runPlan(plan, (query, cost) => runQuery(query, { signal, cost })),
    enabled: plan !== null,
    ...AFTER_CANCELLED,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (counted.isLoading) return <p className="counts counts-waiting">Counting all rows…</p>;
  const loaded = countRows(result.rows);
  const counts = counted.data ?? (loaded && withoutSeverities(loaded));
  return (
    <>
      {counted.error && <ProblemNotice problem={counted.error} />}
      {counts && (
        <CountsChart
          counts={counts}
          of={counted.data ? 'All rows' : 'These rows'}
          onChoose={(from, to) =>
            onAsk({ ...asked, range: narrowed(absoluteRange(asked.range, result.at), from, to) })
          }
        />
      )}
    </>
  );
});
