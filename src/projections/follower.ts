/**
 * What another process has made visible, and what it changed. A look is one small read while nothing moves; a node
 * that follows looks twenty times a second, which is what the 250 ms bound of other nodes' reads rests on.
 */
import type { Position } from '../eventstore/event-store.js';
import type { Generation } from '../readmodel/read-model-store.js';
import { ChangeLogReader, changesProjection } from './change-log.js';
import { type ProjectionContext, readablePosition, type StoreHead } from './projection-context.js';

/** However still it seems, everything is looked at this often: a generation may have been swapped. */
const FULL_LOOK_EVERY_MS = 1_000;

export interface Seen {
  readonly position: Position;
  /** Null: anything may have changed. */
  readonly tags: ReadonlySet<string> | null;
}

/** Where the live generations stand. */
interface Live {
  readonly numbers: string;
  readonly positions: string;
  /** Of the one furthest ahead, the ring of changes aside. */
  readonly furthest: Position;
  readonly readable: Position;
  /** Checkpoint of the ring of changes, taken after the others': it covers all that they show. Null: there is none. */
  readonly told: Position | null;
}

export class Follower {
  readonly #context: ProjectionContext;
  readonly #changes: ChangeLogReader;
  #head: StoreHead | null = null;
  #seen: Live | null = null;
  #lookedAt = 0;

  constructor(context: ProjectionContext) {
    this.#context = context;
    this.#changes = new ChangeLogReader(context.readModelStore);
  }

  /** Null when nothing has moved since the last look. */
  async look(): Promise<Seen | null> {
    const now = Date.now();
    if (now - this.#lookedAt < FULL_LOOK_EVERY_MS && (await this.#hasStoodStill())) return null;
    const before = this.#seen;
    const live = await this.#live();
    if (before && live.numbers === before.numbers && live.positions === before.positions) {
      this.#lookedAt = now;
      return null;
    }
    const tags = await this.#changedBetween(before, live);
    this.#seen = live;
    this.#lookedAt = now;
    return { position: live.readable, tags };
  }

  /** The ring's checkpoint moves with every commit, so where it stands still and covered all, so does all. */
  async #hasStoodStill(): Promise<boolean> {
    const seen = this.#seen;
    if (seen === null || seen.told === null || seen.furthest !== seen.told || seen.readable !== seen.told)
      return false;
    return (await this.#told()) === seen.told;
  }

  async #changedBetween(before: Live | null, now: Live): Promise<ReadonlySet<string> | null> {
    if (now.told === null) return null;
    if (before === null || before.told === null || now.numbers !== before.numbers) {
      await this.#changes.start();
      return null;
    }
    if (now.told > before.told) return this.#changes.between(before.told, now.told);
    // The others have only come to where the ring was already.
    return now.told === before.told && now.furthest <= now.told ? NOTHING : null;
  }

  async #live(): Promise<Live> {
    const { readModelStore, projections } = this.#context;
    const others = projections.filter((projection) => projection !== changesProjection);
    const progress = await Promise.all(others.map(({ name }) => readModelStore.progress(name)));
    const generations = progress.map(({ live }) => live);
    const ring = await this.#ring();
    const all = this.#logs() ? [...generations, ring] : generations;
    const furthest = Math.max(0, ...generations.map((live) => live?.position ?? 0));
    const head = await this.#headBeyond(Math.max(furthest, ring?.position ?? 0));
    return {
      numbers: all.map((live) => live?.number).join(),
      positions: all.map((live) => live?.position).join(),
      furthest,
      readable: Math.min(...all.map((live) => readablePosition(live, head))),
      told: ring?.position ?? null,
    };
  }

  /** Asked for again only when the read models are past what is known: then somebody has read further. */
  async #headBeyond(position: Position): Promise<StoreHead> {
    const { eventStore } = this.#context;
    if (this.#head === null || position > this.#head.head)
      this.#head = { storeId: eventStore.storeId, head: await eventStore.head() };
    return this.#head;
  }

  async #told(): Promise<Position | null> {
    return (await this.#ring())?.position ?? null;
  }

  async #ring(): Promise<Generation | null> {
    if (!this.#logs()) return null;
    return (await this.#context.readModelStore.progress(changesProjection.name)).live;
  }

  #logs(): boolean {
    return this.#context.projections.includes(changesProjection);
  }
}

const NOTHING: ReadonlySet<string> = new Set();
