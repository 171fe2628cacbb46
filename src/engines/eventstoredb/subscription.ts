/**
 * A filtered subscription to $all as the port promises it. The server leaves three things open, which are settled here:
 * - It sends a checkpoint about every 32 records, and versions before 23.10 never say that a subscription has caught up.
 *   So the subscription reads the end of $all when it begins. While nothing comes, it reads the few records behind its
 *   position; when none of them passes the filter, the position moves past them.
 * - It may deliver an event twice. The subscription ignores what is not beyond its position.
 * - It drops a reader that leaves a few dozen live events unread. The subscription then reads pages from its position, and
 *   subscribes again once it is near the end. When the server itself is gone, the subscription ends with an error, and its reader
 *   begins again from the reader's own checkpoint.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { FORWARDS } from '@eventstore/db-client';
import { type JoinedSignal, joinSignals } from '../../foundation/basics/joined-signal.js';
import type {
  EventBatch,
  EventFilter,
  ForeignRecord,
  Position,
  RecordedEvent,
  SubscribeOptions,
} from '../../foundation/event-store/event-store.js';
import type { EsdbClient } from './client-internals.js';
import { decodeEvent, type EventRecord, recordPosition } from './codec.js';
import type { Connection } from './connection.js';
import { EsdbFailure } from './failures.js';
import { passes } from './filters.js';
import type { EsdbReads } from './reads.js';
import { SubscriptionCall } from './subscription-call.js';

const DEFAULT_BATCH = 1_000;
/** Records behind the position that are read at once. The server's checkpoints leave about 32 open. */
const TAIL_RECORDS = 64;
/** Records of a page while the subscription reads pages, and how few have to be left before it subscribes again. */
const PAGE_RECORDS = 500;
const NEAR_RECORDS = 16;
/** How long nothing has to come before the tail is read. It doubles while the tail moves nothing. */
const MIN_QUIET_MS = 10;
const MIN_LIVE_QUIET_MS = 80;
const MAX_QUIET_MS = 500;
/** How long a batch is filled before the end is reached: each batch costs its reader more than an event in it. */
const GATHER_MS = 10;
/** Times in a row that the server may drop the reader without having sent anything. */
const MAX_DROPS = 3;

export class Subscription {
  readonly #connection: Connection;
  readonly #reads: EsdbReads;
  readonly #filter: EventFilter;
  readonly #batchSize: number;
  readonly #joined: JoinedSignal;
  readonly #signal: AbortSignal;
  #position: Position;
  /** The end of $all when the current call began. */
  #mark: Position = 0;
  #live = false;
  #hasSaidCaughtUp = false;
  #wasDropped = false;
  /** Since when the server has not sent an event that a read has shown. */
  #overdueSince: number | null = null;
  /** Met since the last batch. */
  #foreign: ForeignRecord[] = [];
  /** Thrown when the events before the damaged one are delivered. */
  #damage: unknown = null;

  constructor(connection: Connection, reads: EsdbReads, options: SubscribeOptions) {
    this.#connection = connection;
    this.#reads = reads;
    this.#filter = options.filter ?? {};
    this.#batchSize = options.batchSize ?? DEFAULT_BATCH;
    this.#position = options.after;
    this.#joined = joinSignals(options.signal, connection.closing);
    this.#signal = this.#joined.signal;
  }

  /** Ends without an error when the signal aborts. Throws EsdbFailure. */
  async *run(): AsyncGenerator<EventBatch, void, undefined> {
    try {
      yield* this.#resumed();
    } finally {
      this.#joined.release();
    }
  }

  async *#resumed(): AsyncGenerator<EventBatch, void, undefined> {
    let drops = 0;
    while (!this.#signal.aborted) {
      const before = this.#position;
      try {
        yield* this.#once();
      } catch (error) {
        if (this.#signal.aborted) return;
        drops = this.#position > before ? 0 : drops + 1;
        const canResume = error instanceof EsdbFailure && error.kind === 'dropped' && drops <= MAX_DROPS;
        if (!canResume) throw error;
        this.#wasDropped = true;
      }
    }
  }

