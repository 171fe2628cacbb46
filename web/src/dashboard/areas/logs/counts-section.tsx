/** Rows over time: those of the result at once, and all that the query finds where the result is cut. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.js';
import { ProblemNotice } from '../../parts/notice.js';
import { type Asked, fixedRange } from './asked.js';
import { countingQuery, countsIn, countsOf, unitOfRange } from './counts.js';
import { CountsChart } from './counts-chart.js';
import type { EndpointOutline } from './outline.js';
import { type RunResult, runQuery } from './requests.js';

interface CountsSectionProps {
  readonly asked: Asked;
  readonly result: RunResult;
  readonly outline: EndpointOutline | null;
}

export const CountsSection = ({ asked, result, outline }: CountsSectionProps) => {
  const [wanted, setWanted] = useState(false);
  const range = fixedRange(asked.range, result.at);
  const unit = unitOfRange(range);
  const query = countingQuery({ ...asked, range }, { reads: outline?.reads ?? null, unit });
  const all = useQuery({
    queryKey: ['logs', 'counts', query],
    queryFn: ({ signal }) => runQuery(query ?? asked, signal),
    enabled: wanted && query !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const counted = all.data ? countsIn(all.data.rows, unit) : null;
  const counts = counted ?? countsOf(result.rows);
  if (counts === null) return null;
  return (
    <>
      <CountsChart counts={counts} of={counted ? 'all rows' : 'these rows'} />
      {result.truncated && !counted && query !== null && (
        <Button isQuiet isDisabled={all.isFetching} onPress={() => setWanted(true)}>
          {all.isFetching ? 'Counting…' : 'Count all rows'}
        </Button>
      )}
      {all.error && <ProblemNotice problem={all.error} />}
    </>
  );
};
