/**
 * Writes a generated world directly into the stores: profiles first, then events, as fast as the store accepts
 * them.
 */

import {
  initialSpace,
  type SpaceState,
  spaceDecider,
} from '../../../competition/aggregates/space/space.decider.js';
import { type SpaceEvent, spaceStream } from '../../../competition/aggregates/space/space.events.js';
import type { StreamNames } from '../../../domain/streams.js';
import { type EventStore, type NewEvent, NO_STREAM } from '../../../foundation/event-store/event-store.js';
import { UPCASTERS } from '../../../foundation/event-store/upcasters.js';
import type { OperationalStore } from '../../../foundation/operational/operational-store.js';
import { planWorld } from './world.js';
import type { World, WorldOptions } from './world-actions.js';
import { type WorldBatch, worldEvents } from './world-events.js';

export interface WorldStores {
  readonly eventStore: EventStore;
  readonly operational: OperationalStore;
  readonly names: StreamNames;
}

export interface AppendOptions extends WorldOptions {
  readonly spaceId: string;
  /** Called with the number of results appended so far. */
  readonly onProgress?: (results: number) => void;
}

/** The counts of what was written. */
export interface WorldSummary {
  readonly persons: number;
  readonly contests: number;
  readonly results: number;
  readonly events: number;
}

/** The space already has a contest of this world. */
class WorldConflictError extends Error {
  constructor(readonly stream: string) {
    super(`${stream} exists already: generate into another space, or with another seed`);
    this.name = 'WorldConflictError';
  }
}

const PROFILE_BATCH_SIZE = 5000;
/** Concurrent appends: enough to fill the commits of the writer. */
const MAX_IN_FLIGHT = 128;

/** Throws WorldConflictError. */
export const appendWorld = async (stores: WorldStores, options: AppendOptions): Promise<WorldSummary> => {
  const world = planWorld(options);
  const { spaceId, onProgress } = options;
  const personIds = await createProfiles(world, spaceId, stores.operational);
  const space = await loadSpace(stores, spaceId);
  const window = new AppendWindow(stores.eventStore);
  const summary = { persons: personIds.length, contests: 0, results: 0, events: 0 };
  for (const batch of worldEvents(world, { spaceId, names: stores.names, personIds, space })) {
    await window.append(batch);
    summary.events += batch.events.length;
    summary.results += batch.results;
    if (batch.events[0]?.type === 'ContestCreated') summary.contests += 1;
    if (batch.results > 0) onProgress?.(summary.results);
  }
  await window.drain();
  return summary;
};

const createProfiles = async (
  { persons }: World,
  spaceId: string,
  operational: OperationalStore,
): Promise<readonly number[]> => {
  const ids: number[] = [];
  for (let first = 0; first < persons.length; first += PROFILE_BATCH_SIZE) {
    const profiles = await operational.createProfiles(
      persons.slice(first, first + PROFILE_BATCH_SIZE).map(({ name, localizedName, assocId }) => ({
        spaceId,
        name,
        localizedName,
        assocId,
      })),
    );
    ids.push(...profiles.map(({ personId }) => personId));
  }
  return ids;
};

const loadSpace = async (
  { eventStore, names }: WorldStores,
  spaceId: string,
): Promise<{ readonly state: SpaceState; readonly revision: number }> => {
  const events = (await eventStore.readStream(names.of(spaceStream, spaceId))) ?? [];
  const state = events
    .map((event) => UPCASTERS.domainEvent<SpaceEvent>(event))
    .reduce(spaceDecider.evolve, initialSpace);
  return { state, revision: events.at(-1)?.revision ?? NO_STREAM };
};

/** Appends in order without waiting for each: the store keeps the order of the calls. */
class AppendWindow {
  readonly #underWay: Promise<void>[] = [];

  constructor(private readonly store: EventStore) {}

  async append({ stream, expected, events }: WorldBatch): Promise<void> {
    const appended = this.#one(stream, expected, events);
    // `append` or `drain` awaits it later and throws its failure; until then it must not count as unhandled.
    appended.catch(() => undefined);
    this.#underWay.push(appended);
    if (this.#underWay.length >= MAX_IN_FLIGHT) await this.#underWay.shift();
  }

  async drain(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
  }

  async #one(stream: string, expected: WorldBatch['expected'], events: readonly NewEvent[]): Promise<void> {
    const result = await this.store.append(stream, expected, events);
    if (!result.ok) throw new WorldConflictError(stream);
  }
}
