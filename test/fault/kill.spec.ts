/**
 * kill -9 of the real server while many devices enter, again and again. After each kill every acknowledged attempt is
 * in the log once and in its order, and the read models, once they have caught up, are those that a replay of the log
 * makes. PODIUM_TEST_KILLS sets how often.
 */
import { cp, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EVENT_STORE, type EventStore } from '../../src/foundation/event-store/event-store.js';
import { Device, faultsOf, figuresOf, loggedValues } from '../support/devices.js';
import { type EntryWorld, makeEntryWorld } from '../support/entry-world.js';
import { writeFigures } from '../support/figures.js';
import { openPodiumApp, type PodiumApp, temporaryFolder } from '../support/podium-app.js';
import { readEverything } from '../support/read-everything.js';
import { startServer } from '../support/server.js';

const KILLS = Number(process.env.PODIUM_TEST_KILLS ?? 20);
const DEVICES = 8;
const PERSONS_PER_DEVICE = 2;
/** Then it begins again on empty stores: after each kill all events are replayed. */
const KILLS_OF_A_STORE = 50;
const LONG = 600_000 + KILLS_OF_A_STORE * 60_000;

const SERIES = Array.from({ length: Math.ceil(KILLS / KILLS_OF_A_STORE) }, (_, index) => ({
  first: index * KILLS_OF_A_STORE + 1,
  last: Math.min((index + 1) * KILLS_OF_A_STORE, KILLS),
}));

describe('kill -9 while devices enter', () => {
  let dataDir: string;
  let world: EntryWorld;
  let devices: readonly Device[];

  beforeEach(async () => {
    dataDir = await temporaryFolder();
    const app = await openPodiumApp(dataDir);
    const size = { rounds: 1, persons: DEVICES * PERSONS_PER_DEVICE, devices: DEVICES };
    world = await makeEntryWorld(app.commands, { spaceId: 'load', competitionId: 'Load2024' }, size);
    await app.close();
    devices = world.keys.map((key, index) => {
      const first = index * PERSONS_PER_DEVICE;
      return new Device(key, world.rounds, world.personIds.slice(first, first + PERSONS_PER_DEVICE));
    });
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  /** Lets all devices enter until `acknowledgements` replies have come, then kills the server under them. */
  const loadAndKill = async (acknowledgements: number): Promise<void> => {
    const server = await startServer({ dataDir });
    const running = new AbortController();
    let left = acknowledgements;
    let killed: Promise<void> | null = null;
    const ends = devices.map((device) =>
      device.run(server.url, running.signal, () => {
        left -= 1;
        if (left <= 0) killed ??= server.kill();
      }),
    );
    expect(await Promise.all(ends)).toEqual(devices.map(() => 'lost the server'));
    await killed;
  };

  const readAllOf = async (app: PodiumApp): Promise<ReadonlyMap<string, string>> => {
    await app.waitFor(await app.get<EventStore>(EVENT_STORE).head());
    const space = { spaceId: world.contest.spaceId, personIds: world.personIds };
    return readEverything(app.queries, [space]);
  };

  /** The same log without its read models. */
  const replayed = async (): Promise<ReadonlyMap<string, string>> => {
    const copy = await temporaryFolder();
    await cp(dataDir, copy, { recursive: true, filter: (path) => !/read-models|logs\.duckdb/.test(path) });
    const app = await openPodiumApp(copy);
    const everything = await readAllOf(app);
    await app.close();
    await rm(copy, { recursive: true, force: true });
    return everything;
  };

  it.each(SERIES)(
    'loses nothing and doubles nothing in the kills $first to $last, and the read models are those of a replay',
    async ({ first, last }) => {
      for (let kill = first; kill <= last; kill += 1) {
        await loadAndKill(20 + ((kill * 97) % 400));
        const fresh = await replayed();
        const app = await openPodiumApp(dataDir);
        const live = await readAllOf(app);
        const logged = await loggedValues(app.get<EventStore>(EVENT_STORE));
        await app.close();
        expect(faultsOf(devices, logged)).toEqual([]);
        expect(live).toEqual(fresh);
        expect(live.get('contest load/Load2024')).toContain('"best":');
      }
      writeFigures(`kills ${first} to ${last}: ${figuresOf(devices)}`);
      expect(Math.min(...devices.map(({ acknowledged }) => acknowledged))).toBeGreaterThan(0);
    },
    LONG,
  );
});
