/**
 * Persons as every page shows them: profiles from the operational store, kept in memory until a tag says that one has
 * changed, with the region from the same view as the page. Who was merged is shown as whom they became, and who has no
 * profile any more as a dash.
 */
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { latestRegion } from '../../domain/regions.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
  type Profile,
} from '../../foundation/operational/operational-store.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { PersonView } from './person.queries.js';
import { type PersonDocument, persons } from './persons.projection.js';

const MAX_PROFILES = 200_000;

/** `profile` null: there is none. */
interface Kept {
  readonly profile: Profile | null;
}

@Injectable()
export class PersonDirectory {
  readonly #kept = new LRUCache<number, Kept>({ max: MAX_PROFILES });
  /** Counts retirements: what was loaded across one may be old and is not kept. */
  #retirements = 0;

  constructor(@Inject(OPERATIONAL_STORE) private readonly store: Pick<OperationalStore, 'profiles'>) {}

  /** One view for each id, which names whom the person is now. */
  async views(view: ReadView, personIds: Iterable<number>): Promise<ReadonlyMap<number, PersonView>> {
    const ids = [...new Set(personIds)];
    const known = await knownPersons(view, ids);
    const profiles = await this.#profiles(ids.map((id) => known.get(id)?.personId ?? id));
    return new Map(
      ids.map((id) => {
        const { personId, timeline } = known.get(id) ?? { personId: id, timeline: [] };
        return [id, personView(personId, profiles.get(personId) ?? null, latestRegion(timeline))];
      }),
    );
  }

  /** Forgets these profiles; null: all. */
  invalidate(changed: readonly number[] | null): void {
    if (changed?.length === 0) return;
    this.#retirements += 1;
    if (changed === null) this.#kept.clear();
    else for (const personId of changed) this.#kept.delete(personId);
  }

  async #profiles(ids: readonly number[]): Promise<ReadonlyMap<number, Profile>> {
    const found = new Map<number, Profile>();
    const missing: number[] = [];
    for (const id of ids) {
      const kept = this.#kept.get(id);
      if (!kept) missing.push(id);
      else if (kept.profile) found.set(id, kept.profile);
    }
    if (missing.length === 0) return found;
    const before = this.#retirements;
    const loaded = await this.store.profiles(missing);
    for (const id of missing) {
      const profile = loaded.get(id) ?? null;
      if (profile) found.set(id, profile);
      if (before === this.#retirements) this.#kept.set(id, { profile });
    }
    return found;
  }
}

/** By the id that was asked for, which may be that of somebody who was merged. */
const knownPersons = async (
  view: ReadView,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PersonDocument>> => {
  const found = (await view.getMany(persons, ids.map(String))).filter((person) => person !== null);
  const targets = new Set(found.flatMap(({ mergedInto }) => mergedInto ?? []));
  const others = targets.size === 0 ? null : await knownPersons(view, [...targets]);
  return new Map(found.map((person) => [person.personId, others?.get(person.mergedInto ?? 0) ?? person]));
};

export const personView = (id: number, profile: Profile | null, regionCode: string | null): PersonView => {
  if (!profile) return { id, name: '—', localizedName: null, regionCode: null, assocId: null };
  const { name, localizedName, assocId } = profile;
  return { id, name, localizedName, regionCode, assocId };
};
