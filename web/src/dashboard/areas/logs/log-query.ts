/**
 * A query of the log explorer and its form in the address, so that the same address runs the same query. The address has a
 * range up to now as its length; a copied link has two fixed moments instead.
 */
import type { Amount } from '../../../../../src/logs/query/estimate-views.js';
import { shellQuoted } from '../../../format.js';
import type { EndpointOutline } from './outline.js';
import { momentOf } from './time-text.js';

export type QueryLanguage = 'stored' | 'sql' | 'lql';

/** `last`: a name of RELATIVE_RANGES, ending when the query runs. `between`: ISO 8601 in UTC; an empty end is open. */
export type TimeRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'last'; readonly last: string }
  | { readonly kind: 'between'; readonly from: string; readonly to: string };

export interface LogQuery {
  readonly endpoint: string;
  /** `stored`: the endpoint's own query. */
  readonly language: QueryLanguage;
  /** Empty for the stored query. */
  readonly query: string;
  /** All parameters except those of the time range. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly range: TimeRange;
  readonly redact: boolean;
}

/** What the explorer begins with: all entries of a day. */
export const FIRST_QUERY: LogQuery = {
  endpoint: 'logs.all',
  language: 'lql',
  query: '',
  parameters: {},
  range: { kind: 'last', last: '24h' },
  redact: false,
};

/** A row of a query's result: column names and JSON values. */
export type LogRow = Readonly<Record<string, unknown>>;

export interface QueryResult {
  readonly rows: readonly LogRow[];
  /** The query found more rows than the endpoint returns. */
  readonly isTruncated: boolean;
  /** Age of a cached result; null when the endpoint does not cache. */
  readonly ageSeconds: number | null;
  /** Duration of the request. */
  readonly durationMs: number;
  /** Time of the request in milliseconds since 1970: the end of a range up to now. */
  readonly at: number;
  /** A position of tails a little before the query ran; null: it is not known. */
  readonly followedFrom: number | null;
  /** What the query read, of the caller's projects; null: it was not counted. */
  readonly read: Amount | null;
}

interface RelativeRange {
  readonly name: string;
  readonly label: string;
  readonly minutes: number;
}

export const RELATIVE_RANGES: readonly RelativeRange[] = [
  { name: '15m', label: 'Last 15 minutes', minutes: 15 },
  { name: '1h', label: 'Last hour', minutes: 60 },
  { name: '6h', label: 'Last 6 hours', minutes: 360 },
  { name: '24h', label: 'Last 24 hours', minutes: 1_440 },
  { name: '7d', label: 'Last 7 days', minutes: 10_080 },
  { name: '30d', label: 'Last 30 days', minutes: 43_200 },
];

/** The names of an endpoint's parameters for the time range. */
export const RANGE_PARAMETERS = { from: 'iso_timestamp_start', to: 'iso_timestamp_end' } as const;

export const hasTimeRange = ({ parameters }: Pick<EndpointOutline, 'parameters'>): boolean =>
  parameters.some(({ name }) => name === RANGE_PARAMETERS.from);

const PARAMETER_PREFIX = 'p.';

export const toSearch = ({ endpoint, language, query, parameters, range, redact }: LogQuery): string => {
  const search = new URLSearchParams({ endpoint });
  if (language !== 'stored') search.set(language, query);
  for (const [name, value] of Object.entries(parameters))
    if (value !== '') search.set(PARAMETER_PREFIX + name, value);
  if (range.kind === 'last') search.set('last', range.last);
  if (range.kind === 'between') {
    search.set('from', range.from);
    search.set('to', range.to);
  }
  if (redact) search.set('redact', 'true');
  return search.toString();
};

/** Null when the address has no query. */
export const parseSearch = (search: string): LogQuery | null => {
  const given = new URLSearchParams(search);
  const endpoint = given.get('endpoint');
  if (endpoint === null) return null;
  const language = given.has('sql') ? 'sql' : given.has('lql') ? 'lql' : 'stored';
  const parameters = [...given].filter(([name]) => name.startsWith(PARAMETER_PREFIX));
  return {
    endpoint,
    language,
    query: language === 'stored' ? '' : (given.get(language) ?? ''),
    parameters: Object.fromEntries(
      parameters.map(([name, value]) => [name.slice(PARAMETER_PREFIX.length), value]),
    ),
    range: parseRange(given),
    redact: given.get('redact') === 'true',
  };
};

const parseRange = (given: URLSearchParams): TimeRange => {
  const last = given.get('last');
  if (RELATIVE_RANGES.some(({ name }) => name === last) && last !== null) return { kind: 'last', last };
  const [from, to] = [given.get('from') ?? '', given.get('to') ?? ''];
  return from === '' && to === '' ? { kind: 'all' } : { kind: 'between', from, to };
};

/** The range with a fixed beginning and end. `now`: milliseconds since 1970. */
export const absoluteRange = (range: TimeRange, now: number): TimeRange => {
  if (range.kind !== 'last') return range;
  const minutes = RELATIVE_RANGES.find(({ name }) => name === range.last)?.minutes ?? 0;
  const iso = (at: number): string => new Date(at).toISOString();
  return { kind: 'between', from: iso(now - minutes * 60_000), to: iso(now) };
};

export const isUpToNow = (range: TimeRange): boolean => range.kind !== 'between' || range.to === '';

/** A range of whole milliseconds, `to` not included. The API leaves out the entries at `from` and has those at `to`. */
export const rangeOf = (from: number, to: number): TimeRange => {
  const justBefore = (at: number): string => new Date(at - 1).toISOString().replace('Z', '999Z');
  return { kind: 'between', from: justBefore(from), to: justBefore(to) };
};

/** The part of `range` from `from` up to `to`, which is not included: milliseconds since 1970. */
export const narrowed = (range: TimeRange, from: number, to: number): TimeRange => {
  const part = rangeOf(from, to);
  if (range.kind !== 'between' || part.kind !== 'between') return part;
  const isBefore = range.from !== '' && from <= momentOf(range.from);
  const isAfter = range.to !== '' && to > momentOf(range.to);
  return { ...part, ...(isBefore && { from: range.from }), ...(isAfter && { to: range.to }) };
};

/** The parameters of the API call. `now`: milliseconds since 1970. */
export const callParameters = (asked: LogQuery, now: number): Readonly<Record<string, string>> => {
  const range = absoluteRange(asked.range, now);
  const given = Object.entries(asked.parameters).filter(([, value]) => value !== '');
  if (range.kind === 'between') {
    if (range.from !== '') given.push([RANGE_PARAMETERS.from, range.from]);
    if (range.to !== '') given.push([RANGE_PARAMETERS.to, range.to]);
  }
  if (asked.language !== 'stored' && asked.query.trim() !== '') given.push([asked.language, asked.query]);
  return Object.fromEntries(given);
};

/** The same call as a curl line, with a token in `$TOKEN`. */
export const curlText = (
  asked: LogQuery,
  { origin, now }: { readonly origin: string; readonly now: number },
): string => {
  const given = Object.entries(callParameters(asked, now));
  const lines = [
    `curl -G ${shellQuoted(`${origin}/api/endpoints/query/${encodeURIComponent(asked.endpoint)}`)}`,
    '-H "X-API-KEY: $TOKEN"',
    "-H 'Content-Type: application/json; charset=utf-8'",
    ...(asked.redact ? ["-H 'SVC-ENDPOINT-REDACT-PII: true'"] : []),
    ...given.map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`),
  ];
  return lines.join(' \\\n  ');
};
