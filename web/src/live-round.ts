/**
 * A round that follows what happens in it, for as long as it can be seen: one that is scrolled away, or in a tab behind
 * others, holds no connection, and has all of the round again as soon as it comes back. One whose contest was deleted
 * meanwhile stays as it was, and is not asked for again.
 */
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import { applyChanges } from '../../src/competition/live/round-changes.js';
import { follow } from './live-stream.js';

export interface LiveRound {
  readonly round: RoundView;
  /** Ids of the results that changed last, to be pointed out. */
  readonly changed: ReadonlySet<string>;
  /** There is no such round any more: this is what it was. */
  readonly isGone: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Addresses of rounds of which something is so, for components that ask whether it is of any. */
class Addresses {
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

const cutOff = new Addresses();
const gone = new Addresses();

const useIsAny = ({ subscribe, isAny }: Addresses): boolean =>
  useSyncExternalStore(subscribe, isAny, () => false);

/** Whether a round that is seen may have gone on without the page. */
export const useIsCutOff = (): boolean => useIsAny(cutOff);

/** Whether a round of the page is there no more: so is its contest, since no round goes without it. */
export const useIsGone = (): boolean => useIsAny(gone);

/** `address` null: as it is, for rounds in which nothing can happen. `seen`: what has to be in view. */
export const useLiveRound = (
  shown: RoundView,
  address: string | null,
  seen: RefObject<Element | null>,
): LiveRound => {
  const [live, setLive] = useState<LiveRound>({ round: shown, changed: NOTHING, isGone: false });
  const { isGone } = live;
  const isSeen = useIsSeen(seen, address !== null);
  useEffect(() => {
    if (address === null || !isSeen || isGone) return undefined;
    return follow(address, {
      round: (round) => setLive({ round, changed: NOTHING, isGone: false }),
      results: (changes) => {
        const changed = new Set(changes.results.map(({ resultId }) => resultId));
        setLive(({ round }) => ({ round: applyChanges(round, changes), changed, isGone: false }));
      },
      connected: (isConnected) => cutOff.tell(address, !isConnected),
      gone: () => setLive(({ round }) => ({ round, changed: NOTHING, isGone: true })),
    });
  }, [address, isSeen, isGone]);
  useEffect(() => {
    if (address === null || !isGone) return undefined;
    gone.tell(address, true);
    return () => gone.tell(address, false);
  }, [address, isGone]);
  return live;
};

/** In view, or nearly, of a tab that is in front. */
const useIsSeen = (seen: RefObject<Element | null>, isWatched: boolean): boolean => {
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
