/** The state of a running screen: what it shows, the rounds that it has seen, whose turn it is, and whether it is cut off. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { RoundView } from '../../../src/competition/contests/contest.queries.js';
import type { ShownScreenView } from '../../../src/competition/hall/screens.queries.js';
import { applyChanges } from '../../../src/competition/live/round-changes.js';
import { subscribeToRound } from '../round-subscription.js';
import { followScreen } from './screen-feed.js';

export interface FollowedScreen {
  readonly screen: ShownScreenView;
  /** When the server last answered, in milliseconds since 1970; null while it does. */
  readonly lostAt: number | null;
  /** How often the server answered again after it had not. */
  readonly reconnects: number;
}

/** `shown`: when the page was rendered. `address`: of the screen in the API. */
export const useFollowedScreen = (shown: ShownScreenView, address: string): FollowedScreen => {
  const [state, setState] = useState<FollowedScreen>({ screen: shown, lostAt: null, reconnects: 0 });
  useEffect(() => {
    const script = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
    return followScreen({ screen: address, page: location.href }, script, {
      screen: (screen) =>
        setState((before) =>
          JSON.stringify(before.screen) === JSON.stringify(screen) ? before : { ...before, screen },
        ),
      connection: (lostAt) =>
        setState((before) => ({
          ...before,
          lostAt,
          reconnects: before.reconnects + (lostAt === null ? 1 : 0),
        })),
      outdated: () => location.reload(),
    });
  }, [address]);
  return state;
};

export interface SeenRound {
  readonly round: RoundView;
  /** Ids of the results in the last change. */
  readonly changedIds: ReadonlySet<string>;
}

const NO_IDS: ReadonlySet<string> = new Set();

/**
 * Follows the round with this address, and keeps what was seen of the others in `addresses` for their next turn. A new
 * `connection` subscribes anew: a stream over a lost network may wait for ever.
 */
export const useSeenRounds = (
  addresses: readonly string[],
  current: string | null,
  connection: number,
): ReadonlyMap<string, SeenRound> => {
  const [seen, setSeen] = useState<ReadonlyMap<string, SeenRound>>(new Map());
  const kept = addresses.join('\n');
  const see = useCallback(
    (address: string, change: (before: SeenRound | undefined) => SeenRound | undefined): void =>
      setSeen((before) => {
        const now = change(before.get(address));
        const others = [...before].filter(([other]) => other !== address && kept.split('\n').includes(other));
        return new Map(now === undefined ? others : [...others, [address, now]]);
      }),
    [kept],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `connection` asks for a new stream.
  useEffect(() => {
    if (current === null) return undefined;
    return subscribeToRound(current, {
      round: (round) => see(current, () => ({ round, changedIds: NO_IDS })),
      results: (changes) =>
        see(
          current,
          (before) =>
            before && {
              round: applyChanges(before.round, changes),
              changedIds: new Set(changes.results.map(({ resultId }) => resultId)),
            },
        ),
      connected: () => undefined,
      deleted: () => undefined,
    });
  }, [current, connection, see]);
  return seen;
};

/** Counts up, once in so many seconds. */
export const useTicks = (seconds: number): number => {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTicks((before) => before + 1), seconds * 1_000);
    return () => clearInterval(timer);
  }, [seconds]);
  return ticks;
};

/** Width of the screen by its height. 16:9 until the page runs in a browser. */
export const useAspect = (): number => useSyncExternalStore(onResize, aspect, () => 16 / 9);

const aspect = (): number => innerWidth / innerHeight;

const onResize = (changed: () => void): (() => void) => {
  addEventListener('resize', changed);
  return () => removeEventListener('resize', changed);
};

/** Keeps the device from sleeping, where the browser can. It gives the lock back whenever the page is hidden. */
export const useWakeLock = (): void => {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return undefined;
    let lock: WakeLockSentinel | null = null;
    let ended = false;
    const request = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      if (ended) await lock?.release();
    };
    const becomesVisible = (): void => void request();
    void request();
    document.addEventListener('visibilitychange', becomesVisible);
    return () => {
      ended = true;
      document.removeEventListener('visibilitychange', becomesVisible);
      void lock?.release();
    };
  }, []);
};
