/**
 * The first start on a copy that the engines' own tools have made. The operational store was copied after the event
 * store, so its witness may lie past the end of the copied events, and that is no loss. The manifest says so: it was
 * written before both, and the copy begins the restore epoch that it carries.
 */
import type { EventStore } from '../event-store/event-store.js';
import { partsOfStoreId } from '../event-store/installation.js';
import type { Remembered, WitnessStore } from '../operational/witness-store.js';
import type { EventsFound } from './find-loss.js';
import type { NamedManifest } from './manifest.js';
import { witnessOf } from './survey.js';

type Copy = Pick<EventsFound, 'identity' | 'head'> & {
  readonly remembered: Pick<Remembered, 'installation'>;
};

/**
 * False when the epoch was begun already, when events are missing that the manifest knows of, or for another installation. An
 * operational store in that epoch beside events from before it has seen more: then the copied events were put back once again.
 */
export const isFirstStart = (
  { storeId, position, installation, copiedBy }: NamedManifest,
  { identity, head, remembered }: Copy,
): boolean => {
  const { installation: ofEvents } = identity;
  const { installation: known } = remembered;
  return (
    copiedBy === 'engines' &&
    partsOfStoreId(storeId).written === partsOfStoreId(identity.storeId).written &&
    head >= position &&
    ofEvents?.id === installation.id &&
    known?.id === installation.id &&
    ofEvents.epoch <= installation.epoch &&
    known.epoch < installation.epoch
  );
};

export interface RestoredStores {
  readonly eventStore: EventStore;
  readonly witnesses: Pick<WitnessStore, 'read' | 'begin'>;
}

/** Begins the epoch when this is the first start. It can be repeated after a crash. Open the event store again after it. */
export const beginRestored = async (
  manifest: NamedManifest,
  { eventStore, witnesses }: RestoredStores,
): Promise<void> => {
  const found = {
    identity: await eventStore.identity(),
    head: await eventStore.head(),
    remembered: await witnesses.read(),
  };
  if (!isFirstStart(manifest, found)) return;
  await eventStore.assign(manifest.installation);
  await witnesses.begin(manifest.installation, [await witnessOf(eventStore)]);
};
