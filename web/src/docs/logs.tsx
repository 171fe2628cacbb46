/** How to query logs: the saved endpoints that every server has, own queries in SQL and LQL, and how to send entries. */
import { useState } from 'react';
import { Example, SecretField } from './example.js';
import { jsonText } from './json-text.js';
import type { ExampleRequest } from './run-request.js';
import { type DocsSectionProps, Section } from './section.js';

/** The project of the server's own requests, which every server logs. */
const OWN_PROJECT = 'podium';

const SQL = `select r.method, response.status_code, count(*) as requests
from edge_logs as t
  cross join unnest(t.metadata) as m
  cross join unnest(m.request) as r
  cross join unnest(m.response) as response
where t.timestamp > timestamp_sub(current_timestamp(), interval 1 hour)
group by 1, 2
order by requests desc`;

const LQL = 'm.response.status_code:>=400 t:last@1hour';

const ENTRY = {
  batch: [
    {
      event_message: 'GET /rest/v1/items',
      project: 'my-project',
      metadata: { request: { path: '/rest/v1/items' }, response: { status_code: 200 } },
    },
  ],
};

export const Logs = ({ model: { origin } }: DocsSectionProps) => {
  const [token, setToken] = useState('');
  const secret = { variable: 'TOKEN', value: token };
  const all = `/api/endpoints/query/logs.all?project=${OWN_PROJECT}`;
  const counts = `/api/endpoints/query/usage.api-counts?project=.*&interval=hourly`;
  const get = (title: string, path: string, query: Pick<ExampleRequest, 'parameter'> = {}) => (
    <Example title={title} origin={origin} request={{ method: 'GET', path, secret, ...query }} />
  );
  return (
    <Section id="logs">
      <p>
        A saved endpoint is a stored query with a name. Calls need an access token with the scope{' '}
        <code>query</code>; sending entries needs the scope <code>ingest</code>. A token of one project reads
        and writes that project only. Paste a token to run the examples. The page keeps it until you leave.
      </p>
      <SecretField label="Access token" value={token} onChange={setToken} />
      {get('The newest requests to this server', all)}
      <p>
        <code>logs.all</code> takes <code>project</code>, optionally <code>iso_timestamp_start</code> and{' '}
        <code>iso_timestamp_end</code>, and a query of your own as <code>sql</code> or <code>lql</code>. Your
        query reads the nine tables of that project and nothing else. SQL is one SELECT in the BigQuery
        dialect; it unnests <code>metadata</code> one level at a time.
      </p>
      {get('Requests by status, in SQL', all, { parameter: { name: 'sql', value: SQL } })}
      <p>
        LQL filters without a SELECT. All its terms must hold: <code>m</code> is the metadata, <code>t</code>{' '}
        the time, <code>-</code> means not.
      </p>
      {get('What failed in the last hour, in LQL', all, { parameter: { name: 'lql', value: LQL } })}
      <p>
        When the server refuses a query, its problem document has offset, line and column of the mistake. The
        header <code>SVC-ENDPOINT-REDACT-PII: true</code> removes IP addresses from the result.
      </p>
      {get('Requests by family of API, for each hour', counts)}
      <Example
        title="Send entries"
        origin={origin}
        request={{
          method: 'POST',
          path: '/api/logs?source=edge_logs',
          body: jsonText(ENTRY),
          secret,
        }}
      />
      <p>
        Programs with OpenTelemetry send logs and traces over OTLP/HTTP, as protobuf or JSON. Set{' '}
        <code>OTEL_EXPORTER_OTLP_ENDPOINT</code> to <code>{origin}</code> and{' '}
        <code>OTEL_EXPORTER_OTLP_HEADERS</code> to <code>x-api-key=TOKEN</code>. The entries are in the
        sources <code>otel_logs</code> and <code>otel_traces</code>, which a saved endpoint of your own can
        query. <code>GET /api/logs/sources</code> lists all sources, and <code>POST</code> adds one of your
        own.
      </p>
      <p>
        Programs that push to Loki send to <code>{origin}/loki/api/v1/push</code>, with the token as the
        password of Basic authentication. A token of scope <code>admin</code> lists what was refused in the
        last day at <code>GET /api/logs/refused</code>.
      </p>
    </Section>
  );
};
