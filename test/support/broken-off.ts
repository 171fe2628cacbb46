/** Commands that a crash breaks off. */
import { EventStoreUnavailableError } from '../../src/foundation/event-store/event-store.js';
import type { MemoryEventStore } from './memory-event-store.js';

/** Runs the action on a store that fails its append of this number, counted from 0, before or after it was written. */
export const breakOffAt = async (
  store: MemoryEventStore,
  { append, written }: { readonly append: number; readonly written: boolean },
  action: () => Promise<unknown>,
): Promise<void> => {
  let left = append;
  const fail = (): void => {
    if (left-- === 0) throw new EventStoreUnavailableError('broken off');
  };
  if (written) store.afterAppend = fail;
  else store.beforeAppend = fail;
  await action();
  store.beforeAppend = () => undefined;
  store.afterAppend = () => undefined;
};
