/**
 * Lifts events of older schemas as they are read, one change of their shape at a time, so that deciders and projections
 * know only the newest shape and the log is never rewritten. Whoever reads events for their meaning reads them through
 * here. What has to be done when an event changes is in docs/extending.md.
 */
import type { DomainEvent } from '../../domain/decider.js';
import type { RecordedEvent } from './event-store.js';

/** One change of the shape of one event type. */
export interface Upcaster {
  readonly type: string;
  /**
   * The last schema in which these events had the shape that `lift` takes. A schema counts for all events of an aggregate, so
   * most of its versions leave most types as they were.
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

  /** The event in its newest shape; the very same object where nothing has to be done. */
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

  /** The event as the aggregate that once decided it knows it: the type is the promise of `decide`, kept by the log. */
  domainEvent<E extends DomainEvent>(event: RecordedEvent): E {
    const lifted: DomainEvent = this.lift(event);
    return lifted as E;
  }
}

/** Those of Podium. None is needed yet: every event is still in its first schema. */
export const UPCASTERS = new Upcasters([]);
