/** The entries of edge_logs in a range of positions, as a tail reads them. */
import { PLATFORM_CATALOGUE } from '../../src/foundation/log-store/known-fields.js';
import type { LogStore, TailRange } from '../../src/foundation/log-store/log-store.js';
import { compile } from '../../src/logs/sql/compile.js';
import { tailedTable, tailOf } from '../../src/logs/sql/tail.js';
import { NOON } from './log-entries.js';

const { query } = compile({
  stored: tailedTable('edge_logs'),
  consumer: null,
  onlyProject: null,
  catalogue: PLATFORM_CATALOGUE,
});

/** In their order. */
export const tailedMessages = async (store: LogStore, range: TailRange): Promise<readonly string[]> => {
  const options = { parameters: {}, now: NOON, maxRows: 10_000, timeoutMs: 200_000, range };
  const { rows } = await store.run(tailOf(query).rows, options);
  return rows.map(({ event_message }) => String(event_message));
};
