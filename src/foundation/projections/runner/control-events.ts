/**
 * Hands the control events of the live subscription to the process's event feed, which then needs no subscription of
 * its own. An event is handed on before it is applied. While all that there is has been read, a sign says so again and again.
 * A subscription that is behind gives none, nor does one whose last batch is still being applied.
 */
import type { HandedEvents } from '../../aggregates/event-feed.js';
import type { EventBatch, Position } from '../../event-store/event-store.js';

const SIGN_EVERY_MS = 50;

export class ControlEvents {
  /** Called with what is handed on. */
  onHanded: (handed: HandedEvents) => void = () => undefined;
  readonly #types: ReadonlySet<string>;

  constructor(types: Iterable<string>) {
    this.#types = new Set(types);
  }

  /** The batches of a subscription that begins after this position. */
  async *in(
    batches: AsyncIterable<EventBatch>,
    after: Position,
  ): AsyncGenerator<EventBatch, void, undefined> {
    let from = after;
    let read = after;
    let caughtUp = false;
    let isWaiting = false;
    let signedAt = Number.NEGATIVE_INFINITY;
    const hand = (events: EventBatch['events']): void => {
      this.onHanded({ from, events, position: read, caughtUp });
      from = read;
      if (caughtUp) signedAt = performance.now();
    };
    const signIfWaiting = (): void => {
      if (caughtUp && isWaiting) hand([]);
    };
    // A turn later: after a long one, what has come meanwhile is read first.
    const signs = setInterval(() => setImmediate(signIfWaiting), SIGN_EVERY_MS).unref();
    try {
      for await (const batch of batches) {
        isWaiting = false;
        const events = batch.events.filter(({ type }) => this.#types.has(type));
        ({ position: read, caughtUp } = batch);
        const isSignDue = caughtUp && performance.now() - signedAt >= SIGN_EVERY_MS;
        if (events.length > 0 || isSignDue) hand(events);
        yield batch;
        isWaiting = true;
      }
    } finally {
      clearInterval(signs);
      isWaiting = false;
    }
  }
}
