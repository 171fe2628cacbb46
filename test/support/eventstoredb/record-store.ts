/**
 * The records of the test server, kept in the embedded event store: any content under any name, positions that are not
 * dense, and the deletions of streams. What is deleted is remembered in this process only.
 */
import { randomUUID } from 'node:crypto';
import { SqliteEventStore } from '../../../src/engines/sqlite/event-store/sqlite-event-store.js';
import {
  type AppendResult,
  type EventStore,
  NO_STREAM,
  type RecordedEvent,
} from '../../../src/foundation/event-store/event-store.js';

/** From one record's position to the next one's. */
const SPACING = 97;

export interface ProposedRecord {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface StoredRecord extends ProposedRecord {
  readonly stream: string;
  readonly revision: number;
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

interface Content {
  readonly id: string;
  readonly contentType: string;
  readonly data: string;
  readonly metadata: string;
}

/** What has become of a deleted stream: it may go on after `upTo`, or never again. */
type Deletion = { readonly upTo: number } | 'tombstone';

/** What a client of the server may expect of a stream. */
export type Expectation = number | 'any' | 'stream_exists';

const METADATA = { actor: 'test server', correlationId: '-', schema: 1 };

export class RecordStore {
  readonly #events: EventStore;
  readonly #deletions = new Map<string, Deletion>();
  readonly #alterations = new Map<string, (data: string) => string>();

  constructor(path: string) {
    this.#events = new SqliteEventStore(path);
  }

  /** The expectation is looked at first. Only where it is not met, the ids are. */
  async append(
    stream: string,
    expected: Expectation,
    records: readonly ProposedRecord[],
  ): Promise<AppendResult | 'deleted'> {
    for (;;) {
      const deletion = this.#deletions.get(stream);
      if (deletion === 'tombstone') return 'deleted';
      const named = expected === NO_STREAM && deletion ? deletion.upTo : expected;
      const isNamed = typeof named === 'number';
      const next = isNamed ? named : await this.#nextFor(stream, named, records);
      const result = typeof next === 'object' ? next : await this.#write(stream, next, records);
      if (result.ok) return { ...result, position: result.position * SPACING };
      if (isNamed) return this.#repetition(stream, named, records, result);
      // Another append came in between.
      if (typeof next === 'object') return result;
    }
  }

  /** Without a revision the whole stream is searched, beginning with the first id. It alone decides whether to write. */
  async #nextFor(
    stream: string,
    expected: 'any' | 'stream_exists',
    records: readonly ProposedRecord[],
  ): Promise<AppendResult | number> {
    const all = (await this.#events.readStream(inside(stream))) ?? [];
    const actual = all.at(-1)?.revision ?? NO_STREAM;
    if (expected === 'stream_exists' && actual === NO_STREAM) return { ok: false, actual };
    const found = records.map(({ id }) => all.findLast((event) => idOf(event) === id));
    if (!found[0]) return actual;
    const last = found.at(-1);
    return last && found.every(Boolean) ? answeredBefore(last) : { ok: false, actual };
  }

  /** The old answer where just these ids stand behind the expected revision. Else the conflict. */
  async #repetition(
    stream: string,
    expected: number,
    records: readonly ProposedRecord[],
    conflict: AppendResult,
  ): Promise<AppendResult> {
    const from = expected + 1;
    const there = await this.#events.readStream(inside(stream), { from, limit: records.length });
    const last = there?.at(-1);
    const isSame = records.every(({ id }, index) => there?.[index] && idOf(there[index]) === id);
    if (!last || !isSame) return conflict;
    const { position, ...answer } = answeredBefore(last);
    return { ...answer, position: position * SPACING };
  }

  /** Under ids of its own, as a real server may store an id several times. */
  #write(stream: string, expected: number, records: readonly ProposedRecord[]): Promise<AppendResult> {
    const events = records.map(({ id, type, contentType, data, metadata }) => {
      const content: Content = { id, contentType, data: base64(data), metadata: base64(metadata) };
      return { id: randomUUID(), type: inside(type), data: content, metadata: METADATA };
    });
    return this.#events.append(inside(stream), expected, events);
  }

