/**
 * The log sources: the form of a log entry, the table of each source, and the field that holds an entry's project. Nine are
 * those of the platform (source: the specification of the log query endpoints); two take what OpenTelemetry exports. An
 * installation can add sources of its own, which its log store keeps.
 */

/** JSON as it is in an entry's metadata. */
export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [field: string]: Json;
}

/** The type of Array.isArray does not cover readonly arrays. */
export const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

export interface LogEntry {
  /** UUID in lower case; the same project, source and id within 24 hours is the same entry. */
  readonly id: string;
  /** Microseconds since 1970, UTC; a double holds them exactly until the year 2255. */
  readonly timestamp: number;
  readonly eventMessage: string;
  readonly metadata: JsonRecord;
  /** The project column; null where an entry names none. */
  readonly project: string | null;
}

/** Where an entry names its project: the project column, or a field of its metadata. */
export type ProjectMatch = 'project' | 'metadata.project' | 'metadata.project_ref';

/** The sources that `logs.all` reads. */
export const PLATFORM_SOURCES = {
  edge_logs: 'project',
  postgres_logs: 'project',
  function_edge_logs: 'metadata.project_ref',
  function_logs: 'metadata.project_ref',
  auth_logs: 'project',
  realtime_logs: 'metadata.project',
  storage_logs: 'metadata.project',
  postgrest_logs: 'project',
  pgbouncer_logs: 'project',
} as const satisfies Record<string, ProjectMatch>;

/**
 * The sources of each installation by name, which is also the table's name, with the field that names the project. Append only:
 * keys of stored entries count on the order.
 */
export const LOG_SOURCES = {
  ...PLATFORM_SOURCES,
  otel_logs: 'project',
  otel_traces: 'project',
} as const satisfies Record<string, ProjectMatch>;

/** Ready choices for sources of one's own: sources of the platform beside its nine, with what each has. */
export const READY_SOURCES = {
  auth_audit_logs: 'The audit trail of sign-ins and accounts',
  supavisor_logs: 'The connection pooler Supavisor',
  pg_upgrade_logs: 'Upgrades of Postgres',
  etl_replication_logs: 'Pipelines that replicate a database',
} as const;

export type ReadySource = keyof typeof READY_SOURCES;

export type BuiltInSource = keyof typeof LOG_SOURCES;

/** The name of a source: one of LOG_SOURCES, or one that the installation has added. */
export type LogSource = string;

export const BUILT_IN_SOURCES: readonly LogSource[] = Object.keys(LOG_SOURCES);

export const isBuiltIn = (source: LogSource): source is BuiltInSource => Object.hasOwn(LOG_SOURCES, source);

/** The sources that an installation can add. */
export const MAX_OWN_SOURCES = 100;

export const SOURCE_NAMES = 'a lower-case letter, then at most 62 lower-case letters, digits and underscores';

export const isSourceName = (text: string): boolean => /^[a-z][a-z0-9_]{0,62}$/.test(text);

/** Sources that an installation has added go by the project column. */
export const projectMatchOf = (source: LogSource): ProjectMatch =>
  isBuiltIn(source) ? LOG_SOURCES[source] : 'project';

/** Returns the project of an entry by its source's rule; null when it names none. */
export const projectOf = (
  source: LogSource,
  { project, metadata }: Pick<LogEntry, 'project' | 'metadata'>,
): string | null => {
  const match = projectMatchOf(source);
  if (match === 'project') return project;
  const named = match === 'metadata.project' ? metadata.project : metadata.project_ref;
  return typeof named === 'string' ? named : null;
};
