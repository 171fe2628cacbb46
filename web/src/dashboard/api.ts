/**
 * The one way in which the dashboard talks to the server: JSON, what a page of this site sends along, and failures as the
 * problem documents that they come as. A read waits for what this page has changed before, and what is refused because the
 * session has ended waits until it is begun again.
 */

import type { FieldError } from '../../../src/domain/rejections.js';
import type { SignedInAccount } from '../../../src/foundation/operational/account.js';
import type { QueryPlace } from '../../../src/logs/sql/query-problem.js';
import { sessionEnd } from './session-end.js';

/** What the server refused, or that it could not be reached (`unreachable`, status 0). */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  /** Each offending field with its rule; empty when the problem is not one of fields. */
  readonly errors: readonly FieldError[];
  /** Where in the text of a log query the fault is. */
  readonly position: QueryPlace | null;

  constructor(given: Omit<Problem, keyof Error>) {
    super(given.detail);
    this.name = 'Problem';
    this.code = given.code;
    this.status = given.status;

    this.detail = given.detail;
    this.errors = given.errors;
    this.position = given.position;
  }
}

const POSITION = 'Podium-Position';
/** Of the last change. Changes are sent with it too: on another node they may look for what the one before has made. */
let seenPosition: string | null = null;

/** What the server sends is what its API's document says, which is where `T` comes from. */
const jsonIn = async <T>(reply: Response): Promise<T> => (await reply.json()) as T;

/** What the path answers. `T` is what the API's document says of it. Throws Problem. */
export const getJson = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  jsonIn<T>(await read(path, signal));

interface ListPage<T> {
  readonly items: readonly T[];
  /** The path of the next page; null at the end. */
  readonly next: string | null;
}

/** A page of a list that names the next one in its Link header. Throws Problem. */
export const getPage = async <T>(path: string, signal?: AbortSignal): Promise<ListPage<T>> => {
  const reply = await read(path, signal);
  const [, next = null] = /<([^>]+)>; rel="next"/.exec(reply.headers.get('Link') ?? '') ?? [];
  return { items: await jsonIn<readonly T[]>(reply), next };
};

const read = (path: string, signal?: AbortSignal): Promise<Response> =>
  request(path, { headers: positionHeader(), ...(signal && { signal }) });

const positionHeader = (): Readonly<Record<string, string>> =>
  seenPosition === null ? {} : { [POSITION]: seenPosition };

/** Changes something; what it answers, null where that is nothing. Throws Problem. */
export const send = async <T = null>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> => {
  const given = body === undefined ? null : { type: 'application/json', text: JSON.stringify(body) };
  return change(method, path, given);
};

/** Sends a file as it is; what it answers. Throws Problem. */
export const sendFile = <T>(
  path: string,
  file: { readonly type: string; readonly text: string },
): Promise<T> => change('POST', path, file);

const change = async <T>(
  method: string,
  path: string,
  body: { readonly type: string; readonly text: string } | null,
): Promise<T> => {
  const reply = await request(path, {
    method,
    headers: { ...positionHeader(), 'X-Podium-Request': '1', ...(body && { 'Content-Type': body.type }) },
    ...(body && { body: body.text }),
  });
  seenPosition = reply.headers.get(POSITION) ?? seenPosition;
  const text = await reply.text();
  return JSON.parse(text === '' ? 'null' : text);
};

/** The reply itself, for who needs its headers. What changes something sends `X-Podium-Request: 1`. Throws Problem. */
export const request = async (path: string, init: RequestInit): Promise<Response> => {
  try {
    return await requestOnce(path, init);
  } catch (error) {
    const isOver = error instanceof Problem && SESSION_OVER_CODES.includes(error.code);
    if (!isOver || !(await sessionEnd.waitForSignIn(init.signal ?? null))) throw error;
    return requestOnce(path, init);
  }
};

/** Who signs in with this browser now; null: nobody. Throws Problem. */
export const getSignedInAccount = async (): Promise<SignedInAccount | null> => {
  try {
    return await jsonIn<SignedInAccount>(await requestOnce('/api/session', {}));
  } catch (error) {
    if (error instanceof Problem && SESSION_OVER_CODES.includes(error.code)) return null;
    throw error;
  }
};

/** Where a token would do as well, it is a token that is missed. */
const SESSION_OVER_CODES = ['session-missing', 'token-missing'];

const requestOnce = async (path: string, init: RequestInit): Promise<Response> => {
  let reply: Response;
  try {
    reply = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable(0);
  }
  if (reply.ok) return reply;
  throw await problemIn(reply);
};

/** What the server refuses it refuses again; what it could not do now it may do soon. */
export const isTemporary = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'unreachable' || error.status === 503);

const unreachable = (status: number): Problem =>
  new Problem({
    code: 'unreachable',
    status,
    detail: 'The server cannot be reached. Nothing is known to have changed; try again.',
    errors: [],
    position: null,
  });

/** What a proxy says of a server that it does not reach. */
const PROXY_STATUSES = [502, 503, 504];

/** Whatever answered instead of the server (a proxy) has no problem document. */
const problemIn = async (reply: Response): Promise<Problem> => {
  const document: Partial<Record<string, unknown>> = await jsonIn<object>(reply).catch(() => ({}));
  const { type, detail, errors, position } = document;
  if (type === undefined && PROXY_STATUSES.includes(reply.status)) return unreachable(reply.status);
  return new Problem({
    code:
      String(type ?? 'unknown')
        .split('/')
        .at(-1) ?? 'unknown',
    status: reply.status,

    detail: typeof detail === 'string' ? detail : 'The server did not say why.',
    errors: Array.isArray(errors) ? errors : [],
    position: isPlace(position) ? position : null,
  });
};

const isPlace = (value: unknown): value is QueryPlace =>
  typeof value === 'object' && value !== null && 'offset' in value;
