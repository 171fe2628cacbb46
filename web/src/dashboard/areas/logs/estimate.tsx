/** What the query of the form would read, counted on demand, because to count takes a turn of the log store. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlanStep } from '../../../../../src/logs/sql/plan.js';
import { Button } from '../../parts/button.js';
import { ProblemNotice } from '../../parts/notice.js';
import type { LogQuery } from './log-query.js';
import { readText } from './read-text.js';
import { estimateQuery } from './requests.js';

export const useEstimate = (draft: LogQuery) => {
  const [estimated, setEstimated] = useState<LogQuery | null>(null);
  // Another query has another estimate, and each estimate is of its moment.
  const isWanted = estimated === draft;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['logs', 'estimate', draft],
    queryFn: ({ signal }) => estimateQuery(draft, signal),
    enabled: isWanted,
    retry: false,
    gcTime: 0,
  });
  const found = isWanted && !isFetching && { data, error };
  const estimate = (): void => {
    if (isWanted) void refetch();
    else setEstimated(draft);
  };
  return { estimate, isFetching: isWanted && isFetching, found };
};

type Estimating = ReturnType<typeof useEstimate>;

export const EstimateButton = ({ estimate, isFetching }: Pick<Estimating, 'estimate' | 'isFetching'>) => (
  <Button isQuiet isPending={isFetching} onPress={estimate}>
    Estimate
  </Button>
);

/** What LQL does is plain, and its list has another limit than a call. */
export const EstimateText = ({
  found,
  hasPlan,
}: Pick<Estimating, 'found'> & { readonly hasPlan: boolean }) => {
  if (!found) return null;
  if (found.error) return <ProblemNotice problem={found.error} />;
  if (!found.data) return null;
  const { estimated, scans, plan } = found.data;
  return (
    <div className="estimate">
      <p role="status">This query would read {readText(estimated)}.</p>
      <details>
        <summary>How it reads them</summary>
        <ul>
          {scans.map(({ source, narrowedBy, ...amount }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a query may read a source twice, and the list never changes.
            <li key={index}>
              {source}: {readText(amount)}
              {narrowedBy.length > 0 && `, of its ${narrowedBy.join(' and ')}`}
            </li>
          ))}
        </ul>
        {hasPlan && <Step step={plan} />}
      </details>
    </div>
  );
};

const Step = ({ step: { step, inputs } }: { readonly step: PlanStep }) => (
  <ul>
    <li>
      {step}
      {inputs.map((input, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two inputs may say the same, and the list never changes.
        <Step key={index} step={input} />
      ))}
    </li>
  </ul>
);
