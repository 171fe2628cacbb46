/** A log record of OpenTelemetry as a log entry. */
import { v5 as uuidOf } from 'uuid';
import type { Json, JsonRecord } from '../../../foundation/log-store/sources.js';
import { UUID } from '../entry-rules.js';
import { nested } from './nested-attributes.js';
import { given, isoTimeOf, type OtlpEntry, spanIdOf, traceIdOf } from './otlp-entry.js';
import { attributesOf, integerOf, jsonOf, type Message, messageOf, nanosOf, textOf } from './otlp-fields.js';

/** Namespace of the ids of log records. Never changed: a retry would be another entry. */
const LOG_IDS = 'a3f1a0f4-5d53-4c0e-9f50-4c1b1d6a8e21';

/** The attribute that is the id of a record. */
export const RECORD_ID = 'log.record.uid';

/** What a record has beside its attributes; null: not given. Times are nanoseconds since 1970. */
export interface LogFields {
  time: bigint | null;
  observed: bigint | null;
  severity: bigint | null;
  severityText: string | null;
  eventName: string | null;
  traceId: string | null;
  spanId: string | null;
  body: Json;
}

export const entryOfLog = (record: Message): OtlpEntry => {
  const fields: LogFields = {
    time: nanosOf(record, 'timeUnixNano'),
    observed: nanosOf(record, 'observedTimeUnixNano'),
    body: jsonOf(messageOf(record, 'body')),
    eventName: textOf(record, 'eventName'),
    severity: integerOf(record, 'severityNumber'),
    severityText: textOf(record, 'severityText'),
    traceId: traceIdOf(record),
    spanId: spanIdOf(record),
  };
  const attributes = attributesOf(record);
  return {
    id: idOf(attributes.get(RECORD_ID)),
    timestamp: fields.time ?? fields.observed,
    event_message: messageOfLog(fields),
    metadata: { ...metadataOf(fields), ...given({ attributes: nested(attributes) }) },
  };
};

/** Returns the metadata without the attributes. */
export const metadataOf = (fields: LogFields): JsonRecord => {
  const { traceId, spanId, severity, severityText, eventName, time, observed, body } = fields;
  return given({
    trace_id: traceId,
    span_id: spanId,
    severity_number: severity === null ? null : Number(severity),
    severity_text: severityText,
    event_name: eventName,
    observed_timestamp: time === null ? null : isoTimeOf(observed),
    body: typeof body === 'object' ? body : null,
  });
};

/** `uid` is the same in every copy of a record, and may be any text. */
export const idOf = (uid: Json | undefined): string | null => {
  if (typeof uid !== 'string' || uid === '') return null;
  return UUID.test(uid) ? uid : uuidOf(uid.toWellFormed(), LOG_IDS);
};

export const messageOfLog = ({ body, eventName }: Pick<LogFields, 'body' | 'eventName'>): string => {
  if (body === null) return eventName ?? '';
  return typeof body === 'string' ? body : JSON.stringify(body);
};
