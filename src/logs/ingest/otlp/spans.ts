/** A span of OpenTelemetry as a log entry. */
import { v5 as uuidOf } from 'uuid';
import type { JsonRecord } from '../../../foundation/log-store/sources.js';
import { nested } from './nested-attributes.js';
import { given, isoTimeOf, type OtlpEntry, spanIdOf, traceIdOf } from './otlp-entry.js';
import { attributesOf, integerOf, listOf, type Message, messageOf, nanosOf, textOf } from './otlp-fields.js';

/** Namespace of the ids of spans. Never changed: a retry would be another entry. */
const SPAN_IDS = 'c2a1e0f2-7f4b-4f0c-8a55-0b3d6e9f1a42';

/** Names by the numbers of OTLP, where 0 means that nothing is said. */
const KINDS = ['', 'internal', 'server', 'client', 'producer', 'consumer'];
const STATUS_CODES = ['', 'ok', 'error'];

export const entryOfSpan = (span: Message): OtlpEntry => {
  const start = nanosOf(span, 'startTimeUnixNano');
  const end = nanosOf(span, 'endTimeUnixNano');
  const traceId = traceIdOf(span);
  const spanId = spanIdOf(span);
  const status = messageOf(span, 'status');
  return {
    id: traceId === null || spanId === null ? null : uuidOf(`${traceId}/${spanId}`, SPAN_IDS),
    timestamp: start ?? end,
    event_message: textOf(span, 'name') ?? '',
    metadata: given({
      trace_id: traceId,
      span_id: spanId,
      parent_span_id: spanIdOf(span, 'parentSpanId'),
      trace_state: textOf(span, 'traceState'),
      kind: nameIn(KINDS, integerOf(span, 'kind')),
      end_time: isoTimeOf(end),
      duration_ms: start === null || end === null ? null : Number(end - start) / 1_000_000,
      status: given({
        code: nameIn(STATUS_CODES, integerOf(status, 'code')),
        message: textOf(status, 'message'),
      }),
      attributes: nested(attributesOf(span)),
      events: listOf(span, 'events').map(eventOf),
      links: listOf(span, 'links').map(linkOf),
    }),
  };
};

const eventOf = (event: Message): JsonRecord =>
  given({
    name: textOf(event, 'name'),
    timestamp: isoTimeOf(nanosOf(event, 'timeUnixNano')),
    attributes: nested(attributesOf(event)),
  });

const linkOf = (link: Message): JsonRecord =>
  given({
    trace_id: traceIdOf(link),
    span_id: spanIdOf(link),
    trace_state: textOf(link, 'traceState'),
    attributes: nested(attributesOf(link)),
  });

/** A number that has no name yet stays a number, as text. */
const nameIn = (names: readonly string[], code: bigint | null): string | null =>
  code === null ? null : (names[Number(code)] ?? String(code));
