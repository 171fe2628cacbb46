/**
 * Hands the control events of the live subscription to the process's event feed, which then needs no subscription of
 * its own. An event is handed on before it is applied. While all that there is has been read, a sign says so again and again;
 * read models that are behind give none.
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
    const hand = (events: EventBatch['events']): void => {
      this.onHanded({ from, events, position: read, caughtUp });
      from = read;
    };
    let isWaiting = false;
    let hasNews = false;
    const signs = setInterval(() => {
      if (caughtUp && (isWaiting || hasNews)) hand([]);
      hasNews = false;
    }, SIGN_EVERY_MS).unref();
    try {
      for await (const batch of batches) {
        const events = batch.events.filter(({ type }) => this.#types.has(type));
        ({ position: read, caughtUp } = batch);
        isWaiting = false;
        hasNews = true;
        if (events.length > 0) hand(events);
        yield batch;
        isWaiting = true;
      }
    } finally {
      clearInterval(signs);
    }
  }
}
