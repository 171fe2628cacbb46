/**
 * A real server under load from devices that never give up, on stores that a test then takes away from it. Afterwards the
 * devices' account is held against the log, and what the server has made of the log against a replay of it.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EVENT_STORE, type EventStore } from '../../src/foundation/event-store/event-store.js';
import { Client } from './client.js';
import { Device, type DeviceEnd, faultsOf, loggedValues } from './devices.js';
import { type EntryWorld, makeEntryWorld } from './entry-world.js';
import { openPodiumApp, type PodiumApp, temporaryFolder } from './podium-app.js';
import { readEverything } from './read-everything.js';
import { startServer, type TestServer } from './server.js';
import { until } from './until.js';

const DEVICES = 8;
const PERSONS_PER_DEVICE = 2;
/** Of the log's levels. */
const ERROR = 50;

type Env = Readonly<Record<string, string>>;

export interface Verdict {
  /** What is not in the log as it was acknowledged. */
  readonly faults: readonly string[];
  /** Every read by its name: of the server's read models, and of a replay of the log. */
  readonly live: ReadonlyMap<string, string>;
  readonly replayed: ReadonlyMap<string, string>;
}

export class EntryLoad {
  readonly client: Client;
  readonly #stop = new AbortController();
  readonly #ends: Promise<DeviceEnd>[];
  readonly #devices: readonly Device[];
  readonly #world: EntryWorld;
  readonly #server: TestServer;
  readonly #env: Env;

  private constructor(server: TestServer, world: EntryWorld, env: Env) {
    this.#server = server;
    this.#world = world;
    this.#env = env;
    this.client = new Client(server.url);
    this.#devices = world.keys.map((key, index) => {
      const first = index * PERSONS_PER_DEVICE;
      const persons = world.personIds.slice(first, first + PERSONS_PER_DEVICE);
      return new Device(key, world.rounds, persons, { comesAgain: true });
    });
    this.#ends = this.#devices.map((device) => device.run(server.url, this.#stop.signal, () => undefined));
  }

  /** `env` names the stores; what it does not name is embedded in a folder of its own. */
  static async start(env: Env): Promise<EntryLoad> {
    const dataDir = await temporaryFolder();
    const app = await openPodiumApp(dataDir, env);
    const size = { rounds: 1, persons: DEVICES * PERSONS_PER_DEVICE, devices: DEVICES };
    const contest = { spaceId: 'load', competitionId: 'Load2024' };
    const world = await makeEntryWorld(app.commands, contest, size);
    await app.close();
    return new EntryLoad(await startServer({ dataDir, env }), world, env);
  }

  /** How often devices were told to come again. */
  get turnedAway(): number {
    return this.#devices.reduce((sum, device) => sum + device.turnedAway, 0);
  }

  /** Resolves when every device has had so many more entries acknowledged. */
  async progress(more: number): Promise<void> {
    const wanted = this.#devices.map(({ acknowledged }) => acknowledged + more);
    await until(
      async () => this.#devices.map(({ acknowledged }) => acknowledged),
      (now) => now.every((acknowledged, index) => acknowledged >= (wanted[index] ?? 0)),
    );
  }

  /** Resolves when devices have been told to come again so many times more. */
  async refusals(more: number): Promise<void> {
    const wanted = this.turnedAway + more;
    await until(
      async () => this.turnedAway,
      (now) => now >= wanted,
    );
  }

  ranking(): Promise<{ readonly status: number; readonly text: string }> {
    return this.client.get('/api/load/results/rankings/cube/single/all');
  }

  /** So long that another thread reads it. The ranking of a region that was not asked for before is not ready. */
  longRanking(region: string): Promise<{ readonly status: number; readonly text: string }> {
    return this.client.get(`/api/load/results/rankings/cube/single/all?topN=10000&region=${region}`);
  }

  /** What the server has logged of failures that are its own fault. */
  get mistakes(): readonly unknown[] {
    return this.#server.log.filter(({ level }) => Number(level) >= ERROR).map(({ err }) => err);
  }

  /** Ends the load and the server, then compares. Throws when a device did not come to its end by being told to. */
  async verdict(): Promise<Verdict> {
    this.#stop.abort();
    const ends = await Promise.all(this.#ends);
    const early = ends.filter((end) => end !== 'stopped');
    if (early.length > 0) throw new Error(`devices ended early: ${JSON.stringify(early)}`);
    await this.#caughtUp();
    this.client.close();
    await this.#server.stop();
    const app = await openPodiumApp(this.#server.dataDir, this.#env);
    const live = await this.#readAll(app);
    const logged = await loggedValues(app.get<EventStore>(EVENT_STORE));
    await app.close();
    return { faults: faultsOf(this.#devices, logged), live, replayed: await this.#replayed() };
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#ends);
    this.client.close();
    await this.#server.stop();
    await this.#server.remove();
  }

  /** The server has to come to the end of the log by itself. */
  async #caughtUp(): Promise<void> {
    await until(
      async () => Object(Object((await this.client.get('/api/healthcheck')).json).readModels).lag,
      (lag) => lag === 0,
    );
  }

  /** The same log, whose read models are built anew in an embedded store. */
  async #replayed(): Promise<ReadonlyMap<string, string>> {
    const copy = await temporaryFolder();
    const filter = (path: string): boolean => !path.includes('read-models');
    await cp(this.#server.dataDir, copy, { recursive: true, filter });
    const again = { READ_MODEL_URL: `sqlite:${join(copy, 'read-models.sqlite')}` };
    const app = await openPodiumApp(copy, { ...this.#env, ...again });
    const everything = await this.#readAll(app);
    await app.close();
    await rm(copy, { recursive: true, force: true });
    return everything;
  }

  async #readAll(app: PodiumApp): Promise<ReadonlyMap<string, string>> {
    await app.waitFor(await app.get<EventStore>(EVENT_STORE).head());
    const { contest, personIds } = this.#world;
    return readEverything(app.queries, [{ spaceId: contest.spaceId, personIds }]);
  }
}
