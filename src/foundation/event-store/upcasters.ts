/**
 * Lifts events of older schemas when they are read, one change of shape at a time. So deciders and projections know
 * only the newest shape, and the log is never rewritten. All code that reads an event's data reads it through here.
 * docs/extending.md says what to do when an event changes.
 */
import type { DomainEvent } from '../../domain/decider.js';
import type { RecordedEvent } from './event-store.js';

/** One change of the shape of one event type. */
export interface Upcaster {
  readonly type: string;
  /**
   * The last schema version in which these events have the shape that `lift` takes. A version covers all events of an
   * aggregate, so most versions leave most types unchanged.
   */
  readonly upTo: number;
  readonly lift: (data: object) => object;
}

export class Upcasters {
  /** The changes of each type, oldest first. */
  readonly #changes = new Map<string, readonly Upcaster[]>();

  constructor(upcasters: readonly Upcaster[]) {
    for (const upcaster of [...upcasters].sort((a, b) => a.upTo - b.upTo)) {
      this.#changes.set(upcaster.type, [...(this.#changes.get(upcaster.type) ?? []), upcaster]);
    }
  }

  /** Returns the event in its newest shape; the same object when nothing has to change. */
  lift(event: RecordedEvent): RecordedEvent {
    const changes = this.#changes.get(event.type);
    if (!changes) return event;
    let lifted = event;
    for (const { upTo, lift } of changes) {
      const { data, metadata } = lifted;
      if (metadata.schema <= upTo) {
        lifted = { ...lifted, data: lift(data), metadata: { ...metadata, schema: upTo + 1 } };
      }
    }
    return lifted;
  }

  /** Returns the lifted event with its aggregate's event type. The cast is safe: `decide` wrote it in that type. */
  domainEvent<E extends DomainEvent>(event: RecordedEvent): E {
    const lifted: DomainEvent = this.lift(event);
    return lifted as E;
  }
}

/** Podium's upcasters. None is needed yet: every event is still in its first schema. */
export const UPCASTERS = new Upcasters([]);
