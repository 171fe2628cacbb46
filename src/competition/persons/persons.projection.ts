/**
 * Persons as their events describe them: space, timeline of regions and merges. Names are personal data and stay in
 * the operational store.
 */

import { domainEvent } from '../../domain/decider.js';
import { movedTimeline } from '../../domain/regions.js';
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import {
  type PersonEvent,
  personEvents,
  personStream,
  type RegionPeriod,
} from '../aggregates/person/person.events.js';

/** Its id is the person id as text. */
export interface PersonDocument extends Document {
  readonly personId: number;
  readonly spaceId: string;
  readonly timeline: readonly RegionPeriod[];
  /** The person that this one was merged into. */
  readonly mergedInto: number | null;
  /** The person that this one is being merged into, until the other person's stream records the merge. */
  readonly merging: number | null;
  /** All persons merged into this one, directly or not, ascending. */
  readonly aliases: readonly number[];
}

export const persons: Collection<PersonDocument> = { name: 'persons', indexes: { merging: ['merging'] } };

export const personsProjection: Projection = {
  name: 'persons',
  version: 2,
  collections: [persons],
  eventTypes: Object.keys(personEvents),

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const personId = idIn(personStream, event.subject);
    if (personId === null) return;
    const happened = domainEvent<PersonEvent>(event);
    const before = await session.get(persons, String(personId));
    const after = await evolved(before, happened, session);
    if (after && after !== before) session.put(persons, after);
    session.touch(() => tags.person(personId));
  },
};

const evolved = async (
  person: PersonDocument | null,
  event: PersonEvent,
  session: ProjectionSession,
): Promise<PersonDocument | null> => {
  if (event.type === 'PersonRegistered') {
    const { personId, spaceId, timeline } = event.data;
    return {
      id: String(personId),
      personId,
      spaceId,
      timeline,
      mergedInto: null,
      merging: null,
      aliases: [],
    };
  }
  if (!person) return null;
  switch (event.type) {
    case 'PersonMoved':
      return { ...person, timeline: movedTimeline(person.timeline, event.data.from, event.data.regionCode) };
    case 'PersonRegionCorrected':
      return { ...person, timeline: event.data.timeline };
    case 'PersonMerged':
      return { ...person, mergedInto: event.data.into };
    case 'PersonAbsorbed': {
      const absorbed = await session.get(persons, String(event.data.personId));
      if (absorbed) session.put(persons, { ...absorbed, merging: null });
      const aliases = new Set([...person.aliases, event.data.personId, ...(absorbed?.aliases ?? [])]);
      return { ...person, aliases: [...aliases].sort((a, b) => a - b) };
    }
    case 'PersonMerging':
      return { ...person, merging: event.data.into };
    case 'PersonMergeCancelled':
      return { ...person, merging: null };
    case 'PersonProfileChanged':
    case 'PersonalBestsKnown':
    case 'PersonErased':
      return person;
    default:
      return event satisfies never;
  }
};
