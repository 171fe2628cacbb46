/**
 * The subscription to a round: it retries after a refused connection, with growing pauses, and stops when the server says
 * that the round does not exist.
 */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { type RoundListener, subscribeToRound } from '../../../web/src/round-subscription.js';

const ADDRESS = '/api/competitions/Open2026/rounds/333/1/live';
const LONG = 120_000;

/** What a browser does with a reply that is no event stream: it says `error`, closed for good. */
class RefusedSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 0;

  constructor(readonly address: string) {
    super();
    sources.push(this);
  }

  refuse(): void {
    this.readyState = RefusedSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }

  close(): void {
    this.readyState = RefusedSource.CLOSED;
  }
}

let sources: RefusedSource[];
let told: string[];
let stop: () => void;

const listener: RoundListener = {
  round: () => undefined,
  results: () => undefined,
  connected: (isConnected) => told.push(isConnected ? 'connected' : 'cut off'),
  deleted: () => told.push('gone'),
};

const problem = (status: number, code: string): Response =>
  Response.json({ type: `/api/docs/problems/${code}`, status }, { status });

/** Refuses what was begun last; the server, asked why, says this. */
const refuse = async (answer: () => Promise<Response>): Promise<void> => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(answer);
  sources.at(-1)?.refuse();
  await jest.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  jest.useFakeTimers();
  Object.assign(globalThis, { EventSource: RefusedSource });
  sources = [];
  told = [];
  stop = subscribeToRound(ADDRESS, listener);
});
afterEach(() => {
  stop();
  jest.restoreAllMocks();
  jest.useRealTimers();
  Reflect.deleteProperty(globalThis, 'EventSource');
});

it.each(['contest-not-found', 'round-not-found', 'space-not-found'])(
  'ends where it hears of %s',
  async (code) => {
    await refuse(async () => problem(404, code));
    expect(told).toEqual(['cut off', 'gone']);
    await jest.advanceTimersByTimeAsync(LONG);
    expect(sources).toHaveLength(1);
  },
);

it.each<[string, () => Promise<Response>]>([
  ['a server that is not ready', async () => problem(503, 'unavailable')],
  ['a 404 of something else', async () => new Response('no such site', { status: 404 })],
  ['a 404 with another code', async () => problem(404, 'path-not-found')],
  ['no server there', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a round that is there again', async () => new Response('event: round\n\n')],
])('begins again after %s, each time later', async (_, answer) => {
  await refuse(answer);
  await jest.advanceTimersByTimeAsync(900);
  expect(sources).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(700);
  expect(sources).toHaveLength(2);
  await refuse(answer);
  await jest.advanceTimersByTimeAsync(1_600);
  expect(sources).toHaveLength(2);
  await jest.advanceTimersByTimeAsync(1_500);
  expect(sources).toHaveLength(3);
  expect(told).toEqual(['cut off', 'cut off']);
});

it('says nothing and begins nothing once it was left while the server was being asked', async () => {
  let answer: (reply: Response) => void = () => undefined;
  await refuse(() => new Promise((resolve) => (answer = resolve)));
  stop();
  answer(problem(404, 'contest-not-found'));
  await jest.advanceTimersByTimeAsync(LONG);
  expect(told).toEqual(['cut off', 'connected']);
  expect(sources).toHaveLength(1);
});
