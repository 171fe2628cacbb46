/**
 * The far side of the writer thread: writes what has gathered as one durable transaction, while each append keeps its own
 * expected revision and its own fate. Conditions are checked before anything is inserted, so a lost race leaves no trace and
 * costs the others nothing. Only a failure of the file itself fails all of them, and the next group starts afresh.
 */
import { type BroadcastChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';
import { messageOf } from '../../../foundation/basics/error-message.js';
import { NO_STREAM } from '../../../foundation/event-store/event-store.js';
import { WRITE_WITHIN_MS, whenUnlocked } from '../locks.js';
import { isDamage } from '../replaceable-file.js';
import { type AnswersMessage, type AppendsMessage, CLOSE, STATUS } from './append-writer.messages.js';
import { writeMeta } from './meta.js';
import { type Place, prepareAppends, prepareUnstamped } from './statements.js';

/** Known stream ids; forgotten all at once when there are more, which costs one lookup each. */
const MAX_STREAM_IDS = 100_000;

/** Commits all appends that have arrived while the last group was being written, and answers them in one message. */
export const serveAppends = (port: MessagePort, group: GroupCommit, readers: BroadcastChannel): void => {
  const serve = async (first: AppendsMessage | typeof CLOSE): Promise<void> => {
    const messages: AppendsMessage[] = [];
    let closing = false;
    let message: AppendsMessage | typeof CLOSE | undefined = first;
    while (message !== undefined) {
      if (message === CLOSE) closing = true;
      else messages.push(message);
      message = receiveMessageOnPort(port)?.message;
    }
    if (messages.length > 0) {
      port.postMessage(await group.commit(messages));
      readers.postMessage(null);
    }
    if (!closing) return;
    group.close();
    readers.close();
    port.close();
  };
  let turn = Promise.resolve();
  port.on('message', (first: AppendsMessage | typeof CLOSE) => {
    turn = turn.then(() => serve(first));
  });
};

interface Head {
  /** Null: no such stream yet. */
  streamId: number | null;
  revision: number;
  position: number;
}

interface IncomingEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  /** 0: now. */
  readonly recordedAt: number;
}

interface IncomingAppend {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly IncomingEvent[];
}

export class GroupCommit {
  readonly #database: Database.Database;
  readonly #statements: ReturnType<typeof prepareAppends>;
  readonly #streamIds = new Map<string, number>();
  readonly #typeIds = new Map<string, number>();
  /** Of the streams that the current transaction has met. */
  readonly #heads = new Map<string, Head>();
  /** The last event from before checksums. The chain begins after it. */
  readonly #chainedAfter: number;
  #position = 0;
  #chain = 0;
  #now = 0;

  /** Owns the connection from now on. */
  constructor(database: Database.Database) {
    this.#database = database;
    this.#statements = prepareAppends(database);
    this.#chainedAfter = prepareUnstamped(database)().upTo;
  }

  /** Answers every append of the messages, in their order, also when another process keeps the lock for long. */
  async commit(messages: readonly AppendsMessage[]): Promise<AnswersMessage> {
    const appends = messages.flatMap(decodeAppends);
    const answers: number[] = [];
    const begin = () => this.#statements.begin.run();
    try {
      try {
        begin();
      } catch {
        // Another process holds the lock.
        await whenUnlocked(begin, WRITE_WITHIN_MS);
      }
      const { position = 0, chain = 0 } = this.#statements.head.get() ?? {};
      this.#position = position;
      this.#chain = position === this.#chainedAfter ? 0 : (chain ?? 0);
      this.#now = Date.now();
      for (const append of appends) this.#append(append, answers);
      this.#statements.commit.run();
      return { answers, failure: null, isDamaged: false };
    } catch (error) {
      this.#forget();
      return {
        answers: appends.flatMap(() => [STATUS.FAILED, NO_STREAM, 0]),
        failure: messageOf(error),
        isDamaged: isDamage(error),
      };
    } finally {
      this.#heads.clear();
    }
  }

  close(): void {
    this.#database.close();
  }

