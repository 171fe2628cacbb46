/**
 * Lifts events of older schemas as they are read, one version at a time, so that deciders and projections know only
 * the newest shape and the log is never rewritten. Whoever reads events for their meaning reads them through here.
 */
import type { DomainEvent } from '../domain/decider.js';
import type { RecordedEvent } from './event-store.js';

export interface Upcaster {
  readonly type: string;
  /** The version it takes; it gives the next one. */
  readonly schema: number;
  readonly lift: (data: object) => object;
}

export class Upcasters {
  readonly #lifts = new Map<string, Upcaster['lift']>();

  constructor(upcasters: readonly Upcaster[]) {
    for (const { type, schema, lift } of upcasters) this.#lifts.set(nameOf(type, schema), lift);
  }

  /** The event in its newest schema; the very same object where nothing has to be done. */
  lift(event: RecordedEvent): RecordedEvent {
    if (this.#lifts.size === 0) return event;
    let lifted = event;
    for (;;) {
      const { type, data, metadata } = lifted;
      const lift = this.#lifts.get(nameOf(type, metadata.schema));
      if (!lift) return lifted;
      lifted = { ...lifted, data: lift(data), metadata: { ...metadata, schema: metadata.schema + 1 } };
    }
  }

  /** The event as the aggregate that once decided it knows it: the type is the promise of `decide`, kept by the log. */
  domainEvent<E extends DomainEvent>(event: RecordedEvent): E {
    const lifted: DomainEvent = this.lift(event);
    return lifted as E;
  }
}

const nameOf = (type: string, schema: number): string => `${type}/${schema}`;

/** Those of Podium. None is needed yet: every event is still in its first schema. */
export const UPCASTERS = new Upcasters([]);
