/**
 * The dashboard's only client of the API. It sends and receives JSON and throws a failure as a Problem. A read waits on the
 * server for the last change of this page. A request that is refused because the session has ended is sent again after
 * the user has signed in again.
 */

import type { FieldError } from '../../../src/domain/rejections.js';
import type { SignedInAccount } from '../../../src/foundation/operational/account.js';
import type { QueryPlace } from '../../../src/http/problems/failure.js';
import { type SignInReason, sessionEnd } from './session-end.js';

/** A refusal of the server, or code `unreachable` with status 0 when there was no reply. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  /** Each invalid field with its rule; empty when no field is invalid. */
  readonly errors: readonly FieldError[];
  /** The place of the fault in the text of a log query. */
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
/** The position of this page's last change. Later changes send it too, because another node may handle them. */
let seenPosition: string | null = null;

/** Trusts the server to send what its OpenAPI document says; `T` is taken from there. */
const jsonIn = async <T>(reply: Response): Promise<T> => (await reply.json()) as T;

/** Reads a path. `T`: its reply in the OpenAPI document. Throws Problem. */
export const getJson = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  jsonIn<T>(await read(path, signal));

interface ListPage<T> {
  readonly items: readonly T[];
  /** The path of the next page; null at the end. */
  readonly next: string | null;
}

/** Reads one page of a list, with the next page from its Link header. Throws Problem. */
export const getPage = async <T>(path: string, signal?: AbortSignal): Promise<ListPage<T>> => {
  const reply = await read(path, signal);
  const [, next = null] = /<([^>]+)>; rel="next"/.exec(reply.headers.get('Link') ?? '') ?? [];
  return { items: await jsonIn<readonly T[]>(reply), next };
};

const read = (path: string, signal?: AbortSignal): Promise<Response> =>
  request(path, { headers: positionHeader(), ...(signal && { signal }) });

const positionHeader = (): Readonly<Record<string, string>> =>
  seenPosition === null ? {} : { [POSITION]: seenPosition };

/** Sends a change. Returns the reply, or null when it has no body. Throws Problem. */
export const send = async <T = null>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> => {
  const given = body === undefined ? null : { type: 'application/json', content: JSON.stringify(body) };
  return change(method, path, given);
};

/** Sends a file as it is: the server says where it is not UTF-8, which a text would hide. Returns the reply. Throws Problem. */
export const sendFile = <T>(
  path: string,
  file: { readonly type: string; readonly bytes: ArrayBuffer },
): Promise<T> => change('POST', path, { type: file.type, content: file.bytes });

const change = async <T>(
  method: string,
  path: string,
  body: { readonly type: string; readonly content: string | ArrayBuffer } | null,
): Promise<T> => {
  const reply = await request(path, {
    method,
    headers: { ...positionHeader(), 'X-Podium-Request': '1', ...(body && { 'Content-Type': body.type }) },
    ...(body && { body: body.content }),
  });
  seenPosition = reply.headers.get(POSITION) ?? seenPosition;
  const text = await reply.text();
  return JSON.parse(text === '' ? 'null' : text);
};

/** Returns the whole reply, with its headers. A change must send `X-Podium-Request: 1`. Throws Problem. */
export const request = async (path: string, init: RequestInit): Promise<Response> => {
  try {
    return await requestOnce(path, init);
  } catch (error) {
    const reason = error instanceof Problem ? signInReasonOf(error.code) : null;
    if (!reason || !(await sessionEnd.waitForSignIn(reason, init.signal ?? null))) throw error;
    return requestOnce(path, init);
  }
};

/** The account that is signed in with this browser now; null when there is none. Throws Problem. */
export const getSignedInAccount = async (): Promise<SignedInAccount | null> => {
  try {
    return await jsonIn<SignedInAccount>(await requestOnce('/api/session', {}));
  } catch (error) {
    if (error instanceof Problem && SESSION_OVER_CODES.includes(error.code)) return null;
    throw error;
  }
};

/** `token-missing`: the code at endpoints that accept an access token too. */
const SESSION_OVER_CODES = ['session-missing', 'token-missing'];

const signInReasonOf = (code: string): SignInReason | null => {
  if (SESSION_OVER_CODES.includes(code)) return 'over';
  return code === 'sign-in-too-old' ? 'too-old' : null;
};

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

/** True for failures after which a retry can succeed. The server would refuse any other request again. */
export const isTemporary = (error: unknown): error is Problem =>
  error instanceof Problem && (error.code === 'unreachable' || error.status === 503);

const unreachable = (status: number): Problem =>
  new Problem({
    code: 'unreachable',
    status,
    detail: 'The server cannot be reached. A change may not have been saved. Try again.',
    errors: [],
    position: null,
  });

/** The replies of a proxy that does not reach the server. */
const PROXY_STATUSES = [502, 503, 504];

/** The reply of a proxy has no problem document. */
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
