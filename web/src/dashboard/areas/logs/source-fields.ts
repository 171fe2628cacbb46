/** The well-known fields of each source: what says how severe an entry is. */
import type { LogSource } from '../../../../../src/foundation/log-store/sources.js';

export const SEVERITIES = ['error', 'warning', 'other'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** LQL terms that find the entries of a severity. */
type SeverityTerms = Readonly<Record<Exclude<Severity, 'other'>, string>>;

const byStatus = (field: string): SeverityTerms => ({
  error: `${field}:>=500`,
  warning: `${field}:400..499`,
});

const byLevel = (field: string): SeverityTerms => ({
  error: `${field}:~(?i)^(error|fatal|panic|critical)$`,
  warning: `${field}:~(?i)^warn(ing)?$`,
});

/** Null: entries of the source do not say how severe they are. */
const SEVERITY_TERMS = {
  edge_logs: byStatus('m.response.status_code'),
  function_edge_logs: byStatus('m.response.status_code'),
  postgres_logs: byLevel('m.parsed.error_severity'),
  function_logs: byLevel('m.level'),
  auth_logs: byLevel('m.level'),
  realtime_logs: byLevel('m.level'),
  storage_logs: byStatus('m.res.statusCode'),
  postgrest_logs: null,
  pgbouncer_logs: null,
  // Numbers of OpenTelemetry: 13 to 16 are warnings, from 17 on errors.
  otel_logs: { error: 'm.severity_number:>=17', warning: 'm.severity_number:13..16' },
  otel_traces: null,
} as const satisfies Record<LogSource, SeverityTerms | null>;

/** The terms for a table of a saved endpoint; null when it is not named like a source. */
export const severityTerms = (table: string): SeverityTerms | null => {
  const terms: Readonly<Record<string, SeverityTerms | null>> = SEVERITY_TERMS;
  return Object.hasOwn(terms, table) ? (terms[table] ?? null) : null;
};
