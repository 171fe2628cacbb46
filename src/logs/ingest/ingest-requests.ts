/** What the path, the query and the headers of an ingestion say of its body. */
import type { FastifyRequest } from 'fastify';
import { isLogSource, LOG_SOURCES, type LogSource } from '../../foundation/log-store/sources.js';
import type { IngestPath } from '../../http/message/paths.js';
import { FailureError } from '../../http/problems/failure.js';
import { invalidRequest } from '../../http/problems/problems.js';
import { CODINGS, type Coding } from './body-codings.js';
import type { BodyForm, OtlpForm } from './log-body.js';

export interface AnnouncedBody {
  readonly source: LogSource;
  readonly form: BodyForm;
  readonly coding: Coding;
}

/** Throws RejectedError `invalid-request`, FailureError 415. */
export const announcedBody = (path: IngestPath, request: FastifyRequest): AnnouncedBody => {
  const coding = codingOf(request);
  switch (path) {
    case '/api/logs':
      return { source: sourceOf(request), form: formOf(request), coding };
    case '/v1/logs':
    case '/v1/traces':
      return otlpBody(OTLP_SIGNALS[path], request, coding);
    default:
      return path satisfies never;
  }
};

const OTLP_SIGNALS = { '/v1/logs': 'logs', '/v1/traces': 'traces' } as const;
const OTLP_SOURCES = { logs: 'otel_logs', traces: 'otel_traces' } as const satisfies Record<
  OtlpForm['signal'],
  LogSource
>;

const otlpBody = (signal: OtlpForm['signal'], request: FastifyRequest, coding: Coding): AnnouncedBody => {
  const encoding = otlpEncodingOf(request);
  if (encoding === null)
    throw unsupported(
      `An export comes as application/x-protobuf or application/json, not as ${typeOf(request)}`,
    );
  const header = request.headers['x-source'];
  const source = header === undefined ? OTLP_SOURCES[signal] : knownSource(header, 'x-source');
  return { source, form: { signal, encoding }, coding };
};

/** Returns null for another content type. */
export const otlpEncodingOf = (request: FastifyRequest): OtlpForm['encoding'] | null => {
  const type = typeOf(request);
  if (type === 'application/x-protobuf') return 'protobuf';
  return JSON_TYPES.includes(type) ? 'json' : null;
};

/** Where senders name the source, in the order of precedence. */
const SOURCE_PARAMETERS = ['source', 'source_name', 'collection_name'] as const;

const sourceOf = ({ query, headers }: FastifyRequest): LogSource => {
  const given = new Map<string, unknown>(Object.entries(query ?? {}));
  const named = SOURCE_PARAMETERS.find((name) => given.has(name));
  if (named === undefined && headers['x-source'] !== undefined)
    return knownSource(headers['x-source'], 'x-source');
  return knownSource(given.get(named ?? 'source'), named ?? 'source');
};

const knownSource = (source: unknown, field: string): LogSource => {
  if (typeof source === 'string' && isLogSource(source)) return source;
  const message = `${field} must be one of ${Object.keys(LOG_SOURCES).join(', ')}`;
  throw invalidRequest([{ field, rule: 'source', message }]);
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

const codingOf = ({ headers }: FastifyRequest): Coding => {
  const named = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const coding = Object.hasOwn(CODINGS, named) ? CODINGS[named] : undefined;
  if (coding !== undefined) return coding;
  throw unsupported(`A body may be compressed with gzip, deflate, br or zstd, not with ${named}`);
};

const unsupported = (detail: string): FailureError =>
  new FailureError({ code: 'unsupported-media-type', status: 415, detail });
