/** What the explorer shows instead of an empty table: why the query found no rows, and queries that find some. */
import { useQuery } from '@tanstack/react-query';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { countingQuery, unitForRange } from './counts.js';
import { absoluteRange, type LogQuery, type QueryResult } from './log-query.js';
import type { EndpointOutline } from './outline.js';
import { Proposals } from './proposals.js';
import { daysIn, type Findings, hasFilter, reasonsFor, withoutFilter } from './reasons.js';
import { AFTER_CANCELLED, listEndpoints, listProjects, runQuery } from './requests.js';

interface NothingFoundProps {
  readonly asked: LogQuery;
  readonly result: QueryResult;
  readonly outline: EndpointOutline;
  readonly onAsk: (query: LogQuery) => void;
}

export const NothingFound = ({ asked, result, outline, onAsk }: NothingFoundProps) => {
  const search = useQuery({
    queryKey: ['logs', 'nothing found', asked, result.at],
    queryFn: ({ signal }) => findingsFor(asked, { outline, at: result.at, signal }),
    ...AFTER_CANCELLED,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      {search.isPending && <Loading />}
      {search.error && <ProblemNotice problem={search.error} />}
      {search.data &&
        reasonsFor(asked, search.data).map((reason) => (
          <Proposals key={reason.text} onAsk={onAsk} {...reason} />
        ))}
    </>
  );
};

const findingsFor = async (
  asked: LogQuery,
  {
    outline,
    at,
    signal,
  }: { readonly outline: EndpointOutline; readonly at: number; readonly signal: AbortSignal },
): Promise<Findings> => {
  const range = absoluteRange(asked.range, at);
  const counted = async (query: LogQuery): Promise<Findings['days']> => {
    const unit = query.range.kind === 'all' ? 'day' : unitForRange(query.range);
    const counting = countingQuery(query, { reads: outline.reads, unit });
    return counting === null ? null : daysIn((await runQuery(counting, { signal })).rows);
  };
  const [projects, endpoints, unfiltered, days] = await Promise.all([
    listProjects(),
    listEndpoints(),
    hasFilter(asked) ? counted({ ...withoutFilter(asked), range }) : null,
    range.kind === 'all' ? null : counted({ ...asked, range: { kind: 'all' } }),
  ]);
  const total = unfiltered?.reduce((sum, { entries }) => sum + entries, 0) ?? null;
  return { outline, projects, endpoints, unfiltered: total, days };
};
