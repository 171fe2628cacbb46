/** A log record of OpenTelemetry as a log entry. */
import { v5 as uuidOf } from 'uuid';
import type { Json } from '../../../foundation/log-store/sources.js';
import { UUID } from '../entry-rules.js';
import { nested } from './nested-attributes.js';
import { given, isoTimeOf, type OtlpEntry, spanIdOf, traceIdOf } from './otlp-entry.js';
import { attributesOf, integerOf, jsonOf, type Message, messageOf, nanosOf, textOf } from './otlp-fields.js';

/** Namespace of the ids of log records. Never changed: a retry would be another entry. */
const LOG_IDS = 'a3f1a0f4-5d53-4c0e-9f50-4c1b1d6a8e21';

export const entryOfLog = (record: Message): OtlpEntry => {
  const time = nanosOf(record, 'timeUnixNano');
  const observed = nanosOf(record, 'observedTimeUnixNano');
  const body = jsonOf(messageOf(record, 'body'));
  const eventName = textOf(record, 'eventName');
  const severity = integerOf(record, 'severityNumber');
  const attributes = attributesOf(record);
  return {
    id: idOf(attributes.get('log.record.uid')),
    timestamp: time ?? observed,
    event_message: textOfBody(body) ?? eventName ?? '',
    metadata: given({
      trace_id: traceIdOf(record),
      span_id: spanIdOf(record),
      severity_number: severity === null ? null : Number(severity),
      severity_text: textOf(record, 'severityText'),
      event_name: eventName,
      observed_timestamp: time === null ? null : isoTimeOf(observed),
      body: typeof body === 'object' ? body : null,
      attributes: nested(attributes),
    }),
  };
};

/** `uid` is the same in every copy of a record, and may be any text. */
const idOf = (uid: Json | undefined): string | null => {
  if (typeof uid !== 'string' || uid === '') return null;
  return UUID.test(uid) ? uid : uuidOf(uid, LOG_IDS);
};

const textOfBody = (body: Json): string | null =>
  body === null || typeof body === 'string' ? body : JSON.stringify(body);
