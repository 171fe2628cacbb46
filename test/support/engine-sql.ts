/** Asks a log store in the SQL of its engine, for what no query of the dialect says. */
import { ChannelLogStore } from '../../src/engines/duckdb/channel-log-store.js';
import { LazyLogStore } from '../../src/foundation/log-store/lazy-log-store.js';
import type { LogRows, LogStore, RunOptions } from '../../src/foundation/log-store/log-store.js';
import { NOON } from './log-entries.js';

export const runSql = async (
  store: LogStore,
  sql: string,
  options: Partial<RunOptions> = {},
): Promise<LogRows> => {
  const opened = store instanceof LazyLogStore ? await store.opened() : store;
  if (!(opened instanceof ChannelLogStore)) throw new Error('this log store takes no SQL of an engine');
  return opened.runSql(sql, {
    parameters: {},
    now: NOON,
    maxRows: 1_000,
    timeoutMs: 200_000,
    ...options,
  });
};
