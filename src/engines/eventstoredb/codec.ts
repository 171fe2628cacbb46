/**
 * Between an event and its record. A store may hold what others wrote, and the server's own records: what is read is
 * taken for an event of Podium only if it has the shape, so that nothing else ever reaches a decider or a projection.
 */
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type {
  EventMetadata,
  NewEvent,
  Position,
  RecordedEvent,
} from '../../foundation/event-store/event-store.js';
import { EsdbFailure } from './failures.js';
import { uuidText } from './uuids.js';

export type EventRecord = ReadResp.ReadEvent.RecordedEvent;

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

const TICKS_PER_MS = 10_000n;
const utf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

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
    data: toUtf8.encode(JSON.stringify(data)),
    metadata: toUtf8.encode(JSON.stringify(stored)),
  };
};

/** Null for what is not an event of Podium. */
export const decodeEvent = (record: EventRecord): RecordedEvent | null => {
  const fields = record.getMetadataMap();
  const type = fields.get('type') ?? '';
  if (type.startsWith('$') || fields.get('content-type') !== 'application/json') return null;
  const stored = parsed(record.getCustomMetadata_asU8());
  const metadata = metadataOf(stored);
  const data = parsed(record.getData_asU8());
  if (!metadata || typeof data !== 'object' || data === null) return null;
  return {
    id: idOf(record),
    stream: streamOf(record),
    revision: Number(record.getStreamRevision()),
    position: positionOf(record.getCommitPosition()),
    type,
    data,
    metadata,
    recordedAt: recordedAtOf(stored) ?? Number(BigInt(fields.get('created') ?? 0) / TICKS_PER_MS),
  };
};

export const streamOf = (record: EventRecord): string =>
  utf8.decode(record.getStreamIdentifier()?.getStreamName_asU8());

export const typeOf = (record: EventRecord): string => record.getMetadataMap().get('type') ?? '';

const idOf = (record: EventRecord): string => uuidText(record.getId());

/** Throws EsdbFailure where a number cannot hold it, and where the server gives none. */
export const positionOf = (text: string): Position => {
  const position = Number(text);
  if (Number.isSafeInteger(position)) return position;
  const reason =
    BigInt(text) === NO_POSITION
      ? 'it tells no positions with the events of a stream: it is older than 22.10'
      : `its position ${text} is beyond what a number holds exactly`;
  throw new EsdbFailure('refused', reason);
};

/** What servers before 22.6 send with the events of a stream. */
const NO_POSITION = 2n ** 64n - 1n;

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    return null;
  }
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
