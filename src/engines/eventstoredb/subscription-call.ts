/**
 * What the server sends on a subscription, in its order, held until it is asked for. A reader that is slow stops the
 * flow, so that memory is bounded; the server may then end the subscription, which is told after everything that came
 * before it has been taken.
 */
import type { Position } from '../../foundation/event-store/event-store.js';
import { type EventRecord, positionOf } from './codec.js';
import type { ReadCall } from './esdb-client.js';
import { EsdbFailure, failureOf } from './failures.js';
import type { ReadResponse } from './protocol.js';

export type SubscriptionItem =
  | { readonly kind: 'event'; readonly record: EventRecord }
  /** Everything up to here has been looked at: what passed the filter has come before this item. */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  /** The server has sent all there was. Those before 23.10 never say so. */
  | { readonly kind: 'caught up' };

export class SubscriptionCall {
  readonly #call: ReadCall;
  readonly #most: number;
  #items: SubscriptionItem[] = [];
  #failure: EsdbFailure | null = null;
  #wake: () => void = () => undefined;
  /** How many items have to be held for whoever waits. */
  #wanted = 1;

  /** `most`: how many items are held before the flow is stopped. */
  constructor(call: ReadCall, most: number) {
    this.#call = call;
    this.#most = most;
    call.on('data', (response) => this.#receive(response));
    call.on('error', (error) => this.#ended(failureOf(error)));
    call.on('end', () => this.#ended(new EsdbFailure('away', 'it ended the subscription')));
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** Why nothing comes after what is held. */
  get failure(): EsdbFailure | null {
    return this.#failure;
  }

  /** Takes items from the front until so many events are among them. */
  take(events: number): readonly SubscriptionItem[] {
    let left = events;
    let end = 0;
    while (end < this.#items.length && left > 0) {
      if (this.#items[end]?.kind === 'event') left -= 1;
      end += 1;
    }
    const taken = this.#items.slice(0, end);
    this.#items = this.#items.slice(end);
    if (this.#items.length < this.#most && this.#call.isPaused()) this.#call.resume();
    return taken;
  }

  /** Resolves when so many items are held, on a failure, when the signal aborts, or after this time. */
  async wait(ms: number, signal: AbortSignal, items = 1): Promise<void> {
    if (this.#items.length >= items || this.#failure || signal.aborted) return;
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
    this.#call.cancel();
  }

  #receive(response: ReadResponse): void {
    try {
      const item = itemOf(response);
      if (!item) return;
      this.#items.push(item);
      if (this.#items.length >= this.#most) this.#call.pause();
      if (this.#items.length >= this.#wanted) this.#wake();
    } catch (error) {
      this.#ended(failureOf(error));
      this.cancel();
    }
  }

  #ended(failure: EsdbFailure): void {
    this.#failure ??= failure;
    this.#wake();
  }
}

const itemOf = (response: ReadResponse): SubscriptionItem | null => {
  const record = response.getEvent()?.getEvent();
  if (record) return { kind: 'event', record };
  const checkpoint = response.getCheckpoint();
  if (checkpoint) return { kind: 'checkpoint', position: positionOf(checkpoint.getCommitPosition()) };
  return response.hasCaughtUp() ? { kind: 'caught up' } : null;
};
