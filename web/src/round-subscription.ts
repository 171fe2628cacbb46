/**
 * A round's server-sent events, for as long as somebody wants them. The browser connects again by itself where a line
 * broke, and says what it has seen last; where it was answered otherwise (a server that is just starting, a proxy in
 * front of none) it gives up, and this begins anew. Where the server says that there is no such round any more (its
 * contest was deleted), nothing is begun again.
 */
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import type { RoundChanges } from '../../src/competition/live/round-changes.js';
import { ConnectionSlots } from './connection-slots.js';

export interface RoundListener {
  round(round: RoundView): void;
  results(changes: RoundChanges): void;
  /** False from when the connection is lost until it is there again, or is not wanted any more. */
  connected(isConnected: boolean): void;
  /** There is no such round any more, and nothing follows. */
  deleted(): void;
}

/** A browser has six connections to a server for all its tabs, and pictures and pages want some too. */
const MAX_STREAMS = 3;
const SLOT_MS = 10_000;
/** Milliseconds before the next try; the last for all that follow. */
const RETRY_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** A 404 of a proxy is none of these. */
const NOT_FOUND_CODES = ['space-not-found', 'contest-not-found', 'round-not-found'];

const slots = new ConnectionSlots(MAX_STREAMS, SLOT_MS);

/** Returns how to stop. */
export const subscribeToRound = (address: string, follower: RoundListener): (() => void) => {
  let stop = (): void => undefined;
  return slots.acquire({
    start: () => {
      stop = openStream(address, follower);
    },
    stop: () => stop(),
  });
};

const openStream = (address: string, follower: RoundListener): (() => void) => {
  const stopped = new AbortController();
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  const connect = (): void => {
    source = new EventSource(address);
    source.addEventListener('open', () => {
      tries = 0;
      follower.connected(true);
    });
    source.addEventListener('round', (event) => follower.round(dataOf(event)));
    source.addEventListener('results', (event) => follower.results(dataOf(event)));
    source.addEventListener('error', () => {
      follower.connected(false);
      if (source.readyState === EventSource.CLOSED) void refused();
    });
  };
  const refused = async (): Promise<void> => {
    const none = await isRoundDeleted(address, stopped.signal);
    if (stopped.signal.aborted) return;
    if (none) follower.deleted();
    else again();
  };
  const again = (): void => {
    const pause = RETRY_PAUSES_MS[Math.min(tries, RETRY_PAUSES_MS.length - 1)] ?? 0;
    tries += 1;
    // Not all viewers at once.
    timer = setTimeout(connect, pause * (1 + Math.random() / 2));
  };
  connect();
  return () => {
    stopped.abort();
    clearTimeout(timer);
    source.close();
    follower.connected(true);
  };
};

const dataOf = (event: Event) => JSON.parse(event instanceof MessageEvent ? event.data : 'null');

/** An EventSource keeps to itself what it was answered, so it is asked for once more. False where nobody answers. */
const isRoundDeleted = async (address: string, signal: AbortSignal): Promise<boolean> => {
  try {
    const reply = await fetch(address, { signal });
    if (reply.status === 404) return isNotFound(await reply.json());
    // A round that is there would go on telling.
    await reply.body?.cancel();
    return false;
  } catch {
    return false;
  }
};

const isNotFound = (problem: unknown): boolean =>
  typeof problem === 'object' &&
  problem !== null &&
  'type' in problem &&
  NOT_FOUND_CODES.some((code) => String(problem.type).endsWith(`/${code}`));
