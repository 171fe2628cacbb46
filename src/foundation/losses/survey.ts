/** Reads the facts about the stores of an installation, witnesses first: what they know is in the event store by then. */
import type { EventStore } from '../event-store/event-store.js';
import { partsOfStoreId } from '../event-store/installation.js';
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
  const { written } = partsOfStoreId(identity.storeId);
  const contradicted: Witness[] = [];
  for (const witness of witnesses) {
    const isOwn = partsOfStoreId(witness.storeId).written === written;
    if (!(await holds(eventStore, isOwn ? witness : withoutChain(witness)))) contradicted.push(witness);
  }
  return { identity, head, contradicted };
};

/** What is witnessed of an event store. */
export type Known = Omit<Witness, 'storeId'>;

/** A copy keeps streams, revisions and ids. Its positions are its own, and so is the chain over them. */
const withoutChain = ({ position, event }: Witness): Known => {
  if (event === null) return { position, event };
  const { stream, revision, id } = event;
  return { position, event: { stream, revision, id } };
};

/** Whether the store has the event of the witness in its place, behind the same events. */
export const holds = async (eventStore: EventStore, { event }: Pick<Known, 'event'>): Promise<boolean> => {
  if (event === null) return true;
  const { stream, revision, id, chain } = event;
  const [found] = (await eventStore.readStream(stream, { from: revision, limit: 1 })) ?? [];
  if (found?.id !== id) return false;
  const now = chain ? await eventStore.chainAt(chain.position) : null;
  return now === null || now === chain?.head;
};

/** The end of the store, with its last event. A position alone could not tell a store that was put back and has grown since. */
export const endOf = async (eventStore: EventStore): Promise<Known> => {
  const head = await eventStore.head();
  const last = eventStore.readAll({ direction: 'backwards', limit: 1 });
  for await (const { position, stream, revision, id } of last) {
    const chain = await eventStore.chainAt(position);
    const event = { stream, revision, id, ...(chain !== null && { chain: { position, head: chain } }) };
    return { position: Math.max(head, position), event };
  }
  return { position: head, event: null };
};

/** What the operational store is to remember of this event store. */
export const witnessOf = async (eventStore: EventStore): Promise<Witness> => {
  const { storeId } = await eventStore.identity();
  return { storeId, ...(await endOf(eventStore)) };
};
