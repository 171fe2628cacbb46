/**
 * The checks that every event store makes before it writes, so that no engine ever gets an event that it cannot store. The
 * size of an append is counted alike by every store, as EventStoreDB counts it against its `MaxAppendSize`. So what one store
 * takes, the others take too, and an installation can move between them.
 */
import type { NewEvent } from './event-store.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws TypeError. A type that begins with `$` is EventStoreDB's own. */
export const checkAppend = (stream: string, events: readonly NewEvent[]): void => {
  if (events.length === 0) throw new TypeError('there is no event to append');
  if (stream === '' || stream.startsWith('$')) throw new TypeError(`no stream is called ${stream}`);
  for (const { id, type } of events) {
    if (!UUID.test(id)) throw new TypeError(`an event's id is not a UUID in lower case: ${id}`);
    if (type === '' || type.startsWith('$')) throw new TypeError(`no event is of the type ${type}`);
  }
  if (events.length > 1 && new Set(events.map(({ id }) => id)).size < events.length) {
    throw new TypeError("an event's id stands twice in one append");
  }
};

/** Below EventStoreDB's default of 1 MiB, with room for framing. */
export const DEFAULT_MAX_APPEND_BYTES = 1_000_000;
/** The smallest limit that an operator may set, and the largest that EventStoreDB's batch call carries. */
export const MAX_APPEND_BYTES_RANGE = [700_000, 8_000_000] as const;
/** Rows of one request that fit into an append under any of these limits, also with the longest ids and teams. */
export const ROWS_THAT_FIT = 500;

/** The append was refused before anything was written. `field`: of the request, when it is known. */
export class AppendTooLargeError extends RangeError {
  constructor(
    readonly bytes: number,
    /** Null: a limit of the event store's server, which does not tell it. */
    readonly limit: number | null,
    readonly field: string | null = null,
  ) {
    super(`an append of ${bytes} bytes is larger than ${limit ?? 'the event store takes'}`);
    this.name = 'AppendTooLargeError';
  }
}

/** Names the field of the request for an AppendTooLargeError. Other errors stay as they are. Always throws. */
export const namingField =
  (field: string) =>
  (error: unknown): never => {
    throw error instanceof AppendTooLargeError
      ? new AppendTooLargeError(error.bytes, error.limit, field)
      : error;
  };

/** EventStoreDB keeps `correlationId` and `causationId` with a dollar. */
const DOLLARS = 2;
/** `,"recordedAt":1767225600000` */
const RECORDED_AT = 27;
/** `,"checksum":"0123abcd"` */
const CHECKSUM = 22;
/** EventStoreDB counts the type of an event as UTF-16. */
const BYTES_OF_CHARACTER = 2;

/** Adds up the bytes of the events of one append, and throws AppendTooLargeError once they are more than the limit. */
export class AppendSize {
  readonly #limit: number;
  #bytes = 0;
  #metadata: NewEvent['metadata'] | null = null;
  #metadataBytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** `data`: the event's data as JSON, which every store writes. */
  add({ type, metadata, recordedAt }: NewEvent, data: string | Uint8Array): void {
    if (metadata !== this.#metadata) {
      this.#metadata = metadata;
      this.#metadataBytes = Buffer.byteLength(JSON.stringify(metadata)) + DOLLARS + CHECKSUM;
    }
    this.#bytes +=
      (typeof data === 'string' ? Buffer.byteLength(data) : data.length) +
      this.#metadataBytes +
      type.length * BYTES_OF_CHARACTER +
      (recordedAt === undefined ? 0 : RECORDED_AT);
  }

  check(): void {
    if (this.#bytes > this.#limit) throw new AppendTooLargeError(this.#bytes, this.#limit);
  }
}
