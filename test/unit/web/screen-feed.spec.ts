/** What keeps a screen alive: it asks on and on, says since when it is cut off, and holds one timer and one request. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { followScreen, scriptIn } from '../../../web/src/screen/screen-feed.js';

const SCREEN = { name: '1', shows: 'schedule', rounds: [], seconds: 15, theme: 'dark', showing: [] };
const ADDRESSES = { screen: '/api/competitions/Open2026/screens/1', page: '/screen/Open2026' };
const pageWith = (script: string): string => `<script type="module" src="${script}" fetchpriority="low">`;

let told: string[];
let asked: string[];
let stop: () => void;
let answer: (address: string, signal: AbortSignal | null | undefined) => Promise<Response>;

const isThere = async (address: string): Promise<Response> =>
  address === ADDRESSES.page ? new Response(pageWith('/assets/a.js')) : Response.json(SCREEN);
const isAway = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));
/** As a network does that loses everything that is sent. */
const hangs = (_: string, signal: AbortSignal | null | undefined): Promise<Response> =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));

const pass = (milliseconds: number): Promise<void> => jest.advanceTimersByTimeAsync(milliseconds);

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
  told = [];
  asked = [];
  answer = isThere;
  jest.spyOn(globalThis, 'fetch').mockImplementation((address, init) => {
    asked.push(String(address));
    return answer(String(address), init?.signal);
  });
  stop = followScreen(ADDRESSES, '/assets/a.js', {
    screen: ({ shows }) => told.push(shows),
    connection: (lostAt) => told.push(lostAt === null ? 'back' : `lost at ${lostAt}`),
    outdated: () => told.push('outdated'),
  });
});
afterEach(() => {
  stop();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('a screen', () => {
  it('is asked for every two seconds', async () => {
    await pass(6_000);
    expect(told).toEqual(['schedule', 'schedule', 'schedule', 'schedule']);
  });

  it('says since when there is no connection, once, and when it is back', async () => {
    await pass(2_000);
    answer = isAway;
    await pass(3_600_000);
    expect(told).toEqual(['schedule', 'schedule', 'lost at 1002000']);
    answer = isThere;
    await pass(2_000);
    expect(told.slice(3)).toEqual(['back', 'schedule']);
  });

  it('gives up a request that is not answered', async () => {
    answer = hangs;
    await pass(22_000);
    expect(told).toEqual(['schedule', 'lost at 1000000']);
  });

  it('says that the server answers again after a single request, whose connection may have been that of others', async () => {
    answer = hangs;
    await pass(4_000);
    answer = isThere;
    await pass(8_000);
    expect(told).toEqual(['schedule', 'back', 'schedule']);
  });

  it('takes an error of the server for a lost connection', async () => {
    answer = async () => new Response('', { status: 503 });
    await pass(4_000);
    expect(told).toEqual(['schedule', 'lost at 1000000']);
  });

  it('is loaded again when the page has another script, and only then', async () => {
    await pass(120_000);
    expect(asked.filter((address) => address === ADDRESSES.page)).toHaveLength(2);
    expect(told).not.toContain('outdated');
    answer = async (address) => (address === ADDRESSES.page ? new Response('away') : isThere(address));
    await pass(60_000);
    expect(told).not.toContain('outdated');
    answer = async (address) =>
      address === ADDRESSES.page ? new Response(pageWith('/assets/b.js')) : isThere(address);
    await pass(60_000);
    expect(told).toContain('outdated');
  });

  it('holds one timer and one request after a night with a network that comes and goes', async () => {
    for (let change = 0; change < 500; change += 1) {
      answer = change % 3 === 0 ? isAway : change % 3 === 1 ? hangs : isThere;
      await pass(60_000);
      expect(jest.getTimerCount()).toBe(1);
    }
    stop();
    expect(jest.getTimerCount()).toBe(0);
    const before = asked.length;
    await pass(60_000);
    expect(asked).toHaveLength(before);
  });
});

describe('the script of a page', () => {
  it('is that of its module', () => {
    expect(scriptIn(`<link>${pageWith('/assets/client-1.js')}</script>`)).toBe('/assets/client-1.js');
    expect(scriptIn('<p>Bad gateway</p>')).toBeNull();
  });
});
