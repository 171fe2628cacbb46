/**
 * Which installation a store belongs to. The id is given at the first start and is the same in all stores of an
 * installation, also after a copy to another engine. The restore epoch is raised when positions begin anew: by an
 * accepted loss, and in the copy of a backup. It is part of the id by which checkpoints name an event store.
 */
export interface Installation {
  readonly id: string;
  /** 0, or when it was raised: milliseconds since 1970. */
  readonly epoch: number;
}

/** The event store as it is now. */
export interface StoreIdentity {
  /** With the restore epoch. */
  readonly storeId: string;
  /** Null: not given yet. */
  readonly installation: Installation | null;
}

/** Example: `storeIdOf('0b7c…', 0)` is `0b7c…`, and in a later epoch `0b7c….1764000000000`. */
export const storeIdOf = (written: string, epoch: number): string =>
  epoch === 0 ? written : `${written}.${epoch}`;

/** The id that was written once into the store, and the epoch. The reverse of `storeIdOf`. */
export const partsOfStoreId = (storeId: string): { readonly written: string; readonly epoch: number } => {
  const [written = '', epoch = '0'] = storeId.split('.');
  return { written, epoch: Number(epoch) };
};

/** Later than the epoch before, whatever the clock says. */
export const nextEpoch = (before: number): number => Math.max(Date.now(), before + 1);
