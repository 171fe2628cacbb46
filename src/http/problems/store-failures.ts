/** Maps errors of the log store to failures: faults of the query, or of the store. */
import {
  LogQueryFailedError,
  LogStoreBusyError,
  LogStoreUnavailableError,
  LogsDamagedError,
  type QueryFailure,
} from '../../foundation/log-store/log-store.js';
import type { Failure } from './failure.js';

/**
 * Codes of log queries and of ingestion with their status. The logs feature throws faults of the query's text as a FailureError.
 */
export const LOG_FAILURE_STATUSES = {
  'sql-syntax': 400,
  'sql-refused': 400,
  'lql-syntax': 400,
  'lql-refused': 400,
  'query-value': 422,
  'query-memory': 422,
  'query-time': 504,
  'query-ended': 503,
  'query-cancelled': 499,
  'too-many-queries': 429,
  'log-store-busy': 429,
  'log-quota': 429,
  'too-many-tests': 429,
} as const;

type LogFailureCode = keyof typeof LOG_FAILURE_STATUSES;

const failure = (code: LogFailureCode, detail: string, more: Partial<Failure> = {}): Failure => ({
  code,
  status: LOG_FAILURE_STATUSES[code],
  detail,
  ...more,
});

const retryAfter = (seconds: number): Pick<Failure, 'headers'> => ({
  headers: { 'Retry-After': String(seconds) },
});

/** Returns null for other errors. */
export const logFailureOf = (error: unknown): Failure | null => {
  if (error instanceof LogQueryFailedError) return failedQuery(error.failure, error.message);
  if (error instanceof LogStoreBusyError) return failure('log-store-busy', error.message, retryAfter(1));
  if (error instanceof LogsDamagedError) {
    const detail = 'The file of the logs is damaged. An operator has to restore it, or begin a new one.';
    return { code: 'content-damaged', status: 503, detail, ...retryAfter(10) };
  }
  if (error instanceof LogStoreUnavailableError) {
    const detail = 'The log store does not answer. Send the same request again later.';
    return { code: 'unavailable', status: 503, detail, ...retryAfter(1) };
  }
  return null;
};

const failedQuery = (why: QueryFailure, message: string): Failure => {
  switch (why) {
    case 'time':
      return failure('query-time', 'The query ran longer than allowed.');
    case 'memory':
      return failure('query-memory', 'The query needs more memory than allowed.');
    case 'value':
      return failure('query-value', message);
    case 'cancelled':
      return failure('query-cancelled', 'The query was cancelled before it ended.');
    case 'crash':
      return failure('query-ended', 'The query was stopped before it ended.', retryAfter(1));
    default:
      return why satisfies never;
  }
};
