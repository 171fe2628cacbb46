/**
 * Between an event and its record. A store may also hold events of other programs, and the server's own records. Only
 * a record that has the shape of a Podium event is decoded, so that no other reaches a decider or a projection. The metadata
 * holds the event's checksum, so a record that had the shape and has lost it is damaged.
 */
import { crc32 } from 'node:zlib';
import type { RecordedEvent as EventRecord } from '@eventstore/db-client';
import {
  EventDamagedError,
  type EventMetadata,
  type NewEvent,
  type Position,
  type RecordedEvent,
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
  /** Eight hexadecimal digits. Missing: the event is from before checksums. */
  readonly checksum?: string;
}

const utf8 = new TextEncoder();

export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Where an append wants its event. `revision` is null where the append names none. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number | null;
}

/** Throws TypeError where the data has no JSON. */
export const encodeEvent = (event: NewEvent, place: EventPlace): EncodedEvent => {
  const { id, type, metadata, recordedAt } = event;
  const data = utf8.encode(JSON.stringify(event.data));
  const { actor, keyId, accountId, correlationId, causationId, schema } = metadata;
  const stored: StoredMetadata = {
    $correlationId: correlationId,
    ...(causationId !== undefined && { $causationId: causationId }),
    actor,
    ...(keyId !== undefined && { keyId }),
    ...(accountId !== undefined && { accountId }),
    schema,
    ...(recordedAt !== undefined && { recordedAt }),
    checksum: checksumOf(event, place, data),
  };
  return { id, type, data, metadata: utf8.encode(JSON.stringify(stored)) };
};

/** What the checksum covers besides the place and the data. */
interface SummedEvent extends Pick<NewEvent, 'id' | 'type' | 'metadata'> {
  readonly recordedAt?: number | undefined;
}

/** `data`: its JSON, which is the same when it is parsed and written again. */
const checksumOf = (
  { id, type, metadata, recordedAt }: SummedEvent,
  { stream, revision }: EventPlace,
  data: Uint8Array | string,
): string => {
  const { actor, keyId, accountId, correlationId, causationId, schema } = metadata;
  const ids = `${actor} ${keyId} ${accountId} ${correlationId} ${causationId} ${schema}`;
  const sum = crc32(data, crc32(`${stream} ${revision} ${id} ${type} ${recordedAt} ${ids} `));
  return sum.toString(16).padStart(8, '0');
};

export interface DecodedEvent {
  readonly event: RecordedEvent;
  /** False: it is from before checksums. */
  readonly isVerified: boolean;
}

/** Null when the record is not an event of Podium. Throws EventDamagedError. */
export const decodeEvent = (record: EventRecord): RecordedEvent | null => decode(record)?.event ?? null;

/** The same, and whether it has a checksum. */
export const decode = (record: EventRecord): DecodedEvent | null => {
  const { type, isJson, data, created, streamId: stream } = record;
  if (type.startsWith('$')) return null;
  const revision = Number(record.revision);
  const stored: unknown = record.metadata;
  const metadata = metadataOf(stored);
  if (!isJson || !metadata || typeof data !== 'object' || data === null) {
    if (hasChecksum(stored)) throw new EventDamagedError(stream, revision, 'it has lost its form');
    return null;
  }
  const id = record.id.toLowerCase();
  const { recordedAt: copied, checksum } = fieldsOf(stored);
  const copiedAt = typeof copied === 'number' ? copied : undefined;
  if (checksum !== undefined) {
    const content = { id, type, metadata, recordedAt: copiedAt };
    const text = JSON.stringify(data);
    const fits = [revision, null].some(
      (named) => checksumOf(content, { stream, revision: named }, text) === checksum,
    );
    if (!fits) throw new EventDamagedError(stream, revision, 'its checksum does not fit its content');
  }
  const recordedAt = copiedAt ?? created.getTime();
  const position = recordPosition(record);
  return {
    event: { id, stream, revision, position, type, data, metadata, recordedAt },
    isVerified: checksum !== undefined,
  };
};

/** Whether Podium has written it, also where it cannot be parsed any more. */
const hasChecksum = (stored: unknown): boolean =>
  stored instanceof Uint8Array
    ? Buffer.from(stored).includes('"checksum":')
    : fieldsOf(stored).checksum !== undefined;

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

const fieldsOf = (stored: unknown): Partial<Record<keyof StoredMetadata, unknown>> =>
  typeof stored === 'object' && stored !== null ? stored : {};

const metadataOf = (stored: unknown): EventMetadata | null => {
  const { $correlationId, $causationId, actor, keyId, accountId, schema } = fieldsOf(stored);
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
