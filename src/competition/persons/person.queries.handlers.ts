/** Query handlers of persons. They read the persons projection and the profiles. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type RoundKey, roundId } from '../../domain/references.js';
import { latestRegion } from '../../domain/regions.js';
import { RejectedError } from '../../domain/rejections.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
  type Profile,
} from '../../foundation/operational/operational-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { participations, results } from '../results/ranking-documents.js';
import { NamingQueryHandler } from './naming-query.handler.js';
import {
  GetPerson,
  ListMergingPersons,
  ListRoundsOfPerson,
  type PersonDetailView,
  type PersonSearchResult,
  type PersonView,
  SearchPersons,
} from './person.queries.js';
import { personView } from './person-directory.js';
import { type PersonDocument, persons } from './persons.projection.js';

@QueryHandler(GetPerson)
export class GetPersonHandler extends NamingQueryHandler implements IQueryHandler<GetPerson> {
  execute({ personId }: GetPerson): Promise<PersonDetailView> {
    return this.readModels.snapshot(async (view) => {
      const person = await personBehind(view, personId);
      if (!person) {
        throw new RejectedError({ code: 'person-not-found', detail: `There is no person ${personId}.` });
      }
      const shown = (await this.directory.views(view, [person.personId])).get(person.personId);
      const { spaceId, timeline, aliases } = person;
      return { ...(shown ?? personView(person.personId, null, null)), spaceId, timeline, aliases };
    });
  }
}

/** Follows merges. Returns null when there is no such person. */
const personBehind = async (view: ReadView, personId: number): Promise<PersonDocument | null> => {
  let person = await view.get(persons, String(personId));
  while (person && person.mergedInto !== null) person = await view.get(persons, String(person.mergedInto));
  return person;
};

@QueryHandler(SearchPersons)
export class SearchPersonsHandler implements IQueryHandler<SearchPersons> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(OPERATIONAL_STORE) private readonly store: OperationalStore,
  ) {}

  async execute({ spaceId, text, page }: SearchPersons): Promise<PersonSearchResult> {
    const { limit } = page;
    const profiles = await this.store.searchProfiles(spaceId, text, { ...page, limit: limit + 1 });
    const found = profiles.slice(0, limit);
    const next = profiles.length > limit ? (found.at(-1)?.personId ?? null) : null;
    const bearer = await this.#bearerOf(spaceId, text);
    const others = found.filter(({ personId }) => personId !== bearer?.personId);
    const first = bearer !== null && page.after === undefined ? [bearer] : [];
    return { items: await this.#shown([...first, ...others]), next };
  }

  /** Returns the profile of the person with this id. */
  async #bearerOf(spaceId: string, text: string): Promise<Profile | null> {
    if (!/^[1-9]\d{0,14}$/.test(text)) return null;
    const personId = Number(text);
    const profile = (await this.store.profiles([personId])).get(personId);
    return profile?.spaceId === spaceId ? profile : null;
  }

  async #shown(profiles: readonly Profile[]): Promise<readonly PersonView[]> {
    const ids = profiles.map(({ personId }) => String(personId));
    const known = await this.readModels.snapshot((view) => view.getMany(persons, ids));
    return profiles.flatMap((profile, index) => {
      const person = known[index];
      // A profile without a person is left from an interrupted registration.
      if (!person || person.mergedInto !== null) return [];
      return [personView(profile.personId, profile, latestRegion(person.timeline))];
    });
  }
}

@QueryHandler(ListRoundsOfPerson)
export class ListRoundsOfPersonHandler implements IQueryHandler<ListRoundsOfPerson> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  execute({ personId }: ListRoundsOfPerson): Promise<readonly RoundKey[]> {
    return this.readModels.snapshot(async (view) => {
      const taken = await view.scan(participations, { index: 'byPerson', equals: { personId } });
      const ids = taken.flatMap((participation) => participation.results);
      const rounds = new Map<string, RoundKey>();
      for (const result of await view.getMany(results, ids)) {
        if (!result) continue;
        const { spaceId, competitionId, eventId, roundNumber } = result;
        rounds.set(roundId(result), { spaceId, competitionId, eventId, roundNumber });
      }
      return [...rounds.values()];
    });
  }
}

@QueryHandler(ListMergingPersons)
export class ListMergingPersonsHandler implements IQueryHandler<ListMergingPersons> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<readonly number[]> {
    const found = await this.readModels.snapshot((view) =>
      view.scan(persons, { index: 'merging', equals: {} }),
    );
    return found.flatMap(({ personId, merging }) => (merging === null ? [] : [personId]));
  }
}

export const personQueryHandlers = [
  GetPersonHandler,
  SearchPersonsHandler,
  ListRoundsOfPersonHandler,
  ListMergingPersonsHandler,
];
