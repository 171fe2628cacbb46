/**
 * Applies events to one generation of one projection and returns the batch to commit. Its position moves with every
 * event of the store, including types that the projection does not handle.
 */
import type { Position } from '../../event-store/event-store.js';
import type { Generation, ProjectionBatch, ReadModelStore } from '../../read-models/read-model-store.js';
import type { ProjectedEvent, Projection } from '../projection.js';
import { GenerationSession, type SessionOptions } from './session.js';

export interface GenerationWriterOptions extends SessionOptions {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly store: ReadModelStore;
}

export class GenerationWriter {
  readonly projection: Projection;
  readonly generation: Generation;
  readonly #store: ReadModelStore;
  readonly #session: GenerationSession;
  #committed: Position;
  #applied: Position;

  constructor({ projection, generation, store, ...session }: GenerationWriterOptions) {
    this.projection = projection;
    this.generation = generation;
    this.#store = store;
    this.#session = new GenerationSession(session);
    this.#committed = generation.position;
    this.#applied = generation.position;
  }

  /** The position up to which events are applied, committed or not. */
  get position(): Position {
    return this.#applied;
  }

  get changeCount(): number {
    return this.#session.changeCount;
  }

  /** `to`: every wanted event up to this position is in `events` or was applied before. */
  async apply(events: readonly ProjectedEvent[], to: Position): Promise<void> {
    if (to <= this.#applied) return;
    const first = events.findIndex(({ position }) => position > this.#applied);
    if (first >= 0) {
      const fresh = first === 0 ? events : events.slice(first);
      const condensed = this.projection.condense?.(fresh) ?? fresh;
      await this.#store.viewOf(this.generation, (view) =>
        this.#session.reading(view, () => this.#applyAll(condensed)),
      );
    }
    this.#applied = to;
  }

  /** Runs the projection's `finalize` before the first reader. Its writes belong to the last applied position. */
  async finalize(): Promise<void> {
    const session = this.#session;
    if (!session.finalizes) return;
    session.at(this.#applied);
    await this.#store.viewOf(this.generation, (view) =>
      session.reading(view, async () => this.projection.finalize?.(session)),
    );
    session.settled();
  }

  /**
   * Returns the batch to commit and the tags that it invalidates; null when the position has not moved. More events may
   * be applied during the commit. Call `markCommitted` after it, before the next call.
   */
  take(): { readonly batch: ProjectionBatch; readonly tags: ReadonlySet<string> } | null {
    if (this.#applied === this.#committed) return null;
    const { writes, tags } = this.#session.take();
    const batch = { generation: this.generation, from: this.#committed, to: this.#applied, writes };
    this.#committed = this.#applied;
    return { batch, tags };
  }

  markCommitted(): void {
    this.#session.markCommitted();
  }

  async #applyAll(events: readonly ProjectedEvent[]): Promise<void> {
    const session = this.#session;
    if (this.#store.isRemote && this.projection.prefetch) {
      await session.prefetch(this.projection.prefetch(events));
    }
    for (const event of events) {
      session.at(event.position);
      // Awaiting only promises saves a microtask for each event.
      const pending = this.projection.apply(event, session);
      if (pending) await pending;
    }
  }
}
