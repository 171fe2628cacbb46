/** A server with a Chromium, a moderator who reads the logs, and a sender of log entries. */
import type { JsonRecord, LogSource } from '../../src/foundation/log-store/sources.js';
import { type BrowserApi, startBrowserApi } from './browser-api.js';
import { type SignedInClient, signIn } from './dashboard.js';
import { ingestToken, type LogReply, sendLogs } from './log-api.js';

export interface LogBrowser extends BrowserApi {
  readonly session: SignedInClient;
  /** Without a source: to that of `sendLogs`. */
  send(entries: readonly JsonRecord[], source?: LogSource): Promise<LogReply>;
}

export const startLogBrowser = async (
  env: Parameters<typeof startBrowserApi>[0] = {},
): Promise<LogBrowser> => {
  const api = await startBrowserApi(env);
  const session = await signIn(api, { role: 'moderator', readsLogs: true });
  const token = await ingestToken(api.commands);
  return Object.assign(api, {
    session,
    send: (entries: readonly JsonRecord[], source?: LogSource) =>
      sendLogs(api.server.url, entries, { token, ...(source !== undefined && { source }) }),
  });
};
