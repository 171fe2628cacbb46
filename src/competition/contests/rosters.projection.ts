/** The roster of each round that has one, and which rounds the process managers have to look at. */

import { domainEvent } from '../../domain/decider.js';
import { type RoundKey, roundBefore, roundId } from '../../domain/references.js';
import { type RosterEntry, rosterOf } from '../../domain/roster.js';
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type PersonEvent, personStream, SHOWN_PERSON_EVENTS } from '../aggregates/person/person.events.js';
import { evolveRoster, type RoundEvent, roundStream } from '../aggregates/round/round.js';

/** Its id is the round's id. */
export interface RosterDocument extends Document {
  readonly competitors: readonly RosterEntry[];
}

export const rosters: Collection<RosterDocument> = { name: 'rosters', indexes: {} };

/** Links the persons on rosters to their rounds: when a name changes, the rounds that show it are invalidated. */
export interface RosterPlaceDocument extends Document, RoundKey {
  readonly personId: number;
}

const rosterPlaces: Collection<RosterPlaceDocument> = {
  name: 'rosterPlaces',
  indexes: { byPerson: ['personId'] },
};

/** A round that was closed for the next one, which is not open yet. Its id is the round's id. */
export interface AdvancingDocument extends Document, RoundKey {}

export const advancingRounds: Collection<AdvancingDocument> = {
  name: 'advancingRounds',
  indexes: { bySpace: ['spaceId'] },
};

/** An open round with a roster, which follows the competitor list. Its id is the round's id. */
export interface OpenRosterDocument extends Document, RoundKey {}

export const openRosters: Collection<OpenRosterDocument> = {
  name: 'openRosters',
  indexes: { bySpace: ['spaceId'] },
};

const ROUND_EVENTS: readonly RoundEvent['type'][] = [
  'RosterSet',
  'RosterExtended',
  'RosterMarked',
  'RoundOpeningUndone',
  'AdvancementDecided',
  'RoundOpened',
  'RoundClosed',
  'RoundReopened',
  'CompetitorMerged',
];

export const rostersProjection: Projection = {
  name: 'rosters',
  version: 3,
  collections: [rosters, rosterPlaces, advancingRounds, openRosters],
  eventTypes: [...ROUND_EVENTS, ...SHOWN_PERSON_EVENTS],

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const round = idIn(roundStream, event.subject);
    if (round) return applyToRound(domainEvent<RoundEvent>(event), round, session);
    const personId = idIn(personStream, event.subject);
    if (personId !== null) return applyToPerson(domainEvent<PersonEvent>(event), personId, session);
  },
};

const applyToRound = async (
  event: RoundEvent,
  round: RoundKey,
  session: ProjectionSession,
): Promise<void> => {
  const id = roundId(round);
  switch (event.type) {
    case 'RosterSet':
    case 'RosterExtended':
    case 'RosterMarked': {
      const before = await session.get(rosters, id);
      const roster = evolveRoster(before && rosterOf(before.competitors), event);
      session.put(rosters, { id, competitors: [...roster.values()] });
      if (event.type === 'RosterSet') session.put(openRosters, { id, ...round });
      if (event.type !== 'RosterMarked')
        for (const personId of event.data.competitors.flat())
          session.put(rosterPlaces, placeOf(round, personId));
      // They may not be registered for the event, and their pages show the round from now on.
      if (event.type === 'RosterExtended') session.touch(() => tags.competitors(round));
      break;
    }
    case 'CompetitorMerged': {
      const before = await session.get(rosters, id);
      if (before === null) return;
      const roster = evolveRoster(rosterOf(before.competitors), event);
      session.put(rosters, { id, competitors: [...roster.values()] });
      session.put(rosterPlaces, placeOf(round, event.data.into));
      break;
    }
    case 'RoundOpeningUndone': {
      const before = await session.get(rosters, id);
      session.remove(rosters, id);
      session.remove(openRosters, id);
      for (const personId of before?.competitors.flatMap(({ personIds }) => personIds) ?? [])
        session.remove(rosterPlaces, placeOf(round, personId).id);
      break;
    }
    case 'AdvancementDecided':
      session.put(advancingRounds, { id, ...round });
      break;
    case 'RoundReopened':
      session.remove(advancingRounds, id);
      if (await session.get(rosters, id)) session.put(openRosters, { id, ...round });
      break;
    case 'RoundClosed':
      session.remove(openRosters, id);
      break;
    default: {
      const before = roundBefore(round);
      if (before) session.remove(advancingRounds, roundId(before));
    }
  }
  session.touch(() => [tags.round(round), tags.contest(round)]);
};

const placeOf = (round: RoundKey, personId: number): RosterPlaceDocument => ({
  id: `${roundId(round)}/${personId}`,
  ...round,
  personId,
});

const applyToPerson = async (
  event: PersonEvent,
  personId: number,
  session: ProjectionSession,
): Promise<void> => {
  for (const { id, ...round } of await session.scan(rosterPlaces, {
    index: 'byPerson',
    equals: { personId },
  })) {
    if (event.type === 'PersonMerged') session.put(rosterPlaces, placeOf(round, event.data.into));
    session.touch(() => [tags.round(round), tags.contest(round)]);
  }
};
