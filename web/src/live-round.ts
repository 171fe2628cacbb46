/**
 * Keeps a round up to date while it is visible. A round that is scrolled away, or in a background tab, holds no
 * connection; it receives the whole round when it becomes visible again. When its contest is deleted, the round stays as
 * it was and the page does not subscribe again.
 */
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import { applyChanges } from '../../src/competition/live/round-changes.js';
import { subscribeToRound } from './round-subscription.js';

export interface LiveRound {
  readonly round: RoundView;
  /** Ids of the results in the last change, which the page highlights. */
  readonly changedIds: ReadonlySet<string>;
  /** True after the contest was deleted; `round` is then its last state. */
  readonly isDeleted: boolean;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** A set of round addresses. Components subscribe to whether it is empty. */
class AddressSet {
  #addresses: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<() => void>();

  set(address: string, isMember: boolean): void {
    if (this.#addresses.has(address) === isMember) return;
    const others = [...this.#addresses].filter((other) => other !== address);
    this.#addresses = new Set(isMember ? [...others, address] : others);
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly hasAny = (): boolean => this.#addresses.size > 0;
}

const disconnected = new AddressSet();
const deleted = new AddressSet();

const useHasAny = ({ subscribe, hasAny }: AddressSet): boolean =>
  useSyncExternalStore(subscribe, hasAny, () => false);

/** True while a visible round has lost its connection and may be out of date. */
export const useIsDisconnected = (): boolean => useHasAny(disconnected);

/** True when the server no longer has a round of the page. Rounds are only deleted with their contest. */
export const useIsDeleted = (): boolean => useHasAny(deleted);

/**
 * `address`: of the round's event stream; null for a round that cannot change any more. `element`: subscribes only while
 * this element is visible.
 */
export const useLiveRound = (
  shown: RoundView,
  address: string | null,
  element: RefObject<Element | null>,
): LiveRound => {
  const [live, setLive] = useState<LiveRound>({ round: shown, changedIds: NO_IDS, isDeleted: false });
  const { isDeleted } = live;
  const isVisible = useIsVisible(element, address !== null);
  useEffect(() => {
    if (address === null || !isVisible || isDeleted) return undefined;
    return subscribeToRound(address, {
      round: (round) => setLive({ round, changedIds: NO_IDS, isDeleted: false }),
      results: (changes) => {
        const changedIds = new Set(changes.results.map(({ resultId }) => resultId));
        setLive(({ round }) => ({ round: applyChanges(round, changes), changedIds, isDeleted: false }));
      },
      connected: (isConnected) => disconnected.set(address, !isConnected),
      deleted: () => setLive(({ round }) => ({ round, changedIds: NO_IDS, isDeleted: true })),
    });
  }, [address, isVisible, isDeleted]);
  useEffect(() => {
    if (address === null || !isDeleted) return undefined;
    deleted.set(address, true);
    return () => deleted.set(address, false);
  }, [address, isDeleted]);
  return live;
};

/** True while the element is in the viewport, or less than 100 px outside it, and the tab is in the foreground. */
const useIsVisible = (ref: RefObject<Element | null>, isObserved: boolean): boolean => {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null || !isObserved) return undefined;
    let isInView = false;
    const update = (): void => setVisible(isInView && document.visibilityState === 'visible');
    const observer = new IntersectionObserver(
      (entries) => {
        isInView = entries.at(-1)?.isIntersecting ?? false;
        update();
      },
      { rootMargin: '100px' },
    );
    observer.observe(element);
    document.addEventListener('visibilitychange', update);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', update);
    };
  }, [ref, isObserved]);
  return isVisible;
};
