/**
 * Persons as all pages show them. Profiles come from the operational store and are cached until a tag invalidates
 * them; the region comes from the view of the page. A merged person is shown as the person that they became, a person
 * without a profile as a dash.
 */
import { LRUCache } from 'lru-cache';
import { latestRegion } from '../../domain/regions.js';
import type { OperationalStore, Profile } from '../../foundation/operational/operational-store.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { PersonView } from './person.queries.js';
import { type PersonDocument, persons } from './persons.projection.js';

const MAX_PROFILES = 200_000;

/** `profile` null: the store has none. */
interface CachedProfile {
  readonly profile: Profile | null;
}

/** Without decorators: the thread that builds lists uses it, and does not load Nest. */
export class PersonDirectory {
  readonly #cached = new LRUCache<number, CachedProfile>({ max: MAX_PROFILES });
  /** Incremented on each invalidation, so that a profile loaded before it is not cached. */
  #invalidations = 0;

  constructor(private readonly store: Pick<OperationalStore, 'profiles'>) {}

  /** Returns one view for each id, following merges. */
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

  /** Removes these profiles from the cache; null: all. */
  invalidate(changed: readonly number[] | null): void {
    if (changed?.length === 0) return;
    this.#invalidations += 1;
    if (changed === null) this.#cached.clear();
    else for (const personId of changed) this.#cached.delete(personId);
  }

  async #profiles(ids: readonly number[]): Promise<ReadonlyMap<number, Profile>> {
    const found = new Map<number, Profile>();
    const missing: number[] = [];
    for (const id of ids) {
      const cached = this.#cached.get(id);
      if (!cached) missing.push(id);
      else if (cached.profile) found.set(id, cached.profile);
    }
    if (missing.length === 0) return found;
    const before = this.#invalidations;
    const loaded = await this.store.profiles(missing);
    for (const id of missing) {
      const profile = loaded.get(id) ?? null;
      if (profile) found.set(id, profile);
      if (before === this.#invalidations) this.#cached.set(id, { profile });
    }
    return found;
  }
}

/** By the requested id, which may be the id of a merged person. */
const knownPersons = async (
  view: ReadView,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PersonDocument>> => {
  const found = (await view.getMany(persons, ids.map(String))).filter((person) => person !== null);
  const targets = new Set(found.flatMap(({ mergedInto }) => mergedInto ?? []));
  const others = targets.size === 0 ? null : await knownPersons(view, [...targets]);
  return new Map(found.map((person) => [person.personId, others?.get(person.mergedInto ?? 0) ?? person]));
};

/** The name of a person whose profile was erased. */
export const ERASED_NAME = '—';

export const personView = (id: number, profile: Profile | null, regionCode: string | null): PersonView => {
  if (!profile) return { id, name: ERASED_NAME, localizedName: null, regionCode: null, assocId: null };
  const { name, localizedName, assocId } = profile;
  return { id, name, localizedName, regionCode, assocId };
};
