/**
 * Compares the events from before checksums with the read models that were built from them: a replay has to come to the same
 * documents. Where it does not, an event or a document was changed, and an operator has to say which. Where there is nothing to
 * compare with, nothing can be told.
 */
import { hasOldEvents, type OldEvents } from '../../event-store/old-events.js';
import type { Damage } from '../../integrity/damage.js';
import {
  type ComparedDocument,
  comparesGenerations,
  type Generation,
} from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';
import { isUsable, type ProjectionContext, type StoreHead } from './projection-context.js';
import { rebuild } from './rebuild.js';

/** So many documents are named. */
const MAX_NAMED = 100;

/** Null: there are none that wait for it. */
export const uncomparedEvents = async ({
  eventStore,
}: Pick<ProjectionContext, 'eventStore'>): Promise<OldEvents | null> =>
  hasOldEvents(eventStore) && (await eventStore.uncomparedUpTo()) !== null ? eventStore : null;

export interface ComparisonOptions {
  readonly signal: AbortSignal;
  /** Built and swapped in at the same time. */
  readonly outdated: readonly Projection[];
}

/** Returns whether it came to its end. */
export const compareOldEvents = async (
  context: ProjectionContext,
  oldEvents: OldEvents,
  { signal, outdated }: ComparisonOptions,
): Promise<boolean> => {
  const { eventStore, readModelStore, projections } = context;
  const head = { storeId: eventStore.storeId, head: await eventStore.head() };
  const progress = await readModelStore.progressOf(projections.map(({ name }) => name));
  const live = new Map(projections.map((projection, place) => [projection, progress[place]?.live ?? null]));
  const compared = comparesGenerations(readModelStore)
    ? projections.filter((projection) => isComparable(live.get(projection) ?? null, projection, head))
    : [];
  const differences: Damage[] = [];
  if (compared.length > 0) {
    const isDone = await rebuild(context, [...new Set([...compared, ...outdated])], {
      resume: false,
      signal,
      comparison: {
        projections: new Set(compared),
        compared: (projection, differing) => {
          differences.push(...damagesOf(differing));
          const before = live.get(projection);
          return differing.length === 0 || !before || !isUsable(before, projection, head);
        },
      },
    });
    if (!isDone) return false;
  }
  await oldEvents.markCompared(differences.slice(0, MAX_NAMED));
  return true;
};

const isComparable = (
  live: Generation | null,
  { version, unchanged, eventTypes }: Projection,
  { storeId, head }: StoreHead,
): boolean =>
  live !== null &&
  // What is not made from events has nothing to compare.
  eventTypes.length > 0 &&
  live.storeId === storeId &&
  live.position <= head &&
  live.version <= version &&
  live.version >= (unchanged?.since ?? version);

const damagesOf = (differing: readonly ComparedDocument[]): readonly Damage[] =>
  differing.map(({ collection, id }) => ({
    store: 'events',
    place: `collection ${collection}, document ${id}`,
    reason: 'a replay of the events from before checksums comes to another one',
  }));
