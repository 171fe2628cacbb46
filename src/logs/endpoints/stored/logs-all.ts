/**
 * The stored query of `logs.all`. It defines nine tables with the entries of the project in the optional time range,
 * newest first. A call without its own query gets the first 100 rows of edge_logs.
 */
import { PLATFORM_SOURCES, type ProjectMatch } from '../../../foundation/log-store/sources.js';

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
