/**
 * A round that follows what happens in it, for as long as it can be seen: one that is scrolled away, or in a tab behind
 * others, holds no connection, and has all of the round again as soon as it comes back.
 */
import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react';
import type { RoundView } from '../../src/contests/contest.queries.js';
import { applyChanges } from '../../src/live/round-changes.js';
import { follow } from './live-stream.js';

export interface LiveRound {
  readonly round: RoundView;
  /** Ids of the results that changed last, to be pointed out. */
  readonly changed: ReadonlySet<string>;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Addresses of rounds that are followed and cut off. */
let lost: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

const tell = (address: string, isLost: boolean): void => {
  if (lost.has(address) === isLost) return;
  lost = new Set(isLost ? [...lost, address] : [...lost].filter((other) => other !== address));
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a round that is seen may have gone on without the page. */
export const useIsCutOff = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => lost.size > 0,
    () => false,
  );

/** `address` null: as it is, for rounds in which nothing can happen. `seen`: what has to be in view. */
export const useLiveRound = (
  shown: RoundView,
  address: string | null,
  seen: RefObject<Element | null>,
): LiveRound => {
  const [live, setLive] = useState<LiveRound>({ round: shown, changed: NOTHING });
  const isSeen = useIsSeen(seen, address !== null);
  useEffect(() => {
    if (address === null || !isSeen) return undefined;
    return follow(address, {
      round: (round) => setLive({ round, changed: NOTHING }),
      results: (changes) => {
        const changed = new Set(changes.results.map(({ resultId }) => resultId));
        setLive(({ round }) => ({ round: applyChanges(round, changes), changed }));
      },
      connected: (isConnected) => tell(address, !isConnected),
    });
  }, [address, isSeen]);
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
