/** A server with the well-known endpoints, tokens of every kind, and a client that holds its answers against the OpenAPI document. */
import { CommandBus } from '@nestjs/cqrs';
import { FirstStart } from '../../src/exchange/first-start.js';
import { IssueToken, RevokeToken } from '../../src/logs/tokens/token.commands.js';
import { CONTEXT } from './contest-world.js';
import { CheckedClient } from './openapi-check.js';
import { openPodiumApp, type PodiumApp } from './podium-app.js';
import { newDataDir, startServer, type TestServer, type TestServerOptions } from './server.js';

export interface LogsApi {
  readonly server: TestServer;
  readonly client: CheckedClient;
  /** Podium in this process, on the same stores: another node as far as tokens and endpoints go. */
  readonly app: PodiumApp;
  /** A new token, known to the server when it resolves. */
  token(scopes: readonly string[], project?: string | null): Promise<string>;
  revoke(token: string): Promise<void>;
  close(): Promise<void>;
}

/** The header that a call carries its token in. */
export const withToken = (token: string): Readonly<Record<string, string>> => ({ 'x-api-key': token });

export const startLogsApi = async (env: TestServerOptions['env'] = {}): Promise<LogsApi> => {
  const dataDir = await newDataDir();
  const server = await startServer({ dataDir, env });
  const app = await openPodiumApp(dataDir);
  const commands = app.get(CommandBus);
  await app.get(FirstStart).prepare({ sample: false });
  const client = await CheckedClient.connect(server.url);
  return {
    server,
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
    close: async () => {
      client.close();
      await app.close();
      await server.stop();
      await server.remove();
    },
  };
};
