/** A request of the docs page, as a curl line and as a call of this server. */
import { shellQuoted } from '../format.js';
import { jsonText } from './json-text.js';

export interface ExampleRequest {
  readonly method: 'GET' | 'POST';
  /** From the root of the site, including the query. */
  readonly path: string;
  /** A parameter of the query that is shown unencoded: `sql` or `lql`. */
  readonly parameter?: { readonly name: string; readonly value: string };
  readonly body?: string;
  /** Sent as `x-api-key`. The curl line has the shell variable instead. */
  readonly secret?: { readonly variable: string; readonly value: string };
}

export interface ExampleReply {
  readonly status: string;
  /** Status line, headers and body; JSON is indented. */
  readonly text: string;
  readonly isGood: boolean;
}

/** A body may have megabytes. */
const MAX_SHOWN_CHARACTERS = 20_000;

export const curlText = (
  origin: string,
  { method, path, parameter, body, secret }: ExampleRequest,
): string => {
  const parts = [`curl ${parameter ? '-G ' : ''}${shellQuoted(origin + path)}`];
  if (secret) parts.push(`-H "x-api-key: $${secret.variable}"`);
  if (parameter) parts.push(`--data-urlencode ${shellQuoted(`${parameter.name}=${parameter.value}`)}`);
  if (method === 'POST')
    parts.push("-H 'content-type: application/json'", `-d ${shellQuoted(onOneLine(body ?? ''))}`);
  return parts.join(' \\\n  ');
};

/** Returns the reply, or why there is none. */
export const runRequest = async (request: ExampleRequest): Promise<ExampleReply> => {
  const { method, path, parameter, body, secret } = request;
  try {
    const url = new URL(path, location.origin);
    if (url.origin !== location.origin) return failed('The path must begin with one slash.');
    if (parameter) url.searchParams.set(parameter.name, parameter.value);
    const headers = new Headers();
    if (secret && secret.value !== '') headers.set('x-api-key', secret.value);
    if (method === 'POST') headers.set('content-type', 'application/json');
    const began = performance.now();
    const reply = await fetch(url, {
      method,
      headers,
      cache: 'no-store',
      credentials: 'omit',
      ...(body !== undefined && method === 'POST' && { body }),
    });
    const text = await reply.text();
    const milliseconds = Math.round(performance.now() - began);
    const head = `${reply.status} ${reply.statusText}`.trim();
    return {
      status: `${head} in ${milliseconds} ms`,
      text: `${head}\n${headerText(reply.headers)}\n\n${bodyText(text)}`,
      isGood: reply.ok,
    };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
};

const failed = (text: string): ExampleReply => ({ status: 'Not sent', text, isGood: false });

/** Headers about the connection and for scripts of other sites: they say nothing about the reply. */
const NOT_SHOWN = /^(?:access-control-.*|connection|date|keep-alive)$/;

const headerText = (headers: Headers): string =>
  [...headers]
    .filter(([name]) => !NOT_SHOWN.test(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const bodyText = (text: string): string => {
  const shown = indented(text);
  return shown.length <= MAX_SHOWN_CHARACTERS
    ? shown
    : `${shown.slice(0, MAX_SHOWN_CHARACTERS)}\n… ${shown.length - MAX_SHOWN_CHARACTERS} more characters`;
};

const indented = (text: string): string => asJson(text, jsonText);

const onOneLine = (text: string): string => asJson(text, (value) => JSON.stringify(value));

/** Returns the text unchanged when it is not JSON. */
const asJson = (text: string, write: (value: unknown) => string): string => {
  try {
    return write(JSON.parse(text));
  } catch {
    return text;
  }
};
