/**
 * Lifts events of older schemas when they are read, one change of shape at a time. So deciders and projections know
 * only the newest shape, and the log is never rewritten. All code that reads an event's data reads it through here.
 * docs/extending.md says what to do when an event changes.
 */
import { type DomainEvent, domainEvent } from '../../domain/decider.js';
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
  /** The changes of each type, oldest first. A type that never changed has no entry, and its events need no lift. */
  readonly changes: ReadonlyMap<string, readonly Upcaster[]>;

  constructor(upcasters: readonly Upcaster[]) {
    const changes = new Map<string, readonly Upcaster[]>();
    for (const upcaster of [...upcasters].sort((a, b) => a.upTo - b.upTo)) {
      changes.set(upcaster.type, [...(changes.get(upcaster.type) ?? []), upcaster]);
    }
    this.changes = changes;
  }

  /** Returns the event in its newest shape; the same object when nothing has to change. */
  lift(event: RecordedEvent): RecordedEvent {
    const changes = this.changes.get(event.type);
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

  /** Returns the lifted event with its aggregate's event type. */
  domainEvent<E extends DomainEvent>(event: RecordedEvent): E {
    return domainEvent<E>(this.lift(event));
  }
}

/** Podium's upcasters. None is needed yet: every event is still in its first schema. */
export const UPCASTERS = new Upcasters([]);
