/**
 * Recorded events as projections see them: lifted to today's schema, their stream's name taken apart. A stream's
 * events come in runs, so its parsed name is kept.
 */
import type { RecordedEvent } from '../eventstore/event-store.js';
import type { StreamNames, StreamSubject } from '../eventstore/streams.js';
import { UPCASTERS } from '../eventstore/upcasters.js';
import type { ProjectedEvent, Projection } from './projection.js';
import { RecentMap } from './recent-map.js';

export class EventPreparation {
  readonly #names: StreamNames;
  readonly #wanted: ReadonlySet<string>;
  readonly #subjects = new RecentMap<string, StreamSubject>(10_000);

  constructor(names: StreamNames, projections: readonly Projection[]) {
    this.#names = names;
    this.#wanted = new Set(projections.flatMap(({ eventTypes }) => eventTypes));
  }

  /** Those that some projection wants. */
  prepare(events: readonly RecordedEvent[]): ProjectedEvent[] {
    const prepared: ProjectedEvent[] = [];
    for (const recorded of events) {
      const event = UPCASTERS.lift(recorded);
      if (this.#wanted.has(event.type)) prepared.push({ ...event, subject: this.#subjectOf(event.stream) });
    }
    return prepared;
  }

  #subjectOf(stream: string): StreamSubject {
    const known = this.#subjects.get(stream);
    if (known) return known;
    const subject = this.#names.parse(stream);
    this.#subjects.set(stream, subject);
    return subject;
  }
}
