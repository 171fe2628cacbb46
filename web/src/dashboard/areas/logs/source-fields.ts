/** The well-known fields of each source: what says how severe an entry is, and the columns of a list of entries. */
import type { BuiltInSource, ReadySource } from '../../../../../src/foundation/log-store/sources.js';
import { type Path, valueAt } from './paths.js';

export const SEVERITIES = ['error', 'warning', 'other'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A field of an entry's metadata. */
export interface SourceField {
  readonly title: string;
  /** Within the metadata. */
  readonly path: Path;
  /** In rem. */
  readonly width: number;
}

/** The field that says how severe an entry is: by a number, from 0 up, or by the name of a level. */
type SeverityField = { readonly path: Path } & (
  | { readonly by: 'number'; readonly warningsFrom: number; readonly errorsFrom: number }
  | { readonly by: 'level' }
);

interface Fields {
  /** Null: no field says how severe an entry is. */
  readonly severity: SeverityField | null;
  /** The columns between the time and the message. */
  readonly columns: readonly SourceField[];
}

const column = (title: string, path: string, width: number): SourceField => ({
  title,
  path: path.split('.'),
  width,
});

const byStatus = (path: string): SeverityField => ({
  by: 'number',
  path: path.split('.'),
  warningsFrom: 400,
  errorsFrom: 500,
});
const byLevel = (path: string): SeverityField => ({ by: 'level', path: path.split('.') });

const FIELDS = {
  edge_logs: {
    severity: byStatus('response.status_code'),
    columns: [
      column('status', 'response.status_code', 5),
      column('method', 'request.method', 5),
      column('path', 'request.path', 16),
    ],
  },
  function_edge_logs: {
    severity: byStatus('response.status_code'),
    columns: [
      column('status', 'response.status_code', 5),
      column('method', 'request.method', 5),
      column('path', 'request.pathname', 14),
      column('ms', 'execution_time_ms', 4),
    ],
  },
  postgres_logs: {
    severity: byLevel('parsed.error_severity'),
    columns: [
      column('severity', 'parsed.error_severity', 6),
      column('user', 'parsed.user_name', 9),
      column('command', 'parsed.command_tag', 7),
    ],
  },
  function_logs: {
    severity: byLevel('level'),
    columns: [
      column('level', 'level', 5),
      column('event', 'event_type', 9),
      column('function', 'function_id', 10),
    ],
  },
  auth_logs: {
    severity: byLevel('level'),
    columns: [
      column('level', 'level', 5),
      column('status', 'status', 5),
      column('method', 'method', 5),
      column('path', 'path', 8),
      column('action', 'auth_event.action', 9),
    ],
  },
  realtime_logs: {
    severity: byLevel('level'),
    columns: [column('level', 'level', 5), column('module', 'context.module', 12)],
  },
  storage_logs: {
    severity: byStatus('res.statusCode'),
    columns: [
      column('level', 'level', 5),
      column('status', 'res.statusCode', 5),
      column('method', 'req.method', 5),
      column('url', 'req.url', 16),
    ],
  },
  postgrest_logs: { severity: null, columns: [column('host', 'host', 12)] },
  pgbouncer_logs: { severity: null, columns: [column('host', 'host', 12)] },
  otel_logs: {
    // The numbers of OpenTelemetry.
    severity: { by: 'number', path: ['severity_number'], warningsFrom: 13, errorsFrom: 17 },
    columns: [column('severity', 'severity_text', 6)],
  },
  otel_traces: {
    severity: null,
    columns: [column('kind', 'kind', 6), column('status', 'status.code', 5), column('ms', 'duration_ms', 5)],
  },
  auth_audit_logs: {
    severity: byLevel('level'),
    columns: [
      column('action', 'auth_audit_event.action', 10),
      column('actor', 'auth_audit_event.actor_username', 12),
    ],
  },
  supavisor_logs: {
    severity: byLevel('level'),
    columns: [column('level', 'level', 5), column('mode', 'mode', 6), column('user', 'user', 9)],
  },
  pg_upgrade_logs: { severity: byLevel('level'), columns: [column('host', 'host', 12)] },
  etl_replication_logs: {
    severity: byLevel('level'),
    columns: [column('level', 'level', 5), column('pipeline', 'pipeline_id', 5)],
  },
} as const satisfies Record<BuiltInSource | ReadySource, Fields>;

/** For a table of a saved endpoint that is not named like a source. */
const UNKNOWN: Fields = { severity: null, columns: [] };

const fieldsOf = (table: string): Fields => {
  const fields: Readonly<Record<string, Fields>> = FIELDS;
  return Object.hasOwn(fields, table) ? (fields[table] ?? UNKNOWN) : UNKNOWN;
};

export const columnsOf = (table: string): readonly SourceField[] => fieldsOf(table).columns;

const ERROR_LEVELS = ['error', 'fatal', 'panic', 'critical'];
const WARNING_LEVELS = ['warn', 'warning'];
const levelTest = (levels: readonly string[]): string => `~(?i)^(${levels.join('|')})$`;

/** LQL terms that find the entries of a severity. */
type SeverityTerms = Readonly<Record<Exclude<Severity, 'other'>, string>>;

/** Null: the entries of the table do not say how severe they are. */
export const severityTerms = (table: string): SeverityTerms | null => {
  const { severity } = fieldsOf(table);
  if (severity === null) return null;
  const field = `m.${severity.path.join('.')}`;
  return severity.by === 'number'
    ? {
        error: `${field}:>=${severity.errorsFrom}`,
        warning: `${field}:${severity.warningsFrom}..${severity.errorsFrom - 1}`,
      }
    : { error: `${field}:${levelTest(ERROR_LEVELS)}`, warning: `${field}:${levelTest(WARNING_LEVELS)}` };
};

/** The severity that the terms of `severityTerms` find an entry by. */
export const severityOf = (table: string, metadata: unknown): Severity => {
  const { severity } = fieldsOf(table);
  const value = severity && valueAt(metadata, severity.path);
  if (severity === null || value === null || value === undefined) return 'other';
  if (severity.by === 'level') {
    const level = String(value).toLowerCase();
    if (ERROR_LEVELS.includes(level)) return 'error';
    return WARNING_LEVELS.includes(level) ? 'warning' : 'other';
  }
  if (Number(value) >= severity.errorsFrom) return 'error';
  return Number(value) >= severity.warningsFrom ? 'warning' : 'other';
};
