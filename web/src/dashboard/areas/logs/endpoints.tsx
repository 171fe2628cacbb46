/** Saved endpoints: the list, or the page of one endpoint. */
import { useQuery } from '@tanstack/react-query';
import { Link, useRoute } from 'wouter';
import type { Column } from '../../parts/data-table.js';
import { numberText } from '../../parts/number-text.js';
import { EndpointPage, NewEndpoint } from './endpoint-page.js';
import { toSearch } from './log-query.js';
import { LogsList } from './logs-list.js';
import { listEndpoints } from './requests.js';

const PATH = '/dashboard/logs/endpoints';
type Endpoint = Awaited<ReturnType<typeof listEndpoints>>[number];

const Endpoints = () => {
  const [isOne, parameters] = useRoute(`${PATH}/:endpoint`);
  if (!isOne) return <EndpointList />;
  return parameters.endpoint === 'new' ? <NewEndpoint /> : <EndpointPage id={parameters.endpoint} />;
};

export default Endpoints;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: 'Name',
    cell: ({ id, name, description }) => (
      <>
        <Link href={`${PATH}/${id}`}>{name}</Link>
        {description && <div className="help">{description}</div>}
      </>
    ),
  },
  { title: 'Version', isNumber: true, isWide: true, cell: ({ version }) => version },
  { title: 'Max rows', isNumber: true, isWide: true, cell: ({ maxRows }) => numberText(maxRows) },
  { title: 'Caching', isWide: true, cell: ({ cachingSeconds }) => secondsOr(cachingSeconds, 'Disabled') },
  { title: 'Sandboxing', isWide: true, cell: ({ sandboxing }) => (sandboxing ? 'On' : 'Off') },
  { title: 'Redaction', isWide: true, cell: ({ redactPii }) => (redactPii ? 'Always' : 'On request') },
  { title: 'Actions', isActions: true, cell: ({ name }) => <Link href={explorerOf(name)}>Run</Link> },
];

const EndpointList = () => {
  const list = useQuery({ queryKey: ['logs', 'endpoints'], queryFn: listEndpoints });
  return (
    <LogsList
      noun="endpoint"
      about="Stored queries that programs call with an access token."
      path={PATH}
      {...{ list, columns: COLUMNS }}
    />
  );
};

const secondsOr = (seconds: number | null, none: string): string =>
  seconds === null ? none : `${numberText(seconds)} s`;

const explorerOf = (endpoint: string): string => {
  const asked = {
    endpoint,
    language: 'stored',
    query: '',
    parameters: {},
    range: { kind: 'all' },
    redact: false,
  } as const;
  return `/dashboard/logs?${toSearch(asked)}`;
};