  #append({ stream, expected, events }: IncomingAppend, answers: number[]): void {
    if (events.length === 0) {
      writeMeta(this.#database, { last_trial: String(this.#now) });
      answers.push(STATUS.APPENDED, NO_STREAM, this.#position);
      return;
    }
    const head = this.#head(stream);
    const found = head.streamId === null ? 'none' : this.#find(events, head.streamId);
    if (typeof found === 'object') {
      answers.push(STATUS.DUPLICATE, found.revision, found.position);
      return;
    }
    if (found === 'some' || expected !== head.revision) {
      answers.push(STATUS.CONFLICT, head.revision, head.position);
      return;
    }
    this.#insert(stream, head, events);
    answers.push(STATUS.APPENDED, head.revision, head.position);
  }

  /** Where the last of the events stands when all are there one after the other; else whether any of them is. */
  #find(events: readonly IncomingEvent[], streamId: number): Place | 'some' | 'none' {
    const places = events.map(({ id }) => this.#statements.find.get(id, streamId));
    const first = places[0];
    const last = places.at(-1);
    const consecutive = places.every(
      (place, index) => place && first && place.revision === first.revision + index,
    );
    if (last && consecutive) return last;
    const repeated = events.length > 1 && new Set(events.map(({ id }) => id)).size < events.length;
    return repeated || places.some(Boolean) ? 'some' : 'none';
  }

  #insert(stream: string, head: Head, events: readonly IncomingEvent[]): void {
    const streamId = head.streamId ?? this.#addStream(stream);
    for (const { id, type, data, metadata, recordedAt } of events) {
      this.#position += 1;
      head.revision += 1;
      const typeId = this.#typeIds.get(type) ?? this.#internType(type);
      const time = recordedAt || this.#now;
      // Without a spread, which costs several times the checksum here.
      const checksum = checksumOf({
        position: this.#position,
        stream,
        revision: head.revision,
        id,
        type,
        data,
        metadata,
        recordedAt: time,
      });
      this.#chain = chainOf(this.#chain, checksum);
      this.#statements.insert.run(
        this.#position,
        streamId,
        head.revision,
        id,
        typeId,
        data,
        metadata,
        time,
        checksum,
        this.#chain,
      );
    }
    head.streamId = streamId;
    head.position = this.#position;
  }

  #head(stream: string): Head {
    const known = this.#heads.get(stream);
    if (known) return known;
    const streamId = this.#streamIds.get(stream) ?? this.#statements.streamId.get(stream) ?? null;
    const place = streamId === null ? undefined : this.#statements.streamHead.get(streamId);
    const head = { streamId, revision: place?.revision ?? NO_STREAM, position: place?.position ?? 0 };
    if (streamId !== null) this.#rememberStream(stream, streamId);
    this.#heads.set(stream, head);
    return head;
  }

  #addStream(stream: string): number {
    const id = Number(this.#statements.addStream.run(stream).lastInsertRowid);
    this.#rememberStream(stream, id);
    return id;
  }

  #rememberStream(stream: string, id: number): void {
    if (this.#streamIds.size >= MAX_STREAM_IDS) this.#streamIds.clear();
    this.#streamIds.set(stream, id);
  }

  #internType(type: string): number {
    const id =
      this.#statements.typeId.get(type) ?? Number(this.#statements.addType.run(type).lastInsertRowid);
    this.#typeIds.set(type, id);
    return id;
  }

  /** Ids given by a transaction that did not happen are given again. */
  #forget(): void {
    this.#streamIds.clear();
    this.#typeIds.clear();
    if (this.#database.inTransaction) this.#statements.rollback.run();
  }
}

const decodeAppends = (message: AppendsMessage): IncomingAppend[] => {
  const appends: IncomingAppend[] = [];
  const next = message[Symbol.iterator]();
  const text = (): string => String(next.next().value);
  const number = (): number => Number(next.next().value);
  for (let index = 0; index < message.length; ) {
    const stream = text();
    const expected = number();
    const count = number();
    const events = Array.from({ length: count }, () => ({
      id: text(),
      type: text(),
      data: text(),
      metadata: text(),
      recordedAt: number(),
    }));
    appends.push({ stream, expected, events });
    index += 3 + 5 * count;
  }
  return appends;
};

// --- checksums -----------------------------------------------------------------------------------------------------

/** What the checksum covers. `id`: a UUID in lower case. `data` and `metadata`: as they are stored. */
export interface StoredEvent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
  readonly recordedAt: number;
}

/** As signed 32 bits, which SQLite keeps in four bytes. */
export const checksumOf = (event: StoredEvent): number => {
  const { position, stream, revision, id, type, data, metadata, recordedAt } = event;
  return crc32(`${position} ${stream} ${revision} ${id} ${type} ${recordedAt} ${metadata}${data}`) | 0;
};

/** `before`: the chain of the event before; 0 for the first. The factor is odd, so a changed link changes all after it. */
export const chainOf = (before: number, checksum: number): number => (Math.imul(before, 31) + checksum) | 0;
