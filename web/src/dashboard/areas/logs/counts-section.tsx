/** The counts of rows over time: of the result, or on request of all rows when the result is truncated. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.js';
import { ProblemNotice } from '../../parts/notice.js';
import { countingQuery, countRows, parseCounts, unitForRange } from './counts.js';
import { CountsChart } from './counts-chart.js';
import { absoluteRange, type LogQuery } from './log-query.js';
import type { EndpointOutline } from './outline.js';
import { type QueryResult, runQuery } from './requests.js';

interface CountsSectionProps {
  readonly asked: LogQuery;
  readonly result: QueryResult;
  readonly outline: EndpointOutline | null;
}

export const CountsSection = ({ asked, result, outline }: CountsSectionProps) => {
  const [wanted, setWanted] = useState(false);
  const range = absoluteRange(asked.range, result.at);
  const unit = unitForRange(range);
  const query = countingQuery({ ...asked, range }, { reads: outline?.reads ?? null, unit });
  const all = useQuery({
    queryKey: ['logs', 'counts', query],
    queryFn: ({ signal }) => runQuery(query ?? asked, signal),
    enabled: wanted && query !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const counted = all.data ? parseCounts(all.data.rows, unit) : null;
  const counts = counted ?? countRows(result.rows);
  if (counts === null) return null;
  return (
    <>
      <CountsChart counts={counts} of={counted ? 'all rows' : 'these rows'} />
      {result.isTruncated && !counted && query !== null && (
        <Button isQuiet isDisabled={all.isFetching} onPress={() => setWanted(true)}>
          {all.isFetching ? 'Counting…' : 'Count all rows'}
        </Button>
      )}
      {all.error && <ProblemNotice problem={all.error} />}
    </>
  );
};
