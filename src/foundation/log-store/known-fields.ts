/**
 * The fields that the platform documents for each source, so that a query may name them before the first entry arrives.
 * Other fields join the catalogue with the entries that have them.
 */
import { type FieldCatalogue, type FieldType, NO_FIELDS, type RecordType } from './field-catalogue.js';
import type { BuiltInSource, LogSource, ReadySource } from './sources.js';

const text: FieldType = { kind: 'string' };
const integer: FieldType = { kind: 'integer' };
const number: FieldType = { kind: 'number' };

const record = (fields: Readonly<Record<string, FieldType>>): RecordType => ({ kind: 'record', fields });

const texts = (...names: readonly string[]): Record<string, FieldType> =>
  Object.fromEntries(names.map((name) => [name, text]));

/** What a log record and a span of OpenTelemetry have in common. */
const OTEL_ORIGIN: Readonly<Record<string, FieldType>> = {
  attributes: record({}),
  resource: record({ service: record(texts('name', 'version', 'namespace')) }),
  scope: record(texts('name', 'version')),
};

const BUILT_IN_FIELDS = {
  edge_logs: record({
    request: record({
      ...texts('method', 'path', 'url', 'host', 'search', 'protocol'),
      headers: record(
        texts(
          'user_agent',
          'x_client_info',
          'cf_connecting_ip',
          'cf_ipcountry',
          'cf_ray',
          'content_type',
          'host',
          'referer',
          'x_forwarded_for',
          'x_real_ip',
        ),
      ),
      cf: record({
        ...texts('country', 'city', 'continent', 'region', 'timezone', 'colo', 'httpProtocol'),
        asn: integer,
      }),
    }),
    response: record({
      status_code: integer,
      origin_time: integer,
      headers: record(texts('content_type', 'cf_cache_status', 'cf_ray', 'date', 'sb_gateway_version')),
    }),
  }),
  postgres_logs: record({
    ...texts('host'),
    parsed: record({
      ...texts(
        'error_severity',
        'user_name',
        'database_name',
        'command_tag',
        'query',
        'sql_state_code',
        'backend_type',
        'application_name',
        'connection_from',
        'detail',
        'hint',
        'session_id',
        'timestamp',
      ),
      process_id: integer,
      session_line_num: integer,
      query_id: integer,
      transaction_id: integer,
    }),
  }),
  function_edge_logs: record({
    ...texts('project_ref', 'function_id', 'version', 'deployment_id', 'execution_id'),
    execution_time_ms: number,
    request: record({
      ...texts('method', 'url', 'pathname', 'host', 'protocol', 'search'),
      headers: record(texts('user_agent', 'x_client_info', 'cf_connecting_ip')),
    }),
    response: record({ status_code: integer, headers: record(texts('content_type')) }),
  }),
  function_logs: record({
    ...texts(
      'project_ref',
      'function_id',
      'execution_id',
      'deployment_id',
      'level',
      'event_type',
      'region',
      'version',
    ),
    boot_time: number,
    cpu_time_used: number,
  }),
  auth_logs: record({
    ...texts('level', 'msg', 'path', 'method', 'remote_addr', 'error', 'component', 'host', 'request_id'),
    status: integer,
    duration: integer,
    auth_event: record({
      ...texts('action', 'actor_id', 'actor_name', 'actor_username', 'log_type', 'ip_address'),
      traits: record(texts('provider', 'user_id', 'user_email')),
    }),
  }),
  realtime_logs: record({
    ...texts('project', 'level', 'external_id'),
    context: record({ ...texts('application', 'module', 'function', 'file', 'vm_pid'), line: integer }),
  }),
  storage_logs: record({
    ...texts('project', 'level', 'host', 'region'),
    context: record({ ...texts('host'), pid: integer }),
    req: record(texts('method', 'url', 'traceId')),
    res: record({ statusCode: integer }),
    responseTime: number,
  }),
  postgrest_logs: record(texts('host')),
  pgbouncer_logs: record(texts('host')),
  otel_logs: record({
    ...texts('trace_id', 'span_id', 'severity_text', 'event_name', 'observed_timestamp'),
    severity_number: integer,
    ...OTEL_ORIGIN,
  }),
  otel_traces: record({
    ...texts('trace_id', 'span_id', 'parent_span_id', 'trace_state', 'kind', 'end_time'),
    duration_ms: number,
    status: record(texts('code', 'message')),
    ...OTEL_ORIGIN,
  }),
} satisfies Record<BuiltInSource, RecordType>;

/** Of the ready choices for sources of one's own. */
const READY_FIELDS = {
  auth_audit_logs: record({
    ...texts('level', 'msg', 'component', 'request_id'),
    auth_audit_event: record({
      ...texts(
        'action',
        'actor_id',
        'actor_name',
        'actor_username',
        'audit_log_id',
        'created_at',
        'ip_address',
        'log_type',
        'user_agent',
      ),
      actor_via_sso: { kind: 'boolean' },
      traits: record(texts('provider', 'user_id', 'user_email')),
    }),
  }),
  supavisor_logs: record({
    ...texts('level', 'project', 'user', 'mode', 'type', 'app_name', 'peer_ip', 'region', 'instance_id'),
    context: record({ ...texts('application', 'module', 'function', 'file', 'vm_pid'), line: integer }),
  }),
  pg_upgrade_logs: record(texts('host', 'level')),
  etl_replication_logs: record({
    ...texts('level', 'error', 'table_name', 'destination_id'),
    pipeline_id: integer,
  }),
} satisfies Record<ReadySource, RecordType>;

const FIELDS: ReadonlyMap<LogSource, RecordType> = new Map(
  Object.entries({ ...BUILT_IN_FIELDS, ...READY_FIELDS }),
);

/** The same source always gives the same object. */
export const knownFieldsOf = (source: LogSource): RecordType => FIELDS.get(source) ?? NO_FIELDS;

/** The catalogue of a project without entries. */
export const PLATFORM_CATALOGUE: FieldCatalogue = { version: 0, ofAll: false, sources: BUILT_IN_FIELDS };
