/** A server with access tokens, a sender of log entries, and a look into its log store. */
import type { CommandBus } from '@nestjs/cqrs';
import { openLogStore } from '../../src/app/stores/open-log-store.js';
import type { LogRows, LogStore } from '../../src/foundation/log-store/log-store.js';
import { IssueToken, type TokenRequest } from '../../src/logs/tokens/token.commands.js';
import { CONTEXT } from './api-world.js';
import { runSql } from './engine-sql.js';
import { openPodiumApp } from './podium-app.js';
import { newDataDir, startServer, type TestServer, type TestServerOptions } from './server.js';

export interface LogReply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
}

export interface LogApi {
  readonly server: TestServer;
  /** The server's own store, through its socket. */
  readonly store: LogStore;
  readonly tokens: Readonly<Record<'ingest' | 'tied' | 'query' | 'admin', string>>;
  rows(sql: string): Promise<LogRows['rows']>;
  close(): Promise<void>;
}

/** The project that the tied token is for. */
const TIED_TO = 'one';

export const issueTokens = async (dataDir: string): Promise<LogApi['tokens']> => {
  const app = await openPodiumApp(dataDir);
  const issue = async (request: Partial<TokenRequest>): Promise<string> => {
    const command = new IssueToken({ name: 'test', scopes: [], project: null, ...request }, CONTEXT);
    return (await app.commands.execute(command)).token;
  };
  const tokens = {
    ingest: await issue({ scopes: ['ingest'] }),
    tied: await issue({ scopes: ['ingest'], project: TIED_TO }),
    query: await issue({ scopes: ['query'] }),
    admin: await issue({ scopes: ['admin'] }),
  };
  await app.close();
  return tokens;
};

/** A token that ingests entries of any project. */
export const ingestToken = async (commands: CommandBus): Promise<string> => {
  const request: TokenRequest = { name: 'test', scopes: ['ingest'], project: null };
  return (await commands.execute(new IssueToken(request, CONTEXT))).token;
};

export const startLogApi = async (env: TestServerOptions['env'] = {}): Promise<LogApi> => {
  const dataDir = await newDataDir();
  const tokens = await issueTokens(dataDir);
  const server = await startServer({ dataDir, env });
  const store = await openLogStore(`duckdb:${dataDir}/logs.duckdb`, { mode: 'command' });
  return {
    server,
    store,
    tokens,
    rows: async (sql) => (await runSql(store, sql, { maxRows: 10_000 })).rows,
    close: async () => {
      await store.close();
      await server.stop();
      await server.remove();
    },
  };
};

export interface Sending {
  readonly token?: string;
  readonly source?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Text and bytes go out as they are, anything else as JSON. */
export const sendLogs = async (url: string, body: unknown, sending: Sending = {}): Promise<LogReply> => {
  const { token, source = 'edge_logs', headers = {} } = sending;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const reply = await fetch(`${url}/api/logs?source=${source}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { 'x-api-key': token }),
      ...headers,
    },
    body: raw ? Buffer.from(body) : JSON.stringify(body),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, json: text === '' ? null : JSON.parse(text) };
};
