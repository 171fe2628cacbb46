/** The requests of the log areas to the API. */

import type { QueryPlace } from '../../../../../src/http/problems/failure.js';
import type {
  EndpointVersionView,
  EndpointView,
} from '../../../../../src/logs/endpoints/endpoint.queries.js';
import type { Amount, QueryEstimate } from '../../../../../src/logs/query/estimate-views.js';
import type { LogProject } from '../../../../../src/logs/query/log-projects.js';
import type {
  CheckedStoredQuery,
  CheckedText,
  EndpointOutline,
} from '../../../../../src/logs/query/outline-views.js';
import type { SavedFilterView } from '../../../../../src/logs/saved-filters/saved-filter.js';
import type { SavedQueryView } from '../../../../../src/logs/saved-queries/saved-query.commands.js';
import { getJson, Problem, request, send } from '../../api.js';
import type { Fault } from './editor/query-editor.js';
import { callParameters, type LogQuery, type LogRow, type QueryResult } from './log-query.js';

const SAVED_QUERIES = '/api/moderation/logs/saved-queries';

const callPath = (endpoint: string): string => `/api/endpoints/query/${encodeURIComponent(endpoint)}`;

const TOO_MANY = 429;
const MOST_TRIES = 6;

/**
 * For the queries of a view. Together they are half of those that may run at once for an account: after a quick change of the view,
 * those that were cancelled may not have ended yet. Other failures are shown at once.
 */
export const AFTER_CANCELLED = {
  retry: (failures: number, error: Error): boolean =>
    failures + 1 < MOST_TRIES && error instanceof Problem && error.status === TOO_MANY,
};

interface RunOptions {
  /** Aborting it cancels the query on the server. */
  readonly signal: AbortSignal;
  /** Of entry-parts.ts; missing: the whole result. */
  readonly part?: string;
  /** Counts what the query reads, which takes longer. */
  readonly cost?: boolean;
}

/** Throws Problem. */
export const runQuery = async (
  asked: LogQuery,
  { signal, part = '', cost = false }: RunOptions,
): Promise<QueryResult> => {
  const [start, at] = [performance.now(), Date.now()];
  const reply = await request(`${callPath(asked.endpoint)}${part}`, {
    method: 'POST',
    headers: {
      'X-Podium-Request': '1',
      'Content-Type': 'application/json',
      ...(asked.redact && { 'SVC-ENDPOINT-REDACT-PII': 'true' }),
      ...(cost && { 'SVC-ENDPOINT-COST': 'true' }),
    },
    body: JSON.stringify(callParameters(asked, at)),
    signal,
  });
  const { result }: { readonly result: readonly LogRow[] } = await reply.json();
  const age = reply.headers.get('Age');
  return {
    rows: result,
    isTruncated: reply.headers.get('Podium-Truncated') === 'true',
    ageSeconds: age === null ? null : Number(age),
    durationMs: performance.now() - start,
    at,
    followedFrom: positionBefore(reply.headers.get('Date'), performance.now() - start),
    read: readIn(reply.headers),
  };
};

const readIn = (headers: Headers): Amount | null => {
  const [entries, bytes] = [headers.get('Podium-Read-Entries'), headers.get('Podium-Read-Bytes')];
  return entries === null || bytes === null ? null : { entries: Number(entries), bytes: Number(bytes) };
};

/** Does not run the query. Throws Problem. */
export const estimateQuery = async (asked: LogQuery, signal: AbortSignal): Promise<QueryEstimate> => {
  const reply = await request(`${callPath(asked.endpoint)}/estimate`, {
    method: 'POST',
    headers: { 'X-Podium-Request': '1', 'Content-Type': 'application/json' },
    body: JSON.stringify(callParameters(asked, Date.now())),
    signal,
  });
  return reply.json();
};

export const FILE_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type FileFormat = keyof typeof FILE_TYPES;

/** The result of an endpoint's own query as a file. Empty values are left out. Throws Problem. */
export const downloadResult = async (
  endpoint: string,
  values: Readonly<Record<string, string>>,
  format: FileFormat,
): Promise<{ readonly file: Blob; readonly isTruncated: boolean }> => {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const reply = await request(callPath(endpoint), {
    method: 'POST',
    headers: {
      'X-Podium-Request': '1',
      'Content-Type': 'application/json',
      Accept: FILE_TYPES[format],
    },
    body: JSON.stringify(Object.fromEntries(given)),
  });
  return { file: await reply.blob(), isTruncated: reply.headers.get('Podium-Truncated') === 'true' };
};

/** Positions of tails are microseconds of the server's clock, which the reply tells in seconds. */
const positionBefore = (date: string | null, durationMs: number): number | null =>
  date === null ? null : Math.floor(Date.parse(date) - durationMs - 1_000) * 1_000;

export const listEndpoints = (): Promise<readonly EndpointView[]> => getJson('/api/endpoints');

/** The projects with entries, the one with the newest entry first. */
export const listProjects = (): Promise<readonly LogProject[]> => getJson('/api/moderation/logs/projects');

const savedPath = (name: string): string => `${SAVED_QUERIES}/${encodeURIComponent(name)}`;

export const listSavedQueries = (): Promise<readonly SavedQueryView[]> => getJson(SAVED_QUERIES);

/** `address`: of log-query.ts. */
export const saveQuery = (name: string, address: string): Promise<void> =>
  send('PUT', savedPath(name), { address });

export const removeQuery = (name: string): Promise<void> => send('DELETE', savedPath(name));

const FILTERS = '/api/logs/filters';

const filterPath = (name: string): string => `${FILTERS}/${encodeURIComponent(name)}`;

export const listFilters = (): Promise<readonly SavedFilterView[]> => getJson(FILTERS);

/** `revision`: of the one that it replaces; null: none. */
export const saveFilter = (
  name: string,
  filter: Pick<SavedFilterView, 'lql' | 'project'> & { readonly revision: string | null },
): Promise<SavedFilterView> => send('PUT', filterPath(name), filter);

export const removeFilter = ({ name, project }: SavedFilterView): Promise<void> =>
  send('DELETE', filterPath(name) + (project === null ? '' : `?${new URLSearchParams({ project })}`));

export const listVersions = (id: string): Promise<readonly EndpointVersionView[]> =>
  getJson(`/api/endpoints/${encodeURIComponent(id)}/versions`);

export const getOutline = (endpoint: string): Promise<EndpointOutline> =>
  getJson(`${callPath(endpoint)}/outline`);

/** The parameters say whose fields the query may name. */
export const checkQuery = (asked: LogQuery): Promise<CheckedText> =>
  send('POST', `${callPath(asked.endpoint)}/check`, callParameters(asked, Date.now()));

export const checkStoredQuery = (query: string, sandboxing: boolean): Promise<CheckedStoredQuery> =>
  send('POST', '/api/endpoints/check', { query, sandboxing });

/** The fault with its place in the query; null when there is no fault, or it has no place. */
export const faultIn = (
  fault: { readonly detail: string; readonly position: QueryPlace | null } | null | undefined,
): Fault | null =>
  fault && fault.position !== null ? { offset: fault.position.offset, message: fault.detail } : null;
