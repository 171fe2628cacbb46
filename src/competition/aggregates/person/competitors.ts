/**
 * Who a request means: persons known in the space by id or association id, merged ones followed to whom they became. Association
 * ids come from the operational store; which person bears one is kept until the feed says that the person's profile changed.
 */

import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CompetitorSelector } from '../../../domain/references.js';
import { type FieldError, RejectedError, refusalOf } from '../../../domain/rejections.js';
import { StreamNames } from '../../../domain/streams.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type LoadOptions,
} from '../../../foundation/aggregates/aggregate.js';
import { EventFeed } from '../../../foundation/aggregates/event-feed.js';
import type { RecordedEvent } from '../../../foundation/event-store/event-store.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../foundation/operational/operational-store.js';
import { type PersonState, personAggregate } from './person.decider.js';
import { personStream } from './person.events.js';

/** The persons of one competitor, in the order of the request. */
export interface ResolvedCompetitor {
  /** As named. */
  readonly named: readonly number[];
  /** Whom they are now. */
  readonly personIds: readonly number[];
}

/** The ids of the request that name no person of this space. */
export interface UnknownCompetitor {
  readonly unknown: readonly (number | string)[];
}

const KEPT_ASSOC_IDS = 50_000;

@Injectable()
export class Competitors implements OnModuleInit, OnModuleDestroy {
  readonly #aggregates: AggregateRuntime;
  readonly #operational: OperationalStore;
  readonly #feed: EventFeed;
  readonly #names: StreamNames;
  readonly #byAssocId = new LRUCache<string, number>({
    max: KEPT_ASSOC_IDS,
    dispose: (personId, key) => this.#assocIdOf.get(personId) === key && this.#assocIdOf.delete(personId),
  });
  readonly #assocIdOf = new Map<number, string>();
  /** Incremented on each change of a profile: what was read before it is not kept. */
  #changes = 0;
  #unlisten: () => void = () => undefined;

  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) operational: OperationalStore,
    feed: EventFeed,
    names: StreamNames,
  ) {
    this.#aggregates = aggregates;
    this.#operational = operational;
    this.#feed = feed;
    this.#names = names;
  }

  onModuleInit(): void {
    this.#unlisten = this.#feed.listen((event) => this.#observe(event));
  }

  onModuleDestroy(): void {
    this.#unlisten();
  }

  /** The person's profile has changed: what is known of the association id is read again. */
  forget(personId: number): void {
    this.#changes += 1;
    const key = this.#assocIdOf.get(personId);
    if (key !== undefined) this.#byAssocId.delete(key);
  }

  #forgetAll(): void {
    this.#changes += 1;
    this.#byAssocId.clear();
  }

  /** In the order of the selectors. */
  async resolve(
    spaceId: string,
    selectors: readonly CompetitorSelector[],
    how: LoadOptions = {},
  ): Promise<readonly (ResolvedCompetitor | UnknownCompetitor)[]> {
    const wanted = selectors.flatMap((selector) => (selector.by === 'assocId' ? selector.assocIds : []));
    const byAssocId = wanted.length === 0 ? NO_PERSONS : await this.#personIdsOf(spaceId, wanted);
    const resolved: (ResolvedCompetitor | UnknownCompetitor)[] = [];
    for (const selector of selectors)
      resolved.push(await this.#resolveOne({ spaceId, ...how }, selector, byAssocId));
    return resolved;
  }

  /** All ids of the person: the present one, then those of the persons who were merged into it. */
  async idsOf(spaceId: string, personId: number, how: LoadOptions = {}): Promise<readonly number[]> {
    const absorbed = (await personIn(this.#aggregates, spaceId, personId, how))?.absorbed ?? [];
    const ids = [personId];
    for (const id of absorbed) ids.push(...(await this.idsOf(spaceId, id, how)));
    return ids;
  }

  /** Whether this is a person of the space, be it under an alias or erased. */
  async isKnown(spaceId: string, personId: number): Promise<boolean> {
    return (await presentId(this.#aggregates, spaceId, personId)) !== null;
  }

  async #resolveOne(
    { spaceId, ...how }: { readonly spaceId: string } & LoadOptions,
    selector: CompetitorSelector,
    byAssocId: ReadonlyMap<string, number>,
  ): Promise<ResolvedCompetitor | UnknownCompetitor> {
    const given = selector.by === 'personId' ? selector.personIds : selector.assocIds;
    const named: number[] = [];
    const personIds: number[] = [];
    const unknown: (number | string)[] = [];
    for (const name of given) {
      const id = typeof name === 'number' ? name : byAssocId.get(name.toLowerCase());
      const now = id === undefined ? null : await presentId(this.#aggregates, spaceId, id, how);
      if (id === undefined || now === null) unknown.push(name);
      else {
        named.push(id);
        personIds.push(now);
      }
    }
    return unknown.length > 0 ? { unknown } : { named, personIds };
  }

  /** By association id in lower case. */
  async #personIdsOf(spaceId: string, assocIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>();
    const missing = new Set<string>();
    for (const text of assocIds) {
      const assocId = text.toLowerCase();
      const known = this.#byAssocId.get(`${spaceId}/${assocId}`);
      if (known === undefined) missing.add(assocId);
      else found.set(assocId, known);
    }
    if (missing.size === 0) return found;
    const changes = this.#changes;
    const profiles = await this.#operational.profilesByAssocId(spaceId, [...missing]);
    for (const [assocId, { personId }] of profiles) {
      found.set(assocId, personId);
      if (changes === this.#changes) this.#remember(`${spaceId}/${assocId}`, personId);
    }
    return found;
  }

  #remember(key: string, personId: number): void {
    this.#byAssocId.set(key, personId);
    this.#assocIdOf.set(personId, key);
  }

  #observe({ type, stream }: RecordedEvent): void {
    const personId = this.#names.idIn(personStream, stream);
    if (personId === null) return;
    if (type === 'PersonProfileChanged') this.forget(personId);
    // They concern the association ids of those who were merged into the person, too.
    if (type === 'PersonAbsorbed' || type === 'PersonErased') this.#forgetAll();
  }
}

// --- merges ----------------------------------------------------------------------------------------------------------

/** The person of the space under this id, which may have been merged; null: the space has none. */
const personIn = async (
  aggregates: AggregateRuntime,
  spaceId: string,
  personId: number,
  { fresh = false }: LoadOptions = {},
): Promise<PersonState | null> => {
  const isHere = (state: PersonState): boolean => state.phase !== 'none' && state.spaceId === spaceId;
  if (!fresh) {
    const cached = await aggregates.load(personAggregate, personId);
    if (isHere(cached.state)) return cached.state;
  }
  // Not known from the cache: the person may have been registered elsewhere a moment ago.
  const { state } = await aggregates.load(personAggregate, personId, { fresh: true });
  return isHere(state) ? state : null;
};

/** The id that this person has now. Null when the space has no such person. */
export const presentId = async (
  aggregates: AggregateRuntime,
  spaceId: string,
  personId: number,
  how: LoadOptions = {},
): Promise<number | null> => {
  const seen = new Set<number>();
  for (let id = personId; !seen.has(id); ) {
    const state = await personIn(aggregates, spaceId, id, how);
    if (state === null) return null;
    const moved = state.phase === 'merging' || state.phase === 'merged';
    if (!moved || state.into === null) return id;
    seen.add(id);
    id = state.into;
  }
  return personId;
};

// --- refusals --------------------------------------------------------------------------------------------------------

export const personNotFound = ({ unknown }: UnknownCompetitor): string =>
  `the space has no person ${unknown.join(', ')}`;

/** The errors of those who were not found. `fieldOf`: of the request, by index. */
export const unknownPersons = (
  found: readonly (ResolvedCompetitor | UnknownCompetitor)[],
  fieldOf: (index: number) => string,
): readonly FieldError[] =>
  found.flatMap((competitor, index) =>
    'unknown' in competitor
      ? [{ field: fieldOf(index), rule: 'person-not-found', message: personNotFound(competitor) }]
      : [],
  );

/** Throws RejectedError `person-not-found`, which names the field of each who was not found. `fieldOf`: by index. */
export const requireFound = (
  found: readonly (ResolvedCompetitor | UnknownCompetitor)[],
  fieldOf: (index: number) => string,
): void => {
  const errors = unknownPersons(found, fieldOf);
  if (errors.length > 0) throw new RejectedError(refusalOf('person-not-found', errors));
};

const NO_PERSONS: ReadonlyMap<string, number> = new Map();