  async *#once(): AsyncGenerator<EventBatch, void, undefined> {
    this.#mark = await this.#reads.head();
    this.#live = this.#position >= this.#mark;
    if (this.#live && !this.#hasSaidCaughtUp) yield this.#batch([]);
    if (this.#position > this.#mark) {
      // From beyond its end the server would send nothing, ever.
      await this.#rest(MAX_QUIET_MS);
      return;
    }
    if (this.#wasDropped) yield* this.#pages();
    this.#wasDropped = false;
    if (this.#signal.aborted) return;
    const { call, client } = await this.#open();
    try {
      yield* this.#follow(call);
    } catch (error) {
      if (error instanceof EsdbFailure && error.kind !== 'dropped') this.#connection.reportLost(client);
      throw error;
    } finally {
      call.cancel();
    }
  }

  /** Reads as fast as its reader takes the batches, until few records are left. */
  async *#pages(): AsyncGenerator<EventBatch, void, undefined> {
    const size = Math.min(PAGE_RECORDS, this.#batchSize);
    for (let left = size; left === size || left > NEAR_RECORDS; ) {
      if (this.#damage !== null) throw this.#damage;
      // One more, as the server begins with the record at the position itself.
      const page = await this.#reads.page({
        from: this.#position || null,
        direction: FORWARDS,
        count: size + 1,
      });
      if (this.#signal.aborted) return;
      const fresh = page.filter((record) => recordPosition(record) > this.#position).slice(0, size);
      const events: RecordedEvent[] = [];
      left = fresh.length;
      const isWhole = fresh.every((record) => this.#add(events, record));
      if (left > 0) yield this.#batch(events, isWhole && left < size);
    }
    if (this.#damage !== null) throw this.#damage;
  }

  #open(): Promise<{ readonly call: SubscriptionCall; readonly client: EsdbClient }> {
    const options = { after: this.#position, filter: this.#filter, bufferSize: this.#batchSize };
    return this.#connection.attempt(async (client) => ({
      call: new SubscriptionCall(client, options),
      client,
    }));
  }

  async *#follow(call: SubscriptionCall): AsyncGenerator<EventBatch, void, undefined> {
    let quietMs = this.#minQuietMs();
    while (!this.#signal.aborted) {
      if (this.#damage !== null) throw this.#damage;
      if (!this.#live && !call.isEmpty) await call.wait(GATHER_MS, this.#signal, this.#batchSize);
      const batch = call.isEmpty ? await this.#whenQuiet(call, quietMs) : this.#take(call);
      quietMs = batch ? this.#minQuietMs() : Math.min(quietMs * 2, MAX_QUIET_MS);
      if (batch) yield batch;
    }
  }

  /** Takes what the call holds, up to a batch. Null when it moves nothing. */
  #take(call: SubscriptionCall): EventBatch | null {
    const before = this.#position;
    const events: RecordedEvent[] = [];
    for (const item of call.take(this.#batchSize)) {
      switch (item.kind) {
        case 'event':
          if (!this.#add(events, item.record)) return this.#batch(events, false);
          break;
        case 'checkpoint':
          this.#reach(item.position);
          break;
        case 'caught up':
          this.#live = true;
          break;
        default:
          item satisfies never;
      }
    }
    this.#overdueSince = null;
    const moved = this.#position > before;
    const news = this.#live && !this.#hasSaidCaughtUp && call.isEmpty;
    return moved || news ? this.#batch(events, call.isEmpty) : null;
  }

  /** False: the record is damaged, which is thrown when the events before it are delivered. */
  #add(events: RecordedEvent[], record: EventRecord): boolean {
    try {
      events.push(...this.#newEvent(record));
      return true;
    } catch (error) {
      if (events.length === 0) throw error;
      this.#damage = error;
      return false;
    }
  }

  /** The event as an array of one. Empty when it came before, or does not pass the filter. Throws EventDamagedError. */
  #newEvent(record: EventRecord): readonly RecordedEvent[] {
    const position = recordPosition(record);
    if (position <= this.#position) return [];
    const isWanted = passes(record, this.#filter);
    const event = isWanted ? decodeEvent(record) : null;
    if (isWanted && !event) this.#foreign.push({ stream: record.streamId, position });
    this.#reach(position);
    return event ? [event] : [];
  }

  #reach(position: Position): void {
    if (position > this.#position) this.#position = position;
    if (this.#position >= this.#mark) this.#live = true;
    this.#reads.observe(position);
  }

  #batch(events: readonly RecordedEvent[], atEnd = true): EventBatch {
    const caughtUp = this.#live && atEnd;
    this.#hasSaidCaughtUp ||= caughtUp;
    const foreign = this.#foreign;
    this.#foreign = [];
    return { events, position: this.#position, caughtUp, ...(foreign.length > 0 && { foreign }) };
  }

  /** Waits for an item. When none comes, reads the tail and moves the position where it can. */
  async #whenQuiet(call: SubscriptionCall, quietMs: number): Promise<EventBatch | null> {
    if (call.failure) throw call.failure;
    await call.wait(quietMs, this.#signal);
    if (!call.isEmpty || call.failure || this.#signal.aborted) return null;
    const tail = await this.#reads.page({
      from: this.#position || null,
      direction: FORWARDS,
      count: TAIL_RECORDS,
    });
    // Items that came meanwhile are delivered first.
    if (!call.isEmpty || this.#signal.aborted) return null;
    return this.#passOver(tail);
  }

  /** Moves the position up to the first record that passes the filter. Null when it does not move. */
  #passOver(tail: readonly EventRecord[]): EventBatch | null {
    const before = this.#position;
    for (const record of tail) {
      const position = recordPosition(record);
      if (position <= before) continue;
      if (passes(record, this.#filter)) {
        this.#awaitOverdue();
        break;
      }
      this.#reach(position);
    }
    return this.#position > before ? this.#batch([], tail.length < TAIL_RECORDS) : null;
  }

  /** The server has not sent an event that is there, which may take a while. Throws when it takes too long. */
  #awaitOverdue(): void {
    const now = performance.now();
    this.#overdueSince ??= now;
    if (now - this.#overdueSince > this.#connection.timeoutMs) {
      this.#overdueSince = null;
      throw new EsdbFailure('no answer', 'its subscription is silent about an event that is there');
    }
  }

  #minQuietMs(): number {
    return this.#live ? MIN_LIVE_QUIET_MS : MIN_QUIET_MS;
  }

  #rest(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.#signal, ref: false }).catch(() => undefined);
  }
}
