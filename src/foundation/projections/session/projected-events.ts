/**
 * Prepares recorded events for projections: lifts them to the newest schema and parses their stream's name. Events of
 * one stream often follow each other, so parsed names are cached.
 */

import type { StreamNames, StreamSubject } from '../../../domain/streams.js';
import type { RecordedEvent } from '../../event-store/event-store.js';
import { UPCASTERS } from '../../event-store/upcasters.js';
import type { ProjectedEvent, Projection } from '../projection.js';
import { RecentMap } from './recent-map.js';

export class EventPreparation {
  readonly #names: StreamNames;
  /** The projections that handle each event type. */
  readonly #wanting = new Map<string, Projection[]>();
  readonly #subjects = new RecentMap<string, StreamSubject>(10_000);

  constructor(names: StreamNames, projections: readonly Projection[]) {
    this.#names = names;
    for (const projection of projections) {
      for (const type of projection.eventTypes) {
        const wanting = this.#wanting.get(type);
        if (wanting) wanting.push(projection);
        else this.#wanting.set(type, [projection]);
      }
    }
  }

  /** Returns the events that each projection handles, in order. Projections without any are left out. */
  prepare(events: readonly RecordedEvent[]): ReadonlyMap<Projection, readonly ProjectedEvent[]> {
    const prepared = new Map<Projection, ProjectedEvent[]>();
    for (const recorded of events) {
      const event = UPCASTERS.lift(recorded);
      const wanting = this.#wanting.get(event.type);
      if (!wanting) continue;
      const projected = { ...event, subject: this.#subjectOf(event.stream) };
      for (const projection of wanting) {
        const own = prepared.get(projection);
        if (own) own.push(projected);
        else prepared.set(projection, [projected]);
      }
    }
    return prepared;
  }

  #subjectOf(stream: string): StreamSubject {
    const known = this.#subjects.get(stream);
    if (known) return known;
    const subject = this.#names.subjectOf(stream);
    this.#subjects.set(stream, subject);
    return subject;
  }
}
