/**
 * Between an event and its record. A store may also hold events of other programs, and the server's own records. Only
 * a record that has the shape of a Podium event is decoded, so that no other reaches a decider or a projection.
 */
import type { RecordedEvent as EventRecord } from '@eventstore/db-client';
import type {
  EventMetadata,
  NewEvent,
  Position,
  RecordedEvent,
} from '../../foundation/event-store/event-store.js';
import { EsdbFailure } from './failures.js';

export type { EventRecord };

/**
 * Metadata as it is stored. The two names with a dollar are EventStoreDB's own, by which its projections and its user
 * interface follow what belongs together.
 */
interface StoredMetadata {
  readonly $correlationId: string;
  readonly $causationId?: string;
  readonly actor: string;
  readonly keyId?: string;
  readonly accountId?: string;
  readonly schema: number;
  /** When another store recorded the event, where it was copied from there: milliseconds since 1970. */
  readonly recordedAt?: number;
}

const utf8 = new TextEncoder();

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Throws TypeError where the data has no JSON. */
export const encodeEvent = ({ id, type, data, metadata, recordedAt }: NewEvent): EncodedEvent => {
  const { actor, keyId, accountId, correlationId, causationId, schema } = metadata;
  const stored: StoredMetadata = {
    $correlationId: correlationId,
    ...(causationId !== undefined && { $causationId: causationId }),
    actor,
    ...(keyId !== undefined && { keyId }),
    ...(accountId !== undefined && { accountId }),
    schema,
    ...(recordedAt !== undefined && { recordedAt }),
  };
  return {
    id,
    type,
    data: utf8.encode(JSON.stringify(data)),
    metadata: utf8.encode(JSON.stringify(stored)),
  };
};

/** Null when the record is not an event of Podium. */
export const decodeEvent = (record: EventRecord): RecordedEvent | null => {
  const { type, isJson, data, created } = record;
  if (type.startsWith('$') || !isJson) return null;
  const stored: unknown = record.metadata;
  const metadata = metadataOf(stored);
  if (!metadata || typeof data !== 'object' || data === null) return null;
  return {
    id: record.id.toLowerCase(),
    stream: record.streamId,
    revision: Number(record.revision),
    position: recordPosition(record),
    type,
    data,
    metadata,
    recordedAt: recordedAtOf(stored) ?? created.getTime(),
  };
};

/** What servers before 22.6 send with the events of a stream. */
const NO_POSITION = 2n ** 64n - 1n;

/** Throws EsdbFailure when the server sends no position, or one that a number cannot hold. */
export const recordPosition = ({ position }: EventRecord): Position =>
  positionOf(position?.commit ?? NO_POSITION);

/** Throws EsdbFailure when a number cannot hold it. */
export const positionOf = (commit: bigint | string): Position => {
  const position = Number(commit);
  if (Number.isSafeInteger(position)) return position;
  const reason =
    BigInt(commit) === NO_POSITION
      ? 'it tells no positions with the events of a stream: it is older than 22.10'
      : `its position ${commit} is beyond what a number holds exactly`;
  throw new EsdbFailure('refused', reason);
};

const recordedAtOf = (stored: unknown): number | null => {
  if (typeof stored !== 'object' || stored === null) return null;
  const { recordedAt }: Partial<Record<keyof StoredMetadata, unknown>> = stored;
  return typeof recordedAt === 'number' ? recordedAt : null;
};

const metadataOf = (stored: unknown): EventMetadata | null => {
  if (typeof stored !== 'object' || stored === null) return null;
  const {
    $correlationId,
    $causationId,
    actor,
    keyId,
    accountId,
    schema,
  }: Partial<Record<keyof StoredMetadata, unknown>> = stored;
  if (typeof actor !== 'string' || typeof $correlationId !== 'string' || typeof schema !== 'number')
    return null;
  return {
    actor,
    ...(typeof keyId === 'string' && { keyId }),
    ...(typeof accountId === 'string' && { accountId }),
    correlationId: $correlationId,
    ...(typeof $causationId === 'string' && { causationId: $causationId }),
    schema,
  };
};
