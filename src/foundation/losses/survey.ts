/** Reads the facts about the stores of an installation, witnesses first: what they know is in the event store by then. */
import type { EventStore } from '../event-store/event-store.js';
import type { Remembered, Witness, WitnessStore } from '../operational/witness-store.js';
import type { ReadModelStore } from '../read-models/read-model-store.js';
import type { Checkpoint, EventsFound, Facts } from './find-loss.js';

export interface Survey extends Facts {
  readonly events: EventsFound;
  readonly remembered: Remembered;
}

export interface SurveyedStores {
  readonly eventStore: EventStore;
  readonly witnesses: Pick<WitnessStore, 'read'>;
  readonly readModelStore: Pick<ReadModelStore, 'progressOf'>;
  /** Names of the projections. */
  readonly projections: readonly string[];
  /** Of the backup that this installation was restored from. */
  readonly manifest: Checkpoint | null;
}

export const survey = async (stores: SurveyedStores): Promise<Survey> => {
  const remembered = await stores.witnesses.read();
  const checkpoints = [...(await checkpointsIn(stores)), ...(stores.manifest ? [stores.manifest] : [])];
  return { events: await eventsIn(stores.eventStore, remembered.witnesses), remembered, checkpoints };
};

export const checkpointsIn = async ({
  readModelStore,
  projections,
}: Pick<SurveyedStores, 'readModelStore' | 'projections'>): Promise<readonly Checkpoint[]> => {
  const progress = await readModelStore.progressOf(projections);
  return progress.flatMap(({ live }) => live ?? []);
};

export const eventsIn = async (
  eventStore: EventStore,
  witnesses: readonly Witness[],
): Promise<EventsFound> => {
  const identity = await eventStore.identity();
  const head = await eventStore.head();
  const contradicted: Witness[] = [];
  for (const witness of witnesses) {
    const isThere = witness.storeId !== identity.storeId || (await holds(eventStore, witness));
    if (!isThere) contradicted.push(witness);
  }
  return { identity, head, contradicted };
};

/** Whether the store has the event of the witness in its place. */
export const holds = async (eventStore: EventStore, { event }: Pick<Witness, 'event'>): Promise<boolean> => {
  if (event === null) return true;
  const [found] = (await eventStore.readStream(event.stream, { from: event.revision, limit: 1 })) ?? [];
  return found?.id === event.id;
};
