/**
 * Maps every failure of a request to a problem document (RFC 9457): its status, its code (the last segment of
 * `type`) and a sentence. Unexpected errors are a 500 without details; the log has them with the request id.
 */
import { HttpException } from '@nestjs/common';
import {
  type FieldError,
  REJECTION_KINDS,
  RejectedError,
  type RejectionKind,
} from '../../domain/rejections.js';
import { CommandContentionError } from '../../foundation/aggregates/aggregate.js';
import { isOutage, StoreUnavailableError } from '../../foundation/basics/store-unavailable.js';
import { AppendTooLargeError } from '../../foundation/event-store/append-checks.js';
import { EventsLostError } from '../../foundation/event-store/event-store.js';
import { StoreDamagedError } from '../../foundation/integrity/damage.js';
import { type Failure, FailureError, type QueryPlace } from './failure.js';
import { LOG_FAILURE_STATUSES, logFailureOf } from './store-failures.js';

export interface Problem {
  /** URL path of a page about this kind of problem; the last segment is the code. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request's id, as the header X-Request-Id has it. */
  readonly instance: string;
  /** Each wrong field; empty when the problem is about none. */
  readonly errors: readonly FieldError[];
  /** The place of the fault in the text of a log query; missing when there is no single place. */
  readonly position?: QueryPlace;
}

export const PROBLEM_TYPE_PREFIX = '/api/docs/problems/';
export const PROBLEM_CONTENT_TYPE = 'application/problem+json; charset=utf-8';

const STATUS_OF_KIND: Readonly<Record<RejectionKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  precondition: 412,
  unprocessable: 422,
};

/** Seconds until a retry makes sense, when a store is down or a stream has conflicts. */
const RETRY_AFTER = { 'Retry-After': '1' };

/** An operator has to act first. */
const RETRY_AFTER_OPERATOR = { 'Retry-After': '10' };

/** Codes of the HTTP layer, by the status that Fastify or Node gives. */
const CODE_OF_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid-request',
  404: 'path-not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  412: 'precondition-failed',
  413: 'body-too-large',
  414: 'url-too-long',
  415: 'unsupported-media-type',
  416: 'range-not-satisfiable',
  417: 'expectation-failed',
  429: 'too-many-bad-keys',
  431: 'headers-too-large',
  500: 'internal-error',
  503: 'unavailable',
};

/** Details for statuses whose message from the framework does not say what to do. */
const DETAIL_OF_STATUS: Readonly<Record<number, string>> = {
  413: 'The body is larger than this path takes',
  415: 'This path does not take a body of this type: send JSON with the header Content-Type: application/json',
};

/** Every code that a problem document can have, with its status. */
export const PROBLEM_STATUSES: ReadonlyMap<string, number> = new Map([
  ...Object.entries(CODE_OF_STATUS).map(([status, code]): [string, number] => [code, Number(status)]),
  ...Object.entries(REJECTION_KINDS).map(([code, kind]): [string, number] => [code, STATUS_OF_KIND[kind]]),
  ['malformed-json', 400],
  ['contention', 503],
  ['events-lost', 503],
  ['content-damaged', 503],
  ['too-many-sign-ins', 429],
  ['metrics-token', 401],
  ['metrics-private', 403],
  ...Object.entries(LOG_FAILURE_STATUSES),
]);

export const failureOf = (error: unknown): Failure => {
  if (error instanceof FailureError) return error.failure;
  if (error instanceof RejectedError) {
    const { code, detail, errors = [] } = error.rejection;
    const status = STATUS_OF_KIND[REJECTION_KINDS[code]];
    const failure = { code, status, detail, errors };
    return status === 401
      ? { ...failure, headers: { 'WWW-Authenticate': 'Bearer realm="podium"' } }
      : failure;
  }
  if (error instanceof EventsLostError) {
    const detail = `Events are missing, so nothing is decided: ${error.message}. Keep the request and send it again later.`;
    return { code: 'events-lost', status: 503, detail, headers: RETRY_AFTER_OPERATOR };
  }
  if (error instanceof StoreDamagedError) {
    const detail = `Stored content is damaged, so nothing is answered from it: ${error.message}. An operator has to restore it.`;
    return { code: 'content-damaged', status: 503, detail, headers: RETRY_AFTER_OPERATOR };
  }
  if (isOutage(error)) {
    const store = (error instanceof StoreUnavailableError ? error.store : null) ?? 'a store';
    const detail = `${capitalized(store)} does not answer. Send the same request again later.`;
    return { code: 'unavailable', status: 503, detail, headers: RETRY_AFTER };
  }
  if (error instanceof CommandContentionError) {
    const detail = 'Too many writers changed the same round at once. Send the same request again.';
    return { code: 'contention', status: 503, detail, headers: RETRY_AFTER };
  }
  if (error instanceof AppendTooLargeError) return tooLargeFailure(error);
  return logFailureOf(error) ?? frameworkFailure(error);
};

const tooLargeFailure = ({ bytes, limit, field }: AppendTooLargeError): Failure => {
  const most = limit === null ? 'less' : `${limit} bytes`;
  const message = `${field ?? 'the request'} comes to ${bytes} bytes of events; the event store takes ${most} at once: send it in parts`;
  const errors = field === null ? [] : [{ field, rule: 'append-bytes', message }];
  return { code: 'body-too-large', status: 413, detail: message, errors };
};

/** Failures that Nest, Fastify and Node produce. Clients see the details of a 4xx only. */
const frameworkFailure = (error: unknown): Failure => {
  const given = error instanceof HttpException ? error.getStatus() : statusCodeOf(error);
  // Only @fastify/static gives a 403, for a path that names no file (dots, doubled slashes): to the client
  // nothing is there.
  const status = given === 403 ? 404 : given;
  const code = CODE_OF_STATUS[status];
  if (status >= 500 || code === undefined || !(error instanceof Error)) {
    return {
      code: 'internal-error',
      status: 500,
      detail: 'An internal error occurred; the server log has it under the request id.',
    };
  }
  return { code, status, detail: DETAIL_OF_STATUS[status] ?? error.message };
};

const statusCodeOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;

export const problemOf = (
  { code, status, detail, errors = [], position = null }: Failure,
  requestId: string,
): Problem => ({
  type: PROBLEM_TYPE_PREFIX + code,
  title: titleOf(code),
  status,
  detail,
  instance: requestId,
  errors,
  ...(position === null ? {} : { position }),
});

/** `cutoff-not-met` reads `Cutoff not met`. */
export const titleOf = (code: string): string => {
  const words = code
    .replaceAll('-', ' ')
    .replace('json', 'JSON')
    .replace('url', 'URL')
    .replace('sql', 'SQL')
    .replace('lql', 'LQL');
  return capitalized(words);
};

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
