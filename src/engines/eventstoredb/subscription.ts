/**
 * A filtered subscription to $all as the port promises it. The server leaves three things open, and they are settled
 * here:
 * - It tells of its progress about every 32 records, and most versions never say that they have caught up. So the end of
 *   $all is looked at when the subscription begins, and while nothing comes the few records behind the position are
 *   read: when none of them passes the filter, the position moves past them.
 * - It may deliver twice. What is not beyond the position is passed over.
 * - It drops a reader that is slow. The subscription goes on from the position. When the server itself is gone, the
 *   reader is told, and begins again from its own checkpoint when it thinks right.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type {
  EventBatch,
  EventFilter,
  Position,
  RecordedEvent,
  SubscribeOptions,
} from '../../foundation/event-store/event-store.js';
import { decodeEvent, type EventRecord, positionOf } from './codec.js';
import type { Connection } from './connection.js';
import type { EsdbClient } from './esdb-client.js';
import { EsdbFailure } from './failures.js';
import { passes } from './filters.js';
import type { EsdbReads } from './reads.js';
import { subscribeRequest } from './requests.js';
import { SubscriptionCall } from './subscription-call.js';

const DEFAULT_BATCH = 1_000;
/** Records held for a slow reader, in batches. */
const HELD_BATCHES = 2;
/** The tail that is read in one go; the server's progress leaves about 32 records open. */
const TAIL = 64;
/** How long nothing has to come before the tail is looked at; it doubles while nothing is there either. */
const FIRST_LOOK_MS = 10;
/** How long a batch is filled on the way to the end: each costs its reader more than one more event in it. */
const GATHER_MS = 10;
const FIRST_LIVE_LOOK_MS = 80;
const MAX_LOOK_MS = 500;
/** Times in a row that the server may drop the reader without having sent anything. */
const MAX_DROPS = 3;

export class Subscription {
  readonly #connection: Connection;
  readonly #reads: EsdbReads;
  readonly #filter: EventFilter;
  readonly #batchSize: number;
  readonly #signal: AbortSignal;
  #position: Position;
  /** The end of $all when the current call began. */
  #mark: Position = 0;
  #live = false;
  #saidCaughtUp = false;
  /** Since when an event is known to be there that the server has not sent. */
  #overdueSince: number | null = null;

  constructor(connection: Connection, reads: EsdbReads, options: SubscribeOptions) {
    this.#connection = connection;
    this.#reads = reads;
    this.#filter = options.filter ?? {};
    this.#batchSize = options.batchSize ?? DEFAULT_BATCH;
    this.#position = options.after;
    this.#signal = AbortSignal.any([options.signal, connection.closing]);
  }