  /** The last revision, also of a stream that was deleted. */
  async lastRevision(stream: string): Promise<number> {
    const [last] =
      (await this.#events.readStream(inside(stream), { direction: 'backwards', limit: 1 })) ?? [];
    return last?.revision ?? NO_STREAM;
  }

  /** Null: there is none, or it was deleted and has not gone on. */
  async readStream(
    stream: string,
    options: { readonly from?: number; readonly direction: 'forwards' | 'backwards'; readonly limit: number },
  ): Promise<readonly StoredRecord[] | 'deleted' | null> {
    const deletion = this.#deletions.get(stream);
    if (deletion === 'tombstone') return 'deleted';
    const all = await this.#events.readStream(inside(stream), { ...options, limit: Number.MAX_SAFE_INTEGER });
    if (!all) return null;
    const last = await this.lastRevision(stream);
    if (deletion && last === deletion.upTo) return null;
    const left = deletion ? all.filter(({ revision }) => revision > deletion.upTo) : all;
    return left.slice(0, options.limit).map(this.#stored);
  }

  /** Every record, from a position on (inclusive); null: from the beginning or the end. */
  async *readAll(from: number | null, direction: 'forwards' | 'backwards'): AsyncGenerator<StoredRecord> {
    const edge = from === null ? {} : { after: from / SPACING + (direction === 'forwards' ? -1 : 1) };
    for await (const event of this.#events.readAll({ direction, ...edge })) yield this.#stored(event);
  }

  /** Every record after a position, for ever; `atEnd` says that there is no more for now. */
  async *follow(
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly records: readonly StoredRecord[]; readonly atEnd: boolean }> {
    for await (const batch of this.#events.subscribe({ after: after / SPACING, batchSize: 200, signal })) {
      yield { records: batch.events.map(this.#stored), atEnd: batch.caughtUp };
    }
  }

  readonly #stored = (event: RecordedEvent): StoredRecord => {
    const record = storedRecord(event);
    const alter = this.#alterations.get(`${record.stream} ${record.revision}`);
    return alter ? { ...record, data: utf8.encode(alter(Buffer.from(record.data).toString())) } : record;
  };

  async head(): Promise<number> {
    return (await this.#events.head()) * SPACING;
  }

  /** Whether a record begins at the position. */
  isBoundary(position: number): boolean {
    return position % SPACING === 0;
  }

  async delete(stream: string): Promise<void> {
    const last = await this.lastRevision(stream);
    if (last !== NO_STREAM) this.#deletions.set(stream, { upTo: last });
  }

  tombstone(stream: string): void {
    this.#deletions.set(stream, 'tombstone');
  }

  /** What a real server writes about itself. */
  async addSystemRecords(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const record = { id: randomUUID(), type: '$statsCollected', contentType: 'application/json' };
      await this.append('$stats-127.0.0.1:2113', 'any', [
        { ...record, data: utf8.encode('{"proc":{}}'), metadata: new Uint8Array() },
      ]);
    }
  }

  /** From now on reads find this data in the record's place, as after a flipped bit. */
  alter(stream: string, revision: number, data: (text: string) => string): void {
    this.#alterations.set(`${stream} ${revision}`, data);
  }

  close(): Promise<void> {
    return this.#events.close();
  }
}

const utf8 = new TextEncoder();

/** A name as it is kept: the embedded store refuses those that begin with `$`, which are a server's own. */
const inside = (name: string): string => `=${name}`;
const outside = (name: string): string => name.slice(1);

// What is read was written by `append`.
const idOf = ({ data }: RecordedEvent): string => (data as Content).id;

const answeredBefore = ({ revision, position }: RecordedEvent) =>
  ({ ok: true, revision, position, duplicate: true }) as const;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64'));

const storedRecord = ({
  stream,
  revision,
  position,
  type,
  data,
  recordedAt,
}: RecordedEvent): StoredRecord => {
  // What is read was written by `append`.
  const { id, contentType, ...content } = data as Content;
  return {
    id: id.toLowerCase(),
    type: outside(type),
    contentType,
    data: bytesOf(content.data),
    metadata: bytesOf(content.metadata),
    stream: outside(stream),
    revision,
    position: position * SPACING,
    created: recordedAt,
  };
};
