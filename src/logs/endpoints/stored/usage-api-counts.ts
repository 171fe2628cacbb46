/**
 * The stored query of `usage.api-counts`. It counts requests whose URL matches the project's pattern, by API family and
 * time bucket in UTC. A request can count in more than one column.
 */
export const API_COUNTS_QUERY = `with chosen as (
  select
    case @interval
      when 'hourly' then timestamp_trunc(t.timestamp, hour)
      when 'daily' then timestamp_trunc(t.timestamp, day)
      when 'minutely' then timestamp_trunc(t.timestamp, minute)
    end as bucket,
    request.path as path
  from edge_logs as t
    cross join unnest(t.metadata) as m
    cross join unnest(m.request) as request
  where t.timestamp <= current_timestamp()
    and t.timestamp > case @interval
      when 'hourly' then timestamp_sub(current_timestamp(), interval 1 hour)
      when 'daily' then timestamp_sub(current_timestamp(), interval 7 day)
      when 'minutely' then timestamp_sub(current_timestamp(), interval 60 minute)
    end
    and regexp_contains(request.url, @project)
)
select
  datetime(bucket) as timestamp,
  countif(regexp_contains(path, '/rest')) as total_rest_requests,
  countif(regexp_contains(path, '/storage')) as total_storage_requests,
  countif(regexp_contains(path, '/auth')) as total_auth_requests,
  countif(regexp_contains(path, '/realtime')) as total_realtime_requests
from chosen
group by bucket
order by bucket`;
