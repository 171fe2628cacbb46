/**
 * Word of the control events of all processes, from the moment it starts: cached aggregates behind one are read up
 * before they are used again (within 250 ms of another process's append), and listeners are called with each. When
 * the store fails it begins again by itself, where it stopped; until then aggregates do not rely on it.
 *
 * The projector of the process may hand on the control events that it reads anyway. While it does, and has read all
 * that there is, the feed has no subscription of its own. When it falls silent, the feed subscribes again, where it stopped.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { StreamNames } from '../../domain/streams.js';
import type { EventBatch, EventStore, Position, RecordedEvent } from '../event-store/event-store.js';
import { UPCASTERS, type Upcasters } from '../event-store/upcasters.js';
import type { Aggregates } from './aggregates.js';

/** The control events after `from`, up to `position`, from another reader of the event store. */
export interface HandedEvents {
  readonly from: Position;
  readonly events: readonly RecordedEvent[];
  readonly position: Position;
  /** Whether the reader has read all that there was. */
  readonly caughtUp: boolean;
}

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
  /** What `whenKnownElsewhere` waits for, milliseconds. */
  readonly knownElsewhereMs?: number;
}

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5_000;
/** Between two looks: looking after every commit would be paid for by every entry. */
const REST_MS = 25;
/** Who hands events on gives a sign about every 50 ms. After this time without one, the feed reads by itself. */
const SILENT_AFTER_MS = 200;
/** Twice the 250 ms in which another process hears of an append: what it was deciding then has been appended too. */
const KNOWN_ELSEWHERE_MS = 500;

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => undefined);

export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #listeners = new Set<EventListener>();
  #stop: AbortController | null = null;
  #running: Promise<void> = Promise.resolve();
  #position: Position | null = null;
  #isFollowing = false;
  /** When the last sign came of a reader that hands everything on. */
  #signAt = Number.NEGATIVE_INFINITY;
  /** Ends the subscription of its own that is running. */
  #ownSubscription: AbortController | null = null;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** From now on each control event is told to the listener, whichever process appended it. Returns how to end that. */
  listen(listener: EventListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the other processes have heard of all that was appended before, and have ended what they were deciding without. */
  async whenKnownElsewhere(): Promise<void> {
    await pause(this.#options.knownElsewhereMs ?? KNOWN_ELSEWHERE_MS);
  }

  /** Takes what another reader has read, until `stop`. What does not join what the feed has seen is left to its own subscription. */
  hand(handed: HandedEvents): void {
    if (this.#stop === null || this.#position === null || handed.from > this.#position) return;
    this.#tell(handed);
    if (!handed.caughtUp || !this.#isFollowing) return;
    this.#signAt = performance.now();
    this.#ownSubscription?.abort();
  }

  /**
   * Resolves when the events after this moment are followed, or the store has been found to be down. Throws when the store does not
   * tell where it ends: a feed that began later would miss what is appended until then.
   */
  async start(): Promise<void> {
    if (this.#stop) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#position ??= await this.#options.store.head();
    if (stop.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#running = this.#run(stop.signal, resolve);
    });
  }

  async stop(): Promise<void> {
    this.#stop?.abort();
    this.#stop = null;
    this.#ownSubscription?.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal, firstTry: () => void): Promise<void> {
    // Whether it subscribes only because the other reader fell silent: the store has not failed.
    let isContinued = false;
    while (!signal.aborted) {
      try {
        await this.#follow(firstTry, isContinued);
        firstTry();
        await this.#whileHanded(signal);
        isContinued = true;
      } catch (error) {
        this.#options.onError(error);
        isContinued = false;
      }
      this.#stopFollowing();
      if (isContinued) continue;
      firstTry();
      await this.#backOff(signal);
    }
  }

  /** Subscribes until `stop`, or until another reader hands on what comes next. */
  async #follow(caughtUp: () => void, isContinued: boolean): Promise<void> {
    const { store, names, types, aggregates } = this.#options;
    const filter = { streamPrefix: names.prefix, types };
    const own = new AbortController();
    const { signal } = own;
    this.#ownSubscription = own;
    try {
      for await (const batch of store.subscribe({ after: this.#position ?? 0, filter, signal })) {
        this.#tell(batch);
        this.#pauseMs = FIRST_PAUSE_MS;
        if (batch.caughtUp && !this.#isFollowing) {
          this.#isFollowing = true;
          aggregates.startFollowing({ isContinued });
          caughtUp();
        }
        if (batch.caughtUp) await rest(REST_MS, signal);
      }
    } finally {
      this.#ownSubscription = null;
    }
  }

  /** Resolves when no sign has come for too long. One that waits to be received counts. */
  async #whileHanded(signal: AbortSignal): Promise<void> {
    for (let left = SILENT_AFTER_MS; left > 0 && !signal.aborted; ) {
      await rest(left, signal);
      await nextTurn();
      left = this.#signAt + SILENT_AFTER_MS - performance.now();
    }
  }

  #stopFollowing(): void {
    this.#isFollowing = false;
    this.#options.aggregates.stopFollowing();
  }

  /** Passes over what the other reader has told before. */
  #tell({ events, position }: Pick<EventBatch, 'events' | 'position'>): void {
    const { aggregates, upcasters = UPCASTERS, onError } = this.#options;
    const seen = this.#position ?? 0;
    for (const event of events) {
      if (event.position <= seen) continue;
      aggregates.observeRevision(event);
      for (const listener of this.#listeners) {
        try {
          listener(upcasters.lift(event));
        } catch (error) {
          onError(error);
        }
      }
    }
    this.#position = Math.max(position, seen);
  }

  async #backOff(signal: AbortSignal): Promise<void> {
    const ms = this.#pauseMs * (0.5 + Math.random() / 2);
    this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    await rest(ms, signal);
  }
}
