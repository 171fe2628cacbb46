/** What the path, the query and the headers of an ingestion say of its body. */
import type { FastifyRequest } from 'fastify';
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { IngestPath } from '../../http/message/paths.js';
import { FailureError } from '../../http/problems/failure.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { knownSource } from '../known-source.js';
import { CODINGS, type Coding } from './body-codings.js';
import type { BodyForm, LogplexForm, OtlpForm } from './log-body.js';

export interface AnnouncedBody {
  readonly source: LogSource;
  readonly form: BodyForm;
  readonly coding: Coding;
}

/** `sources`: those that there are. Throws RejectedError `invalid-request`, FailureError 415. */
export const announcedBody = (
  path: IngestPath,
  request: FastifyRequest,
  sources: readonly LogSource[],
): AnnouncedBody => {
  const announced = namedBody(path, request);
  const { name, allowed, read } = knownSource(sources);
  const { field, value } = announced.source;
  const source = typeof value === 'string' ? read(value) : undefined;
  if (source !== undefined) return { ...announced, source };
  throw invalidRequest([{ field, rule: name, message: `${field} must be ${allowed}` }]);
};

/** What a request names as its source, and where. */
interface NamedSource {
  readonly field: string;
  readonly value: unknown;
}

type NamedBody = Omit<AnnouncedBody, 'source'> & { readonly source: NamedSource };

const namedBody = (path: IngestPath, request: FastifyRequest): NamedBody => {
  switch (path) {
    case '/api/logs':
      return { source: sourceOf(request), form: formOf(request), coding: codingOf(request) };
    case '/api/logs/cloudflare':
      return { source: sourceOf(request), form: { dialect: 'cloudflare' }, coding: codingOf(request) };
    case '/api/logs/logplex':
      return { source: sourceOf(request), form: logplexFormOf(request), coding: codingOf(request) };
    case '/loki/api/v1/push':
      return lokiBody(request);
    case '/v1/logs':
    case '/v1/traces':
      return otlpBody(OTLP_SIGNALS[path], request);
    default:
      return path satisfies never;
  }
};

const OTLP_SIGNALS = { '/v1/logs': 'logs', '/v1/traces': 'traces' } as const;
const OTLP_SOURCES = { logs: 'otel_logs', traces: 'otel_traces' } as const satisfies Record<
  OtlpForm['signal'],
  LogSource
>;

const otlpBody = (signal: OtlpForm['signal'], request: FastifyRequest): NamedBody => {
  const encoding = otlpEncodingOf(request);
  if (encoding === null)
    throw unsupported(
      `An export comes as application/x-protobuf or application/json, not as ${typeOf(request)}`,
    );
  const value = request.headers['x-source'] ?? OTLP_SOURCES[signal];
  const source = { field: 'x-source', value };
  return { source, form: { dialect: 'otlp', signal, encoding }, coding: codingOf(request) };
};

/** Returns null for another content type. */
export const otlpEncodingOf = (request: FastifyRequest): OtlpForm['encoding'] | null => {
  const type = typeOf(request);
  if (type === 'application/x-protobuf') return 'protobuf';
  return JSON_TYPES.includes(type) ? 'json' : null;
};

/** As Loki, takes a body without a content type as protobuf, which is always in Snappy, with or without that coding's name. */
const lokiBody = (request: FastifyRequest): NamedBody => {
  const source = sourceOf(request, 'otel_logs');
  const type = typeOf(request);
  if (JSON_TYPES.includes(type))
    return { source, form: { dialect: 'loki', encoding: 'json' }, coding: codingOf(request) };
  if (type !== '' && type !== 'application/x-protobuf')
    throw unsupported(`A push comes as application/json or application/x-protobuf, not as ${type}`);
  const coding = contentEncodingOf(request);
  if (coding !== 'identity' && coding !== 'snappy')
    throw unsupported(`A push in protobuf is compressed with Snappy, not with ${coding}`);
  return { source, form: { dialect: 'loki', encoding: 'protobuf' }, coding: 'snappy' };
};

const logplexFormOf = (request: FastifyRequest): { readonly dialect: 'logplex' } & LogplexForm => {
  const type = typeOf(request);
  if (type !== 'application/logplex-1')
    throw unsupported(`A drain sends application/logplex-1, not ${type || 'a body without a type'}`);
  const { 'logplex-msg-count': count, 'logplex-frame-id': frameId } = request.headers;
  if (count !== undefined && !/^\d{1,9}$/.test(String(count))) {
    const message = 'Logplex-Msg-Count must be the number of messages';
    throw invalidRequest([{ field: 'Logplex-Msg-Count', rule: 'logplex', message }]);
  }
  return {
    dialect: 'logplex',
    count: count === undefined ? null : Number(count),
    frameId: typeof frameId === 'string' && frameId !== '' ? frameId : null,
  };
};

/** Where senders name the source, in the order of precedence. */
const SOURCE_PARAMETERS = ['source', 'source_name', 'collection_name'] as const;

/** `otherwise`: the source when the sender names none. */
const sourceOf = ({ query, headers }: FastifyRequest, otherwise?: LogSource): NamedSource => {
  const given = new Map<string, unknown>(Object.entries(query ?? {}));
  const named = SOURCE_PARAMETERS.find((name) => given.has(name));
  if (named === undefined && headers['x-source'] !== undefined)
    return { field: 'x-source', value: headers['x-source'] };
  const field = named ?? 'source';
  return { field, value: given.get(field) ?? otherwise };
};

const JSON_TYPES: readonly string[] = ['application/json'];
const LINE_TYPES: readonly string[] = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];

const formOf = (request: FastifyRequest): 'json' | 'lines' => {
  const type = typeOf(request);
  if (LINE_TYPES.includes(type)) return 'lines';
  if (type === '' || JSON_TYPES.includes(type)) return 'json';
  throw unsupported(`Entries come as application/json or application/x-ndjson, not as ${type}`);
};

const typeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

const contentEncodingOf = ({ headers }: FastifyRequest): string =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase();

const codingOf = (request: FastifyRequest): Coding => {
  const named = contentEncodingOf(request);
  const coding = Object.hasOwn(CODINGS, named) ? CODINGS[named] : undefined;
  if (coding !== undefined) return coding;
  throw unsupported(`A body may be compressed with gzip, deflate, br or zstd, not with ${named}`);
};

const unsupported = (detail: string): FailureError =>
  new FailureError({ code: 'unsupported-media-type', status: 415, detail });
