/**
 * Finds out by polling what another process has made visible, and what it changed. A poll is one small read while
 * nothing moves. The 250 ms bound for reads on other nodes depends on the poll interval.
 */
import type { ChangedTags } from '../../../domain/tags.js';
import type { Position } from '../../event-store/event-store.js';
import { ChangeLogReader, changesProjection } from './change-log.js';
import { type ProjectionContext, readablePosition, type StoreHead } from './projection-context.js';

export interface ObservedAdvance {
  readonly position: Position;
  /** Null: anything may have changed. */
  readonly tags: ChangedTags | null;
}

/** The positions of the live generations. */
interface Live {
  readonly numbers: string;
  readonly positions: string;
  readonly readable: Position;
  /** Checkpoint of the ring of changes, which covers all changes up to it. Null: there is no ring. */
  readonly ringPosition: Position | null;
}

export class Follower {
  readonly #context: ProjectionContext;
  readonly #changes: ChangeLogReader;
  #head: StoreHead | null = null;
  #seen: Live | null = null;

  constructor(context: ProjectionContext) {
    this.#context = context;
    this.#changes = new ChangeLogReader(context.readModelStore);
  }

  /** Null when nothing has moved since the last poll. */
  async poll(): Promise<ObservedAdvance | null> {
    const before = this.#seen;
    const live = await this.#live();
    if (before && live.numbers === before.numbers && live.positions === before.positions) return null;
    const tags = await this.#changedBetween(before, live);
    this.#seen = live;
    return { position: live.readable, tags };
  }

  async #changedBetween(before: Live | null, now: Live): Promise<ChangedTags | null> {
    if (now.ringPosition === null) return null;
    if (before === null || before.ringPosition === null || now.numbers !== before.numbers) {
      await this.#changes.start();
      return null;
    }
    if (now.ringPosition > before.ringPosition)
      return this.#changes.between(before.ringPosition, now.ringPosition);
    return null;
  }

  async #live(): Promise<Live> {
    const { readModelStore, projections } = this.#context;
    const progress = await readModelStore.progressOf(projections.map(({ name }) => name));
    const all = progress.map(({ live }) => live);
    const ring = progress[projections.indexOf(changesProjection)]?.live ?? null;
    const furthest = Math.max(0, ...all.map((live) => live?.position ?? 0));
    const head = await this.#headBeyond(furthest);
    return {
      numbers: all.map((live) => live?.number).join(),
      positions: all.map((live) => live?.position).join(),
      readable: Math.min(...all.map((live) => readablePosition(live, head))),
      ringPosition: ring?.position ?? null,
    };
  }

  /** Reads the head again only when the read models are past the known one. */
  async #headBeyond(position: Position): Promise<StoreHead> {
    const { eventStore } = this.#context;
    if (this.#head === null || position > this.#head.head)
      this.#head = { storeId: eventStore.storeId, head: await eventStore.head() };
    return this.#head;
  }
}
