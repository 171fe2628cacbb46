/**
 * What Cloudflare's Logpush uploads as log entries: a record a line, of any dataset. Source: Cloudflare's documentation of
 * Logpush to HTTP destinations and of its log fields.
 */
import { v5 as uuidOf } from 'uuid';
import type { JsonRecord } from '../../foundation/log-store/sources.js';
import { isRecord, MAX_MESSAGE_LENGTH, metadataFaultOf } from './entry-rules.js';
import { entriesOf, type GivenEntry } from './log-body.js';

/** Namespace of the ids of records. Never changed: an upload that is sent again would be other entries. */
const RECORD_IDS = 'd0a1d6c9-6a1f-4b45-93f2-3c0a7f2b51e8';

/** Where the datasets have their time, in the order of precedence. */
const TIMES = [
  'EdgeStartTimestamp',
  'Datetime',
  'Timestamp',
  'EventTimestampMs',
  'When',
  'CreatedAt',
  'DetectedTimestamp',
  'SessionStartTime',
] as const;

/** Throws RejectedError `invalid-request` for a body that is no JSON. Returns none of the upload that tests a destination. */
export const cloudflareEntries = (bytes: Uint8Array): readonly GivenEntry[] => {
  const given = entriesOf(bytes, false);
  if (given.length === 1 && given[0] !== undefined && isTest(given[0].value)) return [];
  return given.map(({ value, place }) => ({ value: isRecord(value) ? entryOf(value) : value, place }));
};

const isTest = (value: unknown): boolean =>
  isRecord(value) && value.content === 'tests' && Object.keys(value).length === 1;

const entryOf = (record: JsonRecord): JsonRecord => {
  // The rules for entries refuse it, and writing it as JSON could fail.
  if (metadataFaultOf(record) !== null) return { event_message: '', metadata: record };
  return {
    // A record with the ray is that of one request or event; others may be alike.
    id: typeof record.RayID === 'string' ? uuidOf(JSON.stringify(record), RECORD_IDS) : null,
    timestamp: TIMES.map((name) => record[name] ?? null).find((time) => time !== null) ?? null,
    event_message: messageOf(record),
    metadata: record,
  };
};

/** A request as one line, as `edge_logs` has it; any other record as JSON. */
const messageOf = (record: JsonRecord): string => {
  const { ClientRequestMethod: method, EdgeResponseStatus: status, ClientIP: address } = record;
  const { ClientRequestHost: host, ClientRequestURI: uri } = record;
  const url = `${typeof host === 'string' ? host : ''}${typeof uri === 'string' ? uri : ''}`;
  const line = [method, status, address, url].filter(
    (part) => typeof part === 'number' || (typeof part === 'string' && part !== ''),
  );
  const text = method === undefined ? JSON.stringify(record) : line.join(' | ');
  return text.slice(0, MAX_MESSAGE_LENGTH);
};
