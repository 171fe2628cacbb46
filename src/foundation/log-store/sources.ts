/**
 * The log sources: the form of a log entry, the table of each source, and the field that holds an entry's project. Nine are
 * those of the platform (source: the specification of the log query endpoints); two take what OpenTelemetry exports.
 */

/** JSON as it is in an entry's metadata. */
export type Json = string | number | boolean | null | readonly Json[] | JsonRecord;
export interface JsonRecord {
  readonly [field: string]: Json;
}

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
 * Each source by name, which is also its table's name, with the field that names its project. Append only: keys of stored
 * entries count on the order.
 */
export const LOG_SOURCES = {
  ...PLATFORM_SOURCES,
  otel_logs: 'project',
  otel_traces: 'project',
} as const satisfies Record<string, ProjectMatch>;

export type LogSource = keyof typeof LOG_SOURCES;

export const isLogSource = (text: string): text is LogSource => Object.hasOwn(LOG_SOURCES, text);

/** Returns the project of an entry by its source's rule; null when it names none. */
export const projectOf = (
  source: LogSource,
  { project, metadata }: Pick<LogEntry, 'project' | 'metadata'>,
): string | null => {
  const match: ProjectMatch = LOG_SOURCES[source];
  if (match === 'project') return project;
  const named = match === 'metadata.project' ? metadata.project : metadata.project_ref;
  return typeof named === 'string' ? named : null;
};
