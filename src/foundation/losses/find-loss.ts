/**
 * Decides whether events are missing. The operational store and the read models are witnesses of how far the event
 * store had come: an end below a witness, another event in its place, an earlier restore epoch, or a store that does not
 * belong to the installation is a loss. Missing read models are none.
 */
import type { Position } from '../event-store/event-store.js';
import { partsOfStoreId, type StoreIdentity } from '../event-store/installation.js';
import type { Remembered, Witness } from '../operational/witness-store.js';

/** What the event store holds. Null: there is no event store any more. */
export interface EventsFound {
  readonly identity: StoreIdentity;
  readonly head: Position;
  /** Witnesses whose event is not in its place, also those of a store that this one was copied from. */
  readonly contradicted: readonly Witness[];
}

/** How far the read models, or the manifest of a backup, had come. */
export type Checkpoint = Pick<Witness, 'storeId' | 'position'>;

export interface Facts {
  readonly events: EventsFound | null;
  readonly remembered: Pick<Remembered, 'installation' | 'witnesses'>;
  readonly checkpoints: readonly Checkpoint[];
}

export interface Loss {
  /**
   * `behind`: the end lies below a witness. `rewritten`: other events are in its place. `emptied`: the event store is
   * gone or new. `outdated`: it is from before a later restore epoch. `incomplete`: a copy lacks an event that its source
   * had. `foreign`: it belongs to another installation. `operational`: the operational store is gone or new.
   * `replaced`: a running node has found another event store than it began with.
   */
  readonly kind:
    | 'behind'
    | 'rewritten'
    | 'emptied'
    | 'outdated'
    | 'incomplete'
    | 'foreign'
    | 'operational'
    | 'replaced';
  /** The event store whose events are missing. */
  readonly storeId: string;
  /** The missing positions are later than this one. Null: from where is not known. */
  readonly after: Position | null;
  /** Inclusive. */
  readonly upTo: Position;
}

/** Null: nothing is missing, as far as the witnesses know. */
export const findLoss = ({ events, remembered, checkpoints }: Facts): Loss | null => {
  const { installation, witnesses } = remembered;
  const furthest = furthestOf(witnesses);
  if (events === null) return installation && furthest ? lossOf('emptied', furthest, 0) : null;
  const { identity, head, contradicted } = events;
  const own = partsOfStoreId(identity.storeId);
  const isOwn = ({ storeId }: Checkpoint): boolean => partsOfStoreId(storeId).written === own.written;
  const ownWitnesses = witnesses.filter(isOwn);
  // Checkpoints of an earlier epoch are older than the last accepted loss or restore: they are rebuilt.
  const known = [
    ...ownWitnesses,
    ...checkpoints.filter((one) => isOwn(one) && partsOfStoreId(one.storeId).epoch >= own.epoch),
  ];
  const last = furthestOf(known);
  if (last && last.position > head) return lossOf('behind', last, head);
  const end = { storeId: identity.storeId, position: head };
  if (installation && identity.installation && installation.id !== identity.installation.id)
    return lossOf('foreign', furthest ?? end, null);
  if (installation && !identity.installation && furthest && ownWitnesses.length === 0)
    return lossOf('emptied', furthest, 0);
  const later = furthestOf(known.filter(({ storeId }) => partsOfStoreId(storeId).epoch > own.epoch));
  const isBefore = installation !== null && installation.epoch > own.epoch;
  const isUnnamed = installation !== null && !identity.installation && ownWitnesses.length > 0;
  if (later || isBefore || isUnnamed) return lossOf('outdated', later ?? furthest ?? end, null);
  const [rewritten] = contradicted.filter(isOwn);
  if (rewritten) return lossOf('rewritten', rewritten, null);
  const [incomplete] = contradicted;
  if (incomplete) return lossOf('incomplete', incomplete, null);
  return !installation && identity.installation ? lossOf('operational', end, 0) : null;
};

const lossOf = (kind: Loss['kind'], { storeId, position }: Checkpoint, after: Position | null): Loss => ({
  kind,
  storeId,
  after,
  upTo: position,
});

const furthestOf = (known: readonly Checkpoint[]): Checkpoint | null =>
  known.reduce<Checkpoint | null>((most, one) => (most && most.position >= one.position ? most : one), null);

/** One sentence for operators and for the clients whose commands are refused. It names the store and the range. */
export const describeLoss = ({ kind, storeId, after, upTo }: Loss): string => {
  switch (kind) {
    case 'behind':
      return `the event store ${storeId} ends at position ${after}, but it had come to ${upTo}: the events between are missing`;
    case 'rewritten':
      return `the event store ${storeId} does not hold the event that it had at position ${upTo}: it was put back and written to since`;
    case 'emptied':
      return `the event store ${storeId} is gone or empty: its events up to position ${upTo} are missing`;
    case 'outdated':
      return `the event store is from before the restore epoch of ${storeId}, which had come to position ${upTo}: one of the stores was put back, and what was written in between is missing`;
    case 'incomplete':
      return `the event store is a copy of ${storeId}, but does not hold the event that ${storeId} had at position ${upTo}: the copy is not complete, and its later events are missing`;
    case 'foreign':
      return `the event store belongs to another installation: the events of ${storeId} up to position ${upTo} are missing`;
    case 'operational':
      return `the operational store does not know the installation of the event store ${storeId}: its profiles and accounts for the events up to position ${upTo} are missing`;
    case 'replaced':
      return `another event store answers than ${storeId}, with which this process began (position ${upTo}): restart it`;
    default:
      return kind satisfies never;
  }
};
