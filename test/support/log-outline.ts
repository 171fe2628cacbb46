/** The outline of an endpoint as the log explorer has it. */
import type { EndpointOutline } from '../../src/logs/query/outline-views.js';

/** `logs.all`, which reads one table. */
export const logsOutline = (change: Partial<EndpointOutline> = {}): EndpointOutline => ({
  id: 'b025f6e4-41c0-448b-a107-89b5fcf70422',
  name: 'logs.all',
  description: '',
  maxRows: 1_000,
  cachingSeconds: null,
  sandboxing: true,
  redactPii: false,
  parameters: [],
  tables: [],
  reads: 'edge_logs',
  functions: [],
  ...change,
});
