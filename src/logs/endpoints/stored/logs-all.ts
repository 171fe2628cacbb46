/**
 * The stored query of `logs.all`. It defines nine tables with the entries of the project in the optional time range,
 * newest first. A call without its own query gets the first 100 rows of edge_logs.
 */
import {
  type LogSource,
  PLATFORM_SOURCES,
  type ProjectMatch,
  projectMatchOf,
} from '../../../foundation/log-store/sources.js';
import { parseQuery } from '../../sql/parse/parse-query.js';

const table = (source: string, match: ProjectMatch): string => `${source} as (
  select t.id, t.timestamp, t.event_message, t.metadata
  from ${source} as t${match === 'project' ? '' : ' cross join unnest(t.metadata) as m'}
  where ${match === 'project' ? 't.project' : `m.${match.slice('metadata.'.length)}`} = @project
    and (coalesce(@iso_timestamp_start, '') = '' or t.timestamp > cast(@iso_timestamp_start as timestamp))
    and (coalesce(@iso_timestamp_end, '') = '' or t.timestamp <= cast(@iso_timestamp_end as timestamp))
  order by t.timestamp desc
)`;

export const LOGS_ALL_QUERY = `with ${Object.entries(PLATFORM_SOURCES)
  .map(([source, match]) => table(source, match))
  .join(',\n')}
select id, timestamp, event_message, metadata
from edge_logs
limit 100`;

/** Returns the stored query with a table for the source, or as it is where it has one of that name. Throws QueryProblem. */
export const withSource = (query: string, source: LogSource): string => {
  const { ctes } = parseQuery(query);
  if (ctes.some(({ name }) => name.toLowerCase() === source)) return query;
  const added = table(source, projectMatchOf(source));
  const last = ctes.at(-1);
  if (last === undefined) return `with ${added}\n${query}`;
  return `${query.slice(0, last.span.end)},\n${added}${query.slice(last.span.end)}`;
};
