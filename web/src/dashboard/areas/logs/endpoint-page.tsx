/** The page of one saved endpoint: its form, downloads of its result, its versions and its removal. Also the page of a new endpoint. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { EndpointConfig } from '../../../../../src/logs/endpoints/endpoint.events.js';
import type { EndpointView } from '../../../../../src/logs/endpoints/endpoint.queries.js';
import { getJson, send } from '../../api.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { RemoveSection } from '../../parts/remove-section.js';
import { EndpointDownload } from './endpoint-download.js';
import { EndpointForm } from './endpoint-form.js';
import { EndpointVersions } from './endpoint-versions.js';
import { LogsFrame } from './logs-frame.js';

const LIST = '/dashboard/logs/endpoints';
const FIRST: EndpointConfig = {
  name: '',
  description: null,
  queryLanguage: 'sql',
  query: '',
  maxRows: 1_000,
  cachingSeconds: null,
  cacheWarmingSeconds: null,
  sandboxing: true,
  redactPii: false,
};

export const NewEndpoint = () => {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (config: EndpointConfig) => send<EndpointView>('POST', '/api/endpoints', config),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: ['logs'] });
      navigate(`${LIST}/${made.id}`);
    },
  });
  return (
    <LogsFrame title="New endpoint">
      <EndpointForm config={FIRST} action="Save" onSubmit={mutate} problem={error} isPending={isPending} />
    </LogsFrame>
  );
};

export const EndpointPage = ({ id }: { readonly id: string }) => {
  const { data, error } = useQuery({
    queryKey: ['logs', 'endpoint', id],
    queryFn: () => getJson<EndpointView>(`/api/endpoints/${encodeURIComponent(id)}`),
    // A refetch would replace what the user is typing. The server refuses to save over a concurrent change.
    refetchOnWindowFocus: false,
  });
  if (error && !data)
    return (
      <LogsFrame title="Endpoint">
        <ProblemNotice problem={error} />
      </LogsFrame>
    );
  if (!data) return <Loading />;
  return <Endpoint key={data.id} endpoint={data} />;
};

const Endpoint = ({ endpoint }: { readonly endpoint: EndpointView }) => {
  const client = useQueryClient();
  const { id, version, ...config } = endpoint;
  const [initial, setInitial] = useState<EndpointConfig>(config);
  // The key of the form: loading an old version renders a new form.
  const [formKey, setFormKey] = useState(0);
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: (change: EndpointConfig) => send<EndpointView>('PATCH', `/api/endpoints/${id}`, change),
    onSuccess: async (changed) => {
      client.setQueryData(['logs', 'endpoint', id], changed);
      await client.invalidateQueries({ queryKey: ['logs'] });
    },
  });
  return (
    <LogsFrame title={endpoint.name}>
      <p className="about">
        <span>Version {version}</span>
        <span>{id}</span>
      </p>
      {isSuccess && <Notice kind="done">The endpoint is saved as version {version}.</Notice>}
      <EndpointForm
        key={formKey}
        config={initial}
        action="Save the change"
        onSubmit={mutate}
        problem={error}
        isPending={isPending}
      />
      <EndpointDownload endpoint={endpoint} />
      <EndpointVersions
        id={id}
        version={version}
        onLoad={(loaded) => {
          setInitial(loaded);
          setFormKey(formKey + 1);
        }}
      />
      <RemoveSection
        what="endpoint"
        name={endpoint.name}
        remove={() => send('DELETE', `/api/endpoints/${id}`)}
        ownKey={['logs', 'endpoint', id]}
        listKey={['logs', 'endpoints']}
        list={LIST}
      >
        Programs that call the endpoint then get a 404. Its name can be used again, its id cannot.
      </RemoveSection>
    </LogsFrame>
  );
};
