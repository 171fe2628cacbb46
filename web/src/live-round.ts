/**
 * A round that follows what happens in it, for as long as it can be seen: one that is scrolled away, or in a tab behind
 * others, holds no connection, and has all of the round again as soon as it comes back. One whose contest was deleted
 * meanwhile stays as it was, and is not asked for again.
 */
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import { applyChanges } from '../../src/competition/live/round-changes.js';
import { subscribeToRound } from './round-subscription.js';

export interface LiveRound {
  readonly round: RoundView;
  /** Ids of the results that changed last, to be pointed out. */
  readonly changedIds: ReadonlySet<string>;
  /** There is no such round any more: this is what it was. */
  readonly isDeleted: boolean;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** Addresses of rounds of which something is so, for components that ask whether it is of any. */
class AddressSet {
  #held: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  tell(address: string, isSo: boolean): void {
    if (this.#held.has(address) === isSo) return;
    this.#held = new Set(
      isSo ? [...this.#held, address] : [...this.#held].filter((held) => held !== address),
    );
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly isAny = (): boolean => this.#held.size > 0;
}

const disconnected = new AddressSet();
const deleted = new AddressSet();

const useIsAny = ({ subscribe, isAny }: AddressSet): boolean =>
  useSyncExternalStore(subscribe, isAny, () => false);

/** Whether a round that is seen may have gone on without the page. */
export const useIsDisconnected = (): boolean => useIsAny(disconnected);

/** Whether a round of the page is there no more: so is its contest, since no round goes without it. */
export const useIsDeleted = (): boolean => useIsAny(deleted);

/** `address` null: as it is, for rounds in which nothing can happen. `seen`: what has to be in view. */
export const useLiveRound = (
  shown: RoundView,
  address: string | null,
  seen: RefObject<Element | null>,
): LiveRound => {
  const [live, setLive] = useState<LiveRound>({ round: shown, changedIds: NO_IDS, isDeleted: false });
  const { isDeleted } = live;
  const isSeen = useIsVisible(seen, address !== null);
  useEffect(() => {
    if (address === null || !isSeen || isDeleted) return undefined;
    return subscribeToRound(address, {
      round: (round) => setLive({ round, changedIds: NO_IDS, isDeleted: false }),
      results: (changes) => {
        const changedIds = new Set(changes.results.map(({ resultId }) => resultId));
        setLive(({ round }) => ({ round: applyChanges(round, changes), changedIds, isDeleted: false }));
      },
      connected: (isConnected) => disconnected.tell(address, !isConnected),
      deleted: () => setLive(({ round }) => ({ round, changedIds: NO_IDS, isDeleted: true })),
    });
  }, [address, isSeen, isDeleted]);
  useEffect(() => {
    if (address === null || !isDeleted) return undefined;
    deleted.tell(address, true);
    return () => deleted.tell(address, false);
  }, [address, isDeleted]);
  return live;
};

/** In view, or nearly, of a tab that is in front. */
const useIsVisible = (seen: RefObject<Element | null>, isWatched: boolean): boolean => {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = seen.current;
    if (element === null || !isWatched) return undefined;
    let isInView = false;
    const look = (): void => setSeen(isInView && document.visibilityState === 'visible');
    const observer = new IntersectionObserver(
      (entries) => {
        isInView = entries.at(-1)?.isIntersecting ?? false;
        look();
      },
      { rootMargin: '100px' },
    );
    observer.observe(element);
    document.addEventListener('visibilitychange', look);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', look);
    };
  }, [seen, isWatched]);
  return isSeen;
};
