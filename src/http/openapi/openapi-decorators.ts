/** The parts that operations of one kind share in the OpenAPI document. */
import { applyDecorators, Get, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCookieAuth,
  ApiHeader,
  ApiOperation,
  ApiProduces,
  ApiQuery,
  ApiResponse,
  type ApiResponseOptions,
  ApiSecurity,
} from '@nestjs/swagger';
import { ProblemDto } from '../problems/problem.dto.js';

const PROBLEM = 'application/problem+json';

const positionHeader = {
  'Podium-Position': {
    description: 'The position that the reply shows; send it with a read to see at least this',
    schema: { type: 'string' as const },
  },
};

export const Problems = (...statuses: readonly number[]): MethodDecorator =>
  applyDecorators(...statuses.map((status) => ApiResponse({ status, ...problemDoc(status) })));

/** A list in parts: how long a part is, and what it goes on after. */
export const InParts = (limits: { readonly maximum: number; readonly default: number }): MethodDecorator =>
  applyDecorators(
    ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, ...limits } }),
    ApiQuery({
      name: 'after',
      required: false,
      description: 'Continues after this entry; the header Link has the URL',
    }),
  );

/** The response of an operation that fails with this status. */
export const problemDoc = (status: number) => ({
  description: MEANINGS[status] ?? '',
  ...(STATUSES_WITH_RETRY.has(status) && { headers: retryHeader }),
  content: {
    [PROBLEM]: {
      schema: { $ref: '#/components/schemas/ProblemDto' },
      example: { ...ProblemDto.example, status, ...EXAMPLES[status] },
    },
  },
});

/** Replies with these statuses carry Retry-After. */
const STATUSES_WITH_RETRY: ReadonlySet<number> = new Set([429, 503]);

const retryHeader = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' as const } },
};

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The shape is wrong: each bad field is named with its rule',
  401: 'The key is missing, unknown, revoked, ended, or of another contest; or the request has no session',
  403: 'The key, the access token or the account may not do this, or the request is not from a page of this site',
  404: 'No such space, contest, event, round or person',
  409: 'Another has this name, or another change came first',
  412: 'What the client has seen was changed meanwhile',
  413: 'The body is too large',
  415: 'The body is not application/json',
  422: 'The rules of the round, or of the account, refuse it',
  429: 'Too many attempts with bad keys from this address (a good key is never refused), too many attempts to sign in, or too many queries at once',
  503: 'A store does not answer; send the same again after Retry-After seconds',
  504: 'The query ran longer than allowed',
};

const EXAMPLES: Readonly<Record<number, object>> = {
  400: {
    type: '/api/docs/problems/invalid-request',
    title: 'Invalid request',
    detail: 'topN must be an integer from 1 to 100000',
    errors: [{ field: 'topN', rule: 'integer', message: 'topN must be an integer from 1 to 100000' }],
  },
  401: { type: '/api/docs/problems/key-unknown', title: 'Key unknown', detail: 'the API key is not known' },
  403: {
    type: '/api/docs/problems/token-scope',
    title: 'Token scope',
    detail: 'the access token has no scope admin',
  },
  404: {
    type: '/api/docs/problems/event-not-found',
    title: 'Event not found',
    detail: 'there is no event fto',
    errors: [{ field: 'eventId', rule: 'event-not-found', message: 'there is no event fto' }],
  },
  409: {
    type: '/api/docs/problems/endpoint-name-taken',
    title: 'Endpoint name taken',
    detail: 'another endpoint has this name',
  },
  412: {
    type: '/api/docs/problems/competitors-changed',
    title: 'Competitors changed',
    detail: 'the competitor list is another one by now: read it again, then replace that one',
  },
  413: {
    type: '/api/docs/problems/body-too-large',
    title: 'Body too large',
    detail: 'The body is larger than this path takes',
  },
  415: {
    type: '/api/docs/problems/unsupported-media-type',
    title: 'Unsupported media type',
    detail:
      'This path does not take a body of this type: send JSON with the header Content-Type: application/json',
  },
  422: {
    type: '/api/docs/problems/cutoff-not-met',
    title: 'Cutoff not met',
    detail: 'attemptResult: the cutoff (below 6000 in the first 2) is not met: attempt 3 cannot be entered',
    errors: [
      {
        field: 'attemptResult',
        rule: 'cutoff-not-met',
        message: 'the cutoff (below 6000 in the first 2) is not met: attempt 3 cannot be entered',
      },
    ],
  },
  429: {
    type: '/api/docs/problems/too-many-bad-keys',
    title: 'Too many bad keys',
    detail: 'Too many attempts with bad keys from this address; wait 2 s before the next',
  },
  503: { type: '/api/docs/problems/unavailable', title: 'Unavailable', detail: 'A store does not answer.' },
  504: {
    type: '/api/docs/problems/query-time',
    title: 'Query time',
    detail: 'The query ran longer than allowed.',
  },
};

/** Documents that a client may send an API key or access token, in either header, or have a session. */
export const KeyOrSession = (): ClassDecorator & MethodDecorator =>
  applyDecorators(ApiCookieAuth('session'), ApiBearerAuth(), ApiSecurity('x-api-key'));

/** The GET of a whole list at the controller's path: its summary, and what is said of the list, such as its order. */
export const GetList = (type: Type, summary: string, description: string): MethodDecorator =>
  applyDecorators(
    Get(),
    ApiOperation({ summary }),
    ApiResponse({ status: 200, type, isArray: true, description }),
  );

const readHeaders = {
  ...positionHeader,
  ETag: { description: 'Strong entity tag of these bytes', schema: { type: 'string' as const } },
  'Podium-Stale': {
    description: 'true when the reply does not show the requested position yet; else missing',
    schema: { type: 'string' as const },
  },
};

/** Documents a public read: its reply, conditional and waiting reads, its problems. Without a type the reply is a text. */
export const PublicRead = (options: {
  readonly description: string;
  readonly type?: ApiResponseOptions extends infer O ? (O extends { type?: infer T } ? T : never) : never;
  readonly isArray?: boolean;
  /** Default: JSON. */
  readonly contentType?: string;
  readonly headers?: Readonly<
    Record<string, { description: string; schema: { type: 'string' | 'integer' } }>
  >;
}): MethodDecorator =>
  applyDecorators(
    ApiProduces(options.contentType ?? 'application/json'),
    ApiHeader({
      name: 'Podium-Position',
      required: false,
      schema: { type: 'string', minLength: 1 },
      description:
        'Of an earlier reply: waits up to 2 seconds until the reply shows it, else says Podium-Stale',
    }),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: 'The ETag of the copy that the client has',
    }),
    ApiResponse({
      status: 200,
      description: options.description,
      type: options.type ?? String,
      isArray: options.isArray ?? false,
      headers: { ...readHeaders, ...options.headers },
    }),
    ApiResponse({ status: 304, description: 'The copy with this ETag is up to date' }),
    Problems(400, 404, 503),
  );
