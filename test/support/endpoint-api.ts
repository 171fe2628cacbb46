/** A server with the well-known endpoints, tokens as a test wants them, and a client that holds its answers against the OpenAPI document. */
import { IssueToken, RevokeToken } from '../../src/logs/tokens/token.commands.js';
import { CONTEXT } from './api-world.js';
import { type LogApi, sendLogs, startLogApi } from './log-api.js';
import { CheckedClient } from './openapi-check.js';
import { openPodiumApp, type PodiumApp } from './podium-app.js';
import type { TestServerOptions } from './server.js';

export interface EndpointApi extends LogApi {
  readonly client: CheckedClient;
  /** Podium in this process, on the same stores: another node as far as tokens and endpoints go. */
  readonly app: PodiumApp;
  token(scopes: readonly string[], project?: string | null): Promise<string>;
  revoke(token: string): Promise<void>;
  /** Throws when they are not taken in. */
  ingest(entries: readonly object[], source?: string): Promise<void>;
}

/** The header that a call carries its token in. */
export const withToken = (token: string): Readonly<Record<string, string>> => ({ 'x-api-key': token });

/** The path of a call. */
export const callOf = (endpoint: string, parameters: Readonly<Record<string, string>> = {}): string =>
  `/api/endpoints/query/${endpoint}?${new URLSearchParams(parameters)}`;

export const startEndpointApi = async (env: TestServerOptions['env'] = {}): Promise<EndpointApi> => {
  const api = await startLogApi(env);
  const { server } = api;
  const app = await openPodiumApp(server.dataDir);
  const commands = app.commands;
  const client = await CheckedClient.connect(server.url);
  return {
    ...api,
    client,
    app,
    token: async (scopes, project = null) => {
      const request = { name: 'test', scopes, project };
      return (await commands.execute(new IssueToken(request, CONTEXT))).token;
    },
    revoke: async (token) => {
      const [, , tokenId = ''] = token.split('_');
      await commands.execute(new RevokeToken(tokenId, CONTEXT));
    },
    ingest: async (entries, source = 'edge_logs') => {
      const { status, json } = await sendLogs(server.url, entries, { token: api.tokens.ingest, source });
      if (status !== 201) throw new Error(`entries were not taken in: ${JSON.stringify(json)}`);
    },
    close: async () => {
      client.close();
      await app.close();
      await api.close();
    },
  };
};

/** Rows of an answered call. */
export const rowsOf = (json: unknown): readonly Readonly<Record<string, unknown>>[] => {
  if (typeof json !== 'object' || json === null || !('result' in json) || !Array.isArray(json.result))
    throw new Error(`this is no result: ${JSON.stringify(json)}`);
  return json.result;
};
