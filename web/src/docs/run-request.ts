/** A request of the docs page: as a curl line, and sent to the server that the page came from. */
import { shellQuoted } from '../format.js';
import { jsonText } from './json-text.js';

export interface ExampleRequest {
  readonly method: 'GET' | 'POST';
  /** From the root of the site, query included. */
  readonly path: string;
  /** In the query too, written out so that it can be read: a `sql` or an `lql`. */
  readonly parameter?: { readonly name: string; readonly value: string };
  readonly body?: string;
  /** Sent as `x-api-key`; `variable` stands for it in the curl line. */
  readonly secret?: { readonly variable: string; readonly value: string };
}

export interface ExampleReply {
  readonly status: string;
  /** As sent: status line, headers, and the body, JSON indented. */
  readonly text: string;
  readonly isGood: boolean;
}

/** Of a body, which may be megabytes. */
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

/** Tells what came back, also where nothing did. */
export const runRequest = async (request: ExampleRequest): Promise<ExampleReply> => {
  const { method, path, parameter, body, secret } = request;
  try {
    const url = new URL(path, location.origin);
    if (url.origin !== location.origin) return failed('The path has to begin with one slash.');
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

/** Of the connection, and for other sites' scripts: they say nothing about the answer. */
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

/** As it is where it is no JSON. */
const asJson = (text: string, write: (value: unknown) => string): string => {
  try {
    return write(JSON.parse(text));
  } catch {
    return text;
  }
};
