/**
 * The names of the holders of reference records. They are personal data, so the operational store has them, as profiles
 * in a space of their own that no slug can name: there no search, import or entry takes a holder for a person of the space.
 * A holder has one profile in a space, by name. It is erased when no reference record names it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';

const PAGE = 1_000;

/** A slug holds no `/`. */
const spaceOfHolders = (spaceId: string): string => `${spaceId}/references`;

@Injectable()
export class ReferenceHolders {
  constructor(@Inject(OPERATIONAL_STORE) private readonly store: OperationalStore) {}

  /** Returns the ids of all holders by name. */
  async ids(spaceId: string): Promise<ReadonlyMap<string, number>> {
    const ids = new Map<string, number>();
    for (let after: number | undefined; ; ) {
      const page = { limit: PAGE, ...(after !== undefined && { after }) };
      const found = await this.store.searchProfiles(spaceOfHolders(spaceId), '', page);
      for (const { name, personId } of found) ids.set(name, personId);
      after = found.at(-1)?.personId;
      if (found.length < PAGE) return ids;
    }
  }

  /** Returns the ids of these names. Those that are not `known` are created. */
  async withIds(
    spaceId: string,
    names: Iterable<string>,
    known: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, number>> {
    const missing = [...new Set(names)].filter((name) => !known.has(name));
    const created = await this.store.createProfiles(
      missing.map((name) => ({
        spaceId: spaceOfHolders(spaceId),
        name,
        localizedName: null,
        assocId: null,
      })),
    );
    return new Map([...known, ...created.map(({ name, personId }): [string, number] => [name, personId])]);
  }

  async names(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const profiles = await this.store.profiles([...new Set(ids)]);
    return new Map([...profiles].map(([id, { name }]) => [id, name]));
  }

  async erase(ids: readonly number[]): Promise<void> {
    await Promise.all(ids.map((id) => this.store.eraseProfile(id)));
  }
}
