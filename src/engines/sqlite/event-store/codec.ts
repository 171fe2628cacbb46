/**
 * From a row to its event. The casts of the embedded store are here: the store itself has written what is read
 * (append-writer.ts).
 */
import type { EventMetadata, RecordedEvent } from '../../../foundation/event-store/event-store.js';

/** position, stream, revision, id as 32 hexadecimal digits, type, data, metadata, recorded_at */
export type EventRow = readonly [number, number, number, string, number, string, string, number];

/** The columns of an EventRow, in its order. */
export const EVENT_COLUMNS = 'position, stream, revision, lower(hex(id)), type, data, metadata, recorded_at';

type StoredMetadata = readonly [
  schema: number,
  actor: string,
  correlationId: string,
  keyId?: string | null,
  causationId?: string | null,
  accountId?: string | null,
];

const decodeMetadata = (text: string): EventMetadata => {
  const [schema, actor, correlationId, keyId, causationId, accountId] = JSON.parse(text) as StoredMetadata;
  return {
    actor,
    ...(typeof keyId === 'string' && { keyId }),
    ...(typeof accountId === 'string' && { accountId }),
    correlationId,
    ...(typeof causationId === 'string' && { causationId }),
    schema,
  };
};

const uuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

export const decodeEvent = (row: EventRow, stream: string, type: string): RecordedEvent => ({
  position: row[0],
  stream,
  revision: row[2],
  id: uuid(row[3]),
  type,
  data: JSON.parse(row[5]) as object,
  metadata: decodeMetadata(row[6]),
  recordedAt: row[7],
});
