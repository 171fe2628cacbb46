/**
 * What the server sends on a subscription, in its order. The client's stream holds it until it is taken, and stops the
 * flow when it is full, so memory is bounded. The server may then drop the subscription; the failure is reported after
 * what the stream holds.
 *
 * The client reports checkpoints and "caught up" when they arrive, ahead of the events that its stream still holds. They
 * are kept here with the count of the events before them, and taken in their place.
 */
import { type AllStreamSubscription, START } from '@eventstore/db-client';
import type { EventFilter, Position } from '../../foundation/event-store/event-store.js';
import type { EsdbClient } from './client-internals.js';
import { type EventRecord, positionOf } from './codec.js';
import { EsdbFailure, failureOf } from './failures.js';
import { serverFilter } from './filters.js';

export type SubscriptionItem =
  | { readonly kind: 'event'; readonly record: EventRecord }
  /** The server has looked at everything up to here: what passed its filter has come before this item. */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** The server has sent all there was. Those before 23.10 never say so. */
  | { readonly kind: 'caught up' };

/** What is said between two events. */
interface Mark {
  /** Events before it, since the call began. */
  readonly eventsBefore: number;
  /** Null: caught up. */
  readonly checkpoint: bigint | null;
}

export interface SubscriptionCallOptions {
  /** Exclusive. 0: from the beginning. */
  readonly after: Position;
  readonly filter: EventFilter;
  /** Events that are held, twice: as they came, and decoded by the client. */
  readonly bufferSize: number;
}

export class SubscriptionCall {
  readonly #subscription: AllStreamSubscription;
  readonly #marks: Mark[] = [];
  /** Events taken since the call began. */
  #taken = 0;
  #failure: EsdbFailure | null = null;
  #wake: () => void = () => undefined;
  /** How many items `wait` waits for. */
  #wanted = 1;

  constructor(client: EsdbClient, { after, filter, bufferSize }: SubscriptionCallOptions) {
    const fromPosition = after === 0 ? START : { commit: BigInt(after), prepare: BigInt(after) };
    this.#subscription = client
      .subscribeToAll(
        {
          fromPosition,
          filter: serverFilter(filter, (_, { commit }) => this.#mark(commit)),
        },
        { highWaterMark: bufferSize },
      )
      .on('readable', () => this.#wakeWhenEnough())
      .on('caughtUp', () => this.#mark(null))
      .on('error', (error) => this.#end(failureOf(error)))
      .on('finish', () => this.#end(new EsdbFailure('unavailable', 'it ended the subscription')));
  }

  get isEmpty(): boolean {
    return this.#held === 0;
  }

  /** Why nothing follows what is held. */
  get failure(): EsdbFailure | null {
    return this.#failure;
  }

  /** Takes up to so many events, and what was said before and between them. Throws EsdbFailure. */
  take(events: number): readonly SubscriptionItem[] {
    const items: SubscriptionItem[] = [];
    this.#takeMarks(items);
    for (let left = events; left > 0; left -= 1) {
      const resolved = this.#subscription.read();
      if (resolved === null) break;
      this.#taken += 1;
      if (resolved.event) items.push({ kind: 'event', record: resolved.event });
      this.#takeMarks(items);
    }
    return items;
  }

  /** Resolves when so many items are held, on a failure, when the signal aborts, or after this time. */
  async wait(ms: number, signal: AbortSignal, items = 1): Promise<void> {
    if (this.#held >= items || this.#failure || signal.aborted) return;
    this.#wanted = items;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#wake(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', this.#wake);
        this.#wake = () => undefined;
        resolve();
      };
      signal.addEventListener('abort', this.#wake);
    });
  }

  cancel(): void {
    void this.#subscription.unsubscribe().catch(() => undefined);
  }

  get #held(): number {
    return this.#subscription.readableLength + this.#marks.length;
  }

  #mark(checkpoint: bigint | null): void {
    const eventsBefore = this.#taken + this.#subscription.readableLength;
    const last = this.#marks.at(-1);
    const isSuperseded =
      checkpoint !== null && last?.eventsBefore === eventsBefore && last.checkpoint !== null;
    if (isSuperseded) this.#marks.pop();
    this.#marks.push({ eventsBefore, checkpoint });
    this.#wakeWhenEnough();
  }

  #takeMarks(items: SubscriptionItem[]): void {
    for (let [mark] = this.#marks; mark && mark.eventsBefore <= this.#taken; [mark] = this.#marks) {
      const { checkpoint } = mark;
      items.push(
        checkpoint === null
          ? { kind: 'caught up' }
          : { kind: 'checkpoint', position: positionOf(checkpoint) },
      );
      this.#marks.shift();
    }
  }

  #wakeWhenEnough(): void {
    if (this.#held >= this.#wanted) this.#wake();
  }

  #end(failure: EsdbFailure): void {
    this.#failure ??= failure;
    this.#wake();
  }
}
