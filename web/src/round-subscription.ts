/**
 * Subscribes to a round's server-sent events. When a connection breaks, the browser reconnects by itself and sends the id
 * of the last event. When it receives another reply instead (a server that starts, a proxy without a server), the browser
 * gives up, and this module retries with growing pauses. It stops for good when the server says that the round is deleted.
 */
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import type { RoundChanges } from '../../src/competition/live/round-changes.js';
import { ConnectionSlots } from './connection-slots.js';

export interface RoundListener {
  round(round: RoundView): void;
  results(changes: RoundChanges): void;
  /** Called with false when the connection is lost, with true when it is back or the subscription ends. */
  connected(isConnected: boolean): void;
  /** The round was deleted. No other call follows. */
  deleted(): void;
}

/** A browser has six HTTP/1.1 connections to a server for all its tabs. Three are left for pages and images. */
const MAX_STREAMS = 3;
const SLOT_MS = 10_000;
/** Milliseconds before each retry; the last one repeats. */
const RETRY_PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

/** The codes of the server's own 404. A proxy's 404 has none of them. */
const NOT_FOUND_CODES = ['space-not-found', 'contest-not-found', 'round-not-found'];

const slots = new ConnectionSlots(MAX_STREAMS, SLOT_MS);

/** Returns a function that ends the subscription. */
export const subscribeToRound = (address: string, listener: RoundListener): (() => void) => {
  let stop = (): void => undefined;
  return slots.acquire({
    start: () => {
      stop = openStream(address, listener);
    },
    stop: () => stop(),
  });
};

const openStream = (address: string, listener: RoundListener): (() => void) => {
  const stopped = new AbortController();
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let retries = 0;
  const connect = (): void => {
    source = new EventSource(address);
    source.addEventListener('open', () => {
      retries = 0;
      listener.connected(true);
    });
    source.addEventListener('round', (event) => listener.round(dataOf(event)));
    source.addEventListener('results', (event) => listener.results(dataOf(event)));
    source.addEventListener('error', () => {
      listener.connected(false);
      if (source.readyState === EventSource.CLOSED) void handleRefusal();
    });
  };
  const handleRefusal = async (): Promise<void> => {
    const isDeleted = await isRoundDeleted(address, stopped.signal);
    if (stopped.signal.aborted) return;
    if (isDeleted) listener.deleted();
    else retry();
  };
  const retry = (): void => {
    const pause = RETRY_PAUSES_MS[Math.min(retries, RETRY_PAUSES_MS.length - 1)] ?? 0;
    retries += 1;
    // The random part keeps viewers from reconnecting all at once.
    timer = setTimeout(connect, pause * (1 + Math.random() / 2));
  };
  connect();
  return () => {
    stopped.abort();
    clearTimeout(timer);
    source.close();
    listener.connected(true);
  };
};

const dataOf = (event: Event) => JSON.parse(event instanceof MessageEvent ? event.data : 'null');

/** An EventSource hides the reply it was given, so this sends one more request. False when no server replies. */
const isRoundDeleted = async (address: string, signal: AbortSignal): Promise<boolean> => {
  try {
    const reply = await fetch(address, { signal });
    if (reply.status === 404) return isNotFound(await reply.json());
    // The stream of an existing round would not end by itself.
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
