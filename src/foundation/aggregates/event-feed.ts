/**
 * Word of the control events of all processes, from the moment it starts: cached aggregates behind one are read up
 * before they are used again (within 250 ms of another process's append), and listeners are called with each. When
 * the store fails it begins again by itself, where it stopped; until then aggregates do not rely on it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamNames } from '../../domain/streams.js';
import type { EventBatch, EventStore, Position, RecordedEvent } from '../event-store/event-store.js';
import { UPCASTERS, type Upcasters } from '../event-store/upcasters.js';
import type { Aggregates } from './aggregates.js';

/** Called in the order of the events; what it starts it also looks after, since the feed does not wait for it. */
export type EventListener = (event: RecordedEvent) => void;

export interface EventFeedOptions {
  readonly store: EventStore;
  /** The events of others in the same store are not listened to, whatever they are called. */
  readonly names: Pick<StreamNames, 'prefix'>;
  /** The control events of all features. */
  readonly types: readonly string[];
  readonly aggregates: Pick<Aggregates, 'observeRevision' | 'startFollowing' | 'stopFollowing'>;
  readonly upcasters?: Upcasters;
  /** A failure of the store, or of a listener; the feed goes on. */
  readonly onError: (error: unknown) => void;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5_000;
/** Between two looks: looking after every commit would be paid for by every entry. */
const REST_MS = 25;

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #listeners = new Set<EventListener>();
  #stop: AbortController | null = null;
  #running: Promise<void> = Promise.resolve();
  #position: Position | null = null;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** From now on each control event is told to the listener, whichever process appended it. Returns how to end that. */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the events after this moment are followed, or the store has been found to be down. */
  async start(): Promise<void> {
    if (this.#stop) return;
    const stop = new AbortController();
    this.#stop = stop;
    await new Promise<void>((resolve) => {
      this.#running = this.#run(stop.signal, resolve);
    });
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = null;
    await this.#running;
  }

  async #run(signal: AbortSignal, firstTry: () => void): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#follow(signal, firstTry);
      } catch (error) {
        this.#options.onError(error);
      }
      this.#options.aggregates.stopFollowing();
      firstTry();
      await this.#backOff(signal);
    }
  }

  async #follow(signal: AbortSignal, caughtUp: () => void): Promise<void> {
    const { store, names, types, aggregates } = this.#options;
    this.#position ??= await store.head();
    const filter = { streamPrefix: names.prefix, types };
    let following = false;
    for await (const batch of store.subscribe({ after: this.#position, filter, signal })) {
      this.#tell(batch);
      this.#pauseMs = FIRST_PAUSE_MS;
      if (batch.caughtUp && !following) {
        following = true;
        aggregates.startFollowing();
        caughtUp();
      }
      if (batch.caughtUp) await rest(REST_MS, signal);
    }
  }

  #tell({ events, position }: EventBatch): void {
    const { aggregates, upcasters = UPCASTERS, onError } = this.#options;
    for (const event of events) {
      aggregates.observeRevision(event);
      const lifted = upcasters.lift(event);
      for (const listener of this.#listeners) {
        try {
          listener(lifted);
        } catch (error) {
          onError(error);
        }
      }
    }
    this.#position = position;
  }

  async #backOff(signal: AbortSignal): Promise<void> {
    const ms = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    await rest(ms, signal);
  }
}