  /** Ends without an error when the signal aborts; throws EsdbFailure. */
  async *run(): AsyncGenerator<EventBatch, void, undefined> {
    let drops = 0;
    while (!this.#signal.aborted) {
      const before = this.#position;
      try {
        yield* this.#once();
      } catch (error) {
        if (this.#signal.aborted) return;
        drops = this.#position > before ? 0 : drops + 1;
        const canGoOn = error instanceof EsdbFailure && error.kind === 'dropped' && drops <= MAX_DROPS;
        if (!canGoOn) throw error;
      }
    }
  }

  async *#once(): AsyncGenerator<EventBatch, void, undefined> {
    this.#mark = await this.#reads.head();
    this.#live = this.#position >= this.#mark;
    if (this.#live && !this.#saidCaughtUp) yield this.#batch([]);
    if (this.#position > this.#mark) {
      // From beyond its end the server would send nothing, ever.
      await this.#rest(MAX_LOOK_MS);
      return;
    }
    if (this.#signal.aborted) return;
    const { call, client } = await this.#open();
    try {
      yield* this.#follow(call);
    } catch (error) {
      if (error instanceof EsdbFailure && error.kind !== 'dropped') this.#connection.lost(client);
      throw error;
    } finally {
      call.cancel();
    }
  }

  #open(): Promise<{ readonly call: SubscriptionCall; readonly client: EsdbClient }> {
    const request = subscribeRequest(this.#position, this.#filter);
    return this.#connection.attempt(async (client) => {
      const call = new SubscriptionCall(await client.read(request), this.#batchSize * HELD_BATCHES);
      return { call, client };
    });
  }

  async *#follow(call: SubscriptionCall): AsyncGenerator<EventBatch, void, undefined> {
    let quietMs = this.#firstLook();
    while (!this.#signal.aborted) {
      if (!this.#live && !call.isEmpty) await call.wait(GATHER_MS, this.#signal, this.#batchSize);
      const batch = call.isEmpty ? await this.#whenQuiet(call, quietMs) : this.#take(call);
      quietMs = batch ? this.#firstLook() : Math.min(quietMs * 2, MAX_LOOK_MS);
      if (batch) yield batch;
    }
  }

  /** What is held, up to a batch. Null when it moves nothing. */
  #take(call: SubscriptionCall): EventBatch | null {
    const before = this.#position;
    const events: RecordedEvent[] = [];
    for (const item of call.take(this.#batchSize)) {
      switch (item.kind) {
        case 'event':
          events.push(...this.#newEvent(item.record));
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
    const news = this.#live && !this.#saidCaughtUp && call.isEmpty;
    return moved || news ? this.#batch(events, call.isEmpty) : null;
  }

  /** The event as an array of one, or of none when it came before or does not pass. */
  #newEvent(record: EventRecord): readonly RecordedEvent[] {
    const position = positionOf(record.getCommitPosition());
    if (position <= this.#position) return [];
    this.#reach(position);
    const event = passes(record, this.#filter) ? decodeEvent(record) : null;
    return event ? [event] : [];
  }

  #reach(position: Position): void {
    if (position > this.#position) this.#position = position;
    if (this.#position >= this.#mark) this.#live = true;
    this.#reads.saw(position);
  }

  #batch(events: readonly RecordedEvent[], atEnd = true): EventBatch {
    const caughtUp = this.#live && atEnd;
    this.#saidCaughtUp ||= caughtUp;
    return { events, position: this.#position, caughtUp };
  }

  /** Waits for something to come; when nothing does, looks whether the position can move by itself. */
  async #whenQuiet(call: SubscriptionCall, quietMs: number): Promise<EventBatch | null> {
    if (call.failure) throw call.failure;
    await call.wait(quietMs, this.#signal);
    if (!call.isEmpty || call.failure || this.#signal.aborted) return null;
    const tail = await this.#reads.page({
      from: this.#position || null,
      direction: 'forwards',
      count: TAIL,
      filter: null,
    });
    // What came meanwhile has to be delivered before anything behind it is passed over.
    if (!call.isEmpty || this.#signal.aborted) return null;
    return this.#passOver(tail);
  }

  #passOver(tail: readonly EventRecord[]): EventBatch | null {
    const before = this.#position;
    for (const record of tail) {
      const position = positionOf(record.getCommitPosition());
      if (position <= before) continue;
      if (passes(record, this.#filter)) {
        this.#awaitOverdue();
        break;
      }
      this.#reach(position);
    }
    return this.#position > before ? this.#batch([], tail.length < TAIL) : null;
  }

  /** An event is there and the server does not send it: for a while that is in the way of things. */
  #awaitOverdue(): void {
    const now = performance.now();
    this.#overdueSince ??= now;
    if (now - this.#overdueSince > this.#connection.timeoutMs) {
      this.#overdueSince = null;
      throw new EsdbFailure('silent', 'its subscription is silent about an event that is there');
    }
  }

  #firstLook(): number {
    return this.#live ? FIRST_LIVE_LOOK_MS : FIRST_LOOK_MS;
  }

  #rest(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.#signal, ref: false }).catch(() => undefined);
  }
}
