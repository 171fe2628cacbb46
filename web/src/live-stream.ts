/**
 * A round's server-sent events, for as long as somebody wants them. The browser connects again by itself where a line
 * broke, and says what it has seen last; where it was answered otherwise (a server that is just starting, a proxy in
 * front of none) it gives up, and this begins anew.
 */
import type { RoundView } from '../../src/contests/contest.queries.js';
import type { RoundChanges } from '../../src/live/round-changes.js';
import { Turns } from './turns.js';

export interface Follower {
  round(round: RoundView): void;
  results(changes: RoundChanges): void;
  /** False from when the connection is lost until it is there again, or is not wanted any more. */
  connected(isConnected: boolean): void;
}

/** A browser has six connections to a server for all its tabs, and pictures and pages want some too. */
const MOST_STREAMS = 3;
const TURN = 10_000;
/** Milliseconds before the next try; the last for all that follow. */
const PAUSES = [1_000, 2_000, 4_000, 8_000, 15_000];

const turns = new Turns(MOST_STREAMS, TURN);

/** Returns how to stop. */
export const follow = (address: string, follower: Follower): (() => void) => {
  let stop = (): void => undefined;
  return turns.take({
    start: () => {
      stop = stream(address, follower);
    },
    stop: () => stop(),
  });
};

const stream = (address: string, follower: Follower): (() => void) => {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  const connect = (): void => {
    source = new EventSource(address);
    source.addEventListener('open', () => {
      tries = 0;
      follower.connected(true);
    });
    source.addEventListener('round', ({ data }) => follower.round(JSON.parse(data)));
    source.addEventListener('results', ({ data }) => follower.results(JSON.parse(data)));
    source.addEventListener('error', () => {
      follower.connected(false);
      if (source.readyState === EventSource.CLOSED) again();
    });
  };
  const again = (): void => {
    const pause = PAUSES[Math.min(tries, PAUSES.length - 1)] ?? 0;
    tries += 1;
    // Not all viewers at once.
    timer = setTimeout(connect, pause * (1 + Math.random() / 2));
  };
  connect();
  return () => {
    clearTimeout(timer);
    source.close();
    follower.connected(true);
  };
};
