/** Log entries as the explorer lists them: rows with an id, a time, a message and metadata. */
import type { LogRow } from './log-query.js';
import { isNested, type Path } from './paths.js';

export interface Entry extends LogRow {
  readonly id: string;
  /** ISO 8601 with microseconds, UTC. */
  readonly timestamp: string;
  readonly event_message: unknown;
  readonly metadata: unknown;
}

/** An entry, and the table that it is from. */
export interface ShownEntry {
  readonly entry: Entry;
  readonly table: string;
}

const isEntry = (row: LogRow): row is Entry =>
  typeof row.id === 'string' &&
  typeof row.timestamp === 'string' &&
  Object.hasOwn(row, 'event_message') &&
  Object.hasOwn(row, 'metadata');

/** Null when a row is no entry, as in the result of a query that chooses columns or counts. */
export const entriesIn = (rows: readonly LogRow[]): readonly Entry[] | null =>
  rows.every(isEntry) ? rows : null;

/** `2026-03-17 14:47:02.123` of the time of an entry. */
export const timeOf = ({ timestamp }: Entry): string =>
  timestamp.slice(0, 23).replace('T', ' ').replace('Z', '');

const FIELD_NAME = /^[\w$-]+$/;

/** The LQL term that finds the entries with this value; null when LQL has no term for it. `path` includes `metadata`. */
export const termOf = (path: Path, value: unknown): string | null => {
  if (isNested(value) || !path.every((name) => FIELD_NAME.test(name)) || /^[^A-Za-z_]/.test(path[0] ?? ''))
    return null;
  const field = path.join('.').replace(/^metadata\./, 'm.');
  switch (field) {
    case 'timestamp':
      return `t:${String(value)}`;
    case 'event_message':
      return quoted(String(value));
    default:
      return `${field}:${typeof value === 'string' ? quoted(value) : value === null ? 'NULL' : String(value)}`;
  }
};

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

/** The filter with the term added, unless it has it already. */
export const withTerm = (lql: string, term: string): string =>
  ` ${lql} `.includes(` ${term} `) ? lql : `${lql} ${term}`.trim();

/** A value that all entries of one request or trace have. */
export interface Correlation {
  readonly path: Path;
  readonly value: string;
}

const CORRELATING = ['request_id', 'trace_id'];
/** Deeper records are not searched. */
const MAX_DEPTH = 4;

/** The ids of requests and traces in the metadata of an entry. */
export const correlationsOf = ({ metadata }: Entry): readonly Correlation[] =>
  correlationsIn(metadata, ['metadata']);

const correlationsIn = (value: unknown, path: Path): readonly Correlation[] => {
  if (!isNested(value) || Array.isArray(value) || path.length > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, name];
    if (typeof inner === 'string')
      return CORRELATING.includes(name) && inner !== '' ? [{ path: at, value: inner }] : [];
    return correlationsIn(inner, at);
  });
};
