/**
 * The protobuf messages of OTLP/HTTP, with the fields that entries and replies need; other fields are ignored. Source:
 * opentelemetry-proto 1.x, and Status of google.rpc. Field names are those of OTLP's JSON.
 */
import protobuf, { type INamespace } from 'protobufjs/light.js';
import type { OtlpForm } from '../log-body.js';
import { decodedFew, message, oneOf } from '../protobuf-messages.js';

const SCHEMA: INamespace = {
  nested: {
    AnyValue: oneOf({
      stringValue: 'string 1',
      boolValue: 'bool 2',
      intValue: 'int64 3',
      doubleValue: 'double 4',
      arrayValue: 'ArrayValue 5',
      kvlistValue: 'KeyValueList 6',
      bytesValue: 'bytes 7',
    }),
    ArrayValue: message({ values: 'repeated AnyValue 1' }),
    KeyValueList: message({ values: 'repeated KeyValue 1' }),
    KeyValue: message({ key: 'string 1', value: 'AnyValue 2' }),
    Scope: message({ name: 'string 1', version: 'string 2', attributes: 'repeated KeyValue 3' }),
    Resource: message({ attributes: 'repeated KeyValue 1' }),

    LogsRequest: message({ resourceLogs: 'repeated ResourceLogs 1' }),
    ResourceLogs: message({ resource: 'Resource 1', scopeLogs: 'repeated ScopeLogs 2' }),
    ScopeLogs: message({ scope: 'Scope 1', logRecords: 'repeated LogRecord 2' }),
    LogRecord: message({
      timeUnixNano: 'fixed64 1',
      observedTimeUnixNano: 'fixed64 11',
      severityNumber: 'int32 2',
      severityText: 'string 3',
      body: 'AnyValue 5',
      attributes: 'repeated KeyValue 6',
      traceId: 'bytes 9',
      spanId: 'bytes 10',
      eventName: 'string 12',
    }),

    TracesRequest: message({ resourceSpans: 'repeated ResourceSpans 1' }),
    ResourceSpans: message({ resource: 'Resource 1', scopeSpans: 'repeated ScopeSpans 2' }),
    ScopeSpans: message({ scope: 'Scope 1', spans: 'repeated Span 2' }),
    Span: message({
      traceId: 'bytes 1',
      spanId: 'bytes 2',
      traceState: 'string 3',
      parentSpanId: 'bytes 4',
      name: 'string 5',
      kind: 'int32 6',
      startTimeUnixNano: 'fixed64 7',
      endTimeUnixNano: 'fixed64 8',
      attributes: 'repeated KeyValue 9',
      events: 'repeated SpanEvent 11',
      links: 'repeated SpanLink 13',
      status: 'SpanStatus 15',
    }),
    SpanEvent: message({ timeUnixNano: 'fixed64 1', name: 'string 2', attributes: 'repeated KeyValue 3' }),
    SpanLink: message({
      traceId: 'bytes 1',
      spanId: 'bytes 2',
      traceState: 'string 3',
      attributes: 'repeated KeyValue 4',
    }),
    SpanStatus: message({ message: 'string 2', code: 'int32 3' }),

    LogsReply: message({ partialSuccess: 'LogsPartialSuccess 1' }),
    LogsPartialSuccess: message({ rejectedLogRecords: 'int64 1', errorMessage: 'string 2' }),
    TracesReply: message({ partialSuccess: 'TracesPartialSuccess 1' }),
    TracesPartialSuccess: message({ rejectedSpans: 'int64 1', errorMessage: 'string 2' }),
    Status: message({ code: 'int32 1', message: 'string 2' }),
  },
};

const root = protobuf.Root.fromJSON(SCHEMA);

/** The messages that a body can be. */
export const OTLP_REQUESTS = {
  logs: root.lookupType('LogsRequest'),
  traces: root.lookupType('TracesRequest'),
} as const satisfies Record<OtlpForm['signal'], protobuf.Type>;

const REPLIES = { logs: root.lookupType('LogsReply'), traces: root.lookupType('TracesReply') } as const;
const STATUS = root.lookupType('Status');

/** The content types of the encodings. */
export const OTLP_TYPES = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
} as const satisfies Record<OtlpForm['encoding'], string>;

const RECORDS = { logs: root.lookupType('LogRecord'), traces: root.lookupType('Span') } as const;

/** Throws what decodedFew throws. */
export const decodedRequest = (bytes: Uint8Array, signal: OtlpForm['signal']): object =>
  decodedFew(bytes, { type: OTLP_REQUESTS[signal], entry: RECORDS[signal] });

const PARTS = {
  Resource: root.lookupType('Resource'),
  Scope: root.lookupType('Scope'),
  AnyValue: root.lookupType('AnyValue'),
} as const;

export type OtlpPart = keyof typeof PARTS;

/** Throws an Error for bytes that are not this part, or that nest more than a hundred messages. */
export const decodedPart = (bytes: Uint8Array, name: OtlpPart): object => PARTS[name].decode(bytes);

/** Returns the bytes of a message as the client encodes its own. 64-bit integers are texts in OTLP's JSON. */
const encoded = (
  type: protobuf.Type,
  encoding: OtlpForm['encoding'],
  value: Readonly<Record<string, unknown>>,
): Buffer =>
  Buffer.from(encoding === 'json' ? JSON.stringify(value) : type.encode(type.fromObject(value)).finish());

/** Returns the reply to an export. `refused`: null when all records were taken. */
export const encodedReply = (
  { signal, encoding }: OtlpForm,
  refused: { readonly count: number; readonly reason: string } | null,
): Buffer => {
  if (refused === null) return encoded(REPLIES[signal], encoding, {});
  const count = signal === 'logs' ? 'rejectedLogRecords' : 'rejectedSpans';
  const partialSuccess = { [count]: String(refused.count), errorMessage: refused.reason };
  return encoded(REPLIES[signal], encoding, { partialSuccess });
};

/** Codes of google.rpc.Status, by HTTP status. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3, // INVALID_ARGUMENT
  401: 16, // UNAUTHENTICATED
  403: 7, // PERMISSION_DENIED
  413: 8, // RESOURCE_EXHAUSTED
  415: 3,
  429: 8,
  503: 14, // UNAVAILABLE
};
const INTERNAL = 13;

/** Returns the reply to an export that failed. */
export const encodedStatus = (encoding: OtlpForm['encoding'], status: number, detail: string): Buffer =>
  encoded(STATUS, encoding, { code: RPC_CODES[status] ?? INTERNAL, message: detail });
