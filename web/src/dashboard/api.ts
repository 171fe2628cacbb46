/**
 * The one way in which the dashboard talks to the server: JSON, what a page of this site sends along, and failures as the
 * problem documents that they come as. A read waits for what this page has changed before.
 */
import type { FieldError } from '../../../src/domain/rejections.js';
import type { QueryPlace } from '../../../src/logs/sql/query-problem.js';

/** What the server refused, or that it could not be reached (`unreachable`, status 0). */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** Each offending field with its rule; empty when the problem is not one of fields. */
  readonly errors: readonly FieldError[];
  /** Where in the text of a log query the fault is. */
  readonly position: QueryPlace | null;
  /** Seconds after which the same may be tried again. */
  readonly retryAfter: number | null;

  constructor(given: Omit<Problem, keyof Error>) {
    super(given.detail);
    this.name = 'Problem';
    this.code = given.code;
    this.status = given.status;
    this.title = given.title;
    this.detail = given.detail;
    this.errors = given.errors;
    this.position = given.position;
    this.retryAfter = given.retryAfter;
  }
}

const POSITION = 'Podium-Position';
let seenPosition: string | null = null;

/** What the path answers. `T` is what the API's document says of it. Throws Problem. */
export const getJson = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await read(path, signal)).json();

export interface ListPage<T> {
  readonly items: readonly T[];
  /** The path of the next page; null at the end. */
  readonly next: string | null;
}

/** A page of a list that names the next one in its Link header. Throws Problem. */
export const getPage = async <T>(path: string, signal?: AbortSignal): Promise<ListPage<T>> => {
  const reply = await read(path, signal);
  const [, next = null] = /<([^>]+)>; rel="next"/.exec(reply.headers.get('Link') ?? '') ?? [];
  return { items: await reply.json(), next };
};

const read = (path: string, signal?: AbortSignal): Promise<Response> =>
  ask(path, {
    headers: seenPosition === null ? {} : { [POSITION]: seenPosition },
    ...(signal && { signal }),
  });

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
  const reply = await ask(path, {
    method,
    headers: { 'X-Podium-Request': '1', ...(body && { 'Content-Type': body.type }) },
    ...(body && { body: body.text }),
  });
  seenPosition = reply.headers.get(POSITION) ?? seenPosition;
  const text = await reply.text();
  return JSON.parse(text === '' ? 'null' : text);
};

/** The reply itself, for who needs its headers. What changes something sends `X-Podium-Request: 1`. Throws Problem. */
export const ask = async (path: string, init: RequestInit): Promise<Response> => {
  let reply: Response;
  try {
    reply = await fetch(path, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
  if (reply.ok) return reply;
  const problem = await problemIn(reply);
  if (problem.code === 'session-missing') signInAgain();
  throw problem;
};

/** The session has ended meanwhile: back here after signing in. */
const signInAgain = (): void => {
  const to = new URLSearchParams({ to: location.pathname + location.search });
  location.assign(`/sign-in?${to}`);
};

const unreachable = (): Problem =>
  new Problem({
    code: 'unreachable',
    status: 0,
    title: 'No connection',
    detail: 'The server cannot be reached. Nothing is known to have changed; try again.',
    errors: [],
    position: null,
    retryAfter: null,
  });

/** Whatever answered instead of the server (a proxy) has no problem document. */
const problemIn = async (reply: Response): Promise<Problem> => {
  const retryAfter = Number(reply.headers.get('Retry-After')) || null;
  const document: Partial<Record<string, unknown>> = await reply.json().catch(() => ({}));
  const { type, title, detail, errors, position } = document;
  return new Problem({
    code:
      String(type ?? 'unknown')
        .split('/')
        .at(-1) ?? 'unknown',
    status: reply.status,
    title: typeof title === 'string' ? title : `Status ${reply.status}`,
    detail: typeof detail === 'string' ? detail : 'The server did not say why.',
    errors: Array.isArray(errors) ? errors : [],
    position: isPlace(position) ? position : null,
    retryAfter,
  });
};

const isPlace = (value: unknown): value is QueryPlace =>
  typeof value === 'object' && value !== null && 'offset' in value;
