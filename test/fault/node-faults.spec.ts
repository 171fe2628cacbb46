/**
 * Faults at random, again and again, while devices enter through three nodes and turn to another when theirs is gone: a
 * node or the server of a store is killed, ended or paused, and a store's connections break or go silent. Nothing that any
 * node acknowledged is missing or doubled, and at the end every node shows the same, which is what a fresh replay of the
 * events shows. PODIUM_TEST_NODE_FAULTS sets how often, PODIUM_TEST_SEED which.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { CATEGORIES, RANKING_TYPES, SHOWS } from '../../src/domain/rankings.js';
import { EVENT_STORE, type EventStore } from '../../src/foundation/event-store/event-store.js';
import { encodePosition } from '../../src/foundation/event-store/position-token.js';
import { Cluster, type EngineProcess, type Link, type Node } from '../support/cluster.js';
import { Device, faultsOf, figuresOf, loggedValues } from '../support/devices.js';
import { type EntryWorld, makeEntryWorld } from '../support/entry-world.js';
import { writeFigures } from '../support/figures.js';
import { at } from '../support/ran-history.js';
import { EMBEDDED, EMPTY_SERVERS } from '../support/store-pairs.js';
import { until } from '../support/until.js';

const FAULTS = Number(process.env.PODIUM_TEST_NODE_FAULTS ?? 5);
const SEED = Number(process.env.PODIUM_TEST_SEED ?? 7);
/** How long a node or the server of a store is paused, or a store away. */
const AWAY_MS = 2_000;
const NODES = 3;
const DEVICES = 6;
const PERSONS_PER_DEVICE = 2;
const ENTRIES_BETWEEN = 40;
const LONG = 600_000 + FAULTS * 60_000;
const CONTEST = { spaceId: 'load', competitionId: 'Load2024' };

/** The same choices for the same seed. */
const choices = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

type Faults = Readonly<Record<string, () => Promise<void>>>;

/** A fault that lasts AWAY_MS. */
const during = (begin: () => unknown, end: () => unknown) => async (): Promise<void> => {
  await begin();
  await pause(AWAY_MS);
  await end();
};

const faultsOfLink = (link: Link): Faults => ({
  'connections cut': during(
    () => link.goAway(),
    () => link.comeBack(),
  ),
  'connections silent': during(
    () => link.stall(),
    () => link.resume(),
  ),
});

const faultsOfEngine = (engine: EngineProcess): Faults => ({
  'engine killed': during(
    () => engine.end('SIGKILL'),
    () => engine.start(),
  ),
  'engine stopped': during(
    () => engine.end('SIGTERM'),
    () => engine.start(),
  ),
  'engine paused': during(
    () => engine.pause(),
    () => engine.resume(),
  ),
});

describe.each([EMBEDDED, EMPTY_SERVERS])('faults under load on $name', ({ name, open }) => {
  let cluster: Cluster;
  afterEach(() => cluster.close());

  const prepare = async (): Promise<{ world: EntryWorld; devices: readonly Device[] }> => {
    const size = { rounds: 1, persons: DEVICES * PERSONS_PER_DEVICE, devices: DEVICES };
    const world = await makeEntryWorld((await cluster.app()).get(CommandBus), CONTEST, size);
    await cluster.closeApp();
    const devices = world.keys.map((key, index) => {
      const first = index * PERSONS_PER_DEVICE;
      const own = world.personIds.slice(first, first + PERSONS_PER_DEVICE);
      return new Device(key, world.rounds, own, { comesAgain: true });
    });
    return { world, devices };
  };

  /** Enters through one node after the other: where one is lost, through the next that is there. */
  const roam = async (device: Device, nodes: readonly Node[], signal: AbortSignal): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const node = nodes[turn % nodes.length];
      const end = node ? await device.run(node.server.url, signal, () => undefined) : 'lost the server';
      if (typeof end === 'object') throw new Error(`refused with ${end.refusedWith}`);
    }
  };

  /** Another node takes the place of one that is gone. */
  const faultsOfNode = (nodes: Node[], index: number): Faults => {
    const node = at(nodes, index);
    const replace = async (end: Promise<void>): Promise<void> => {
      nodes.splice(index, 1);
      await end;
      nodes.push(await cluster.start());
    };
    const { process } = node.server;
    return {
      'node killed': () => replace(cluster.kill(node)),
      'node ended': () => replace(cluster.end(node)),
      'node paused': during(
        () => process.kill('SIGSTOP'),
        () => process.kill('SIGCONT'),
      ),
    };
  };

  /** Causes one of the faults that nodes on these stores can have. Returns which. */
  const strike = async (nodes: Node[], pick: (below: number) => number): Promise<string> => {
    const { links, engines } = cluster;
    const faults = Object.entries({
      ...faultsOfNode(nodes, pick(nodes.length)),
      ...(links.length > 0 && faultsOfLink(at(links, pick(links.length)))),
      ...(engines.length > 0 && faultsOfEngine(at(engines, pick(engines.length)))),
    });
    const [kind, cause] = at(faults, pick(faults.length));
    await cause();
    return kind;
  };

  const paths = (world: EntryWorld): readonly string[] => {
    const eventIds = [...new Set(world.rounds.map(({ eventId }) => eventId))];
    const lists = eventIds.flatMap((eventId) =>
      RANKING_TYPES.flatMap((type) =>
        CATEGORIES.flatMap((category) =>
          SHOWS.map((show) => `results/rankings/${eventId}/${type}/${category}?show=${show}`),
        ),
      ),
    );
    return [...lists, `competitions/${CONTEST.competitionId}`, 'competitions', 'events'];
  };

  const readAll = async (node: Node, world: EntryWorld, token: string) => {
    const replies: Record<string, string> = {};
    for (const path of paths(world)) {
      const { status, text } = await node.client.after(token, `/api/${CONTEST.spaceId}/${path}`);
      expect([path, status]).toEqual([path, 200]);
      replies[path] = text;
    }
    return replies;
  };

  it(
    `lose nothing in ${FAULTS} faults, and all nodes show what a replay shows`,
    async () => {
      cluster = await Cluster.open(open);
      const { world, devices } = await prepare();
      const nodes: Node[] = [];
      for (let index = 0; index < NODES; index += 1) nodes.push(await cluster.start());
      const stop = new AbortController();
      const entering = devices.map((device) => roam(device, nodes, stop.signal));
      const all = Promise.all(entering);
      const acknowledged = (): number => devices.reduce((sum, device) => sum + device.acknowledged, 0);
      const pick = choices(SEED);
      const struck = new Map<string, number>();
      for (let fault = 0; fault < FAULTS; fault += 1) {
        const before = acknowledged();
        await Promise.race([
          all,
          until(
            async () => acknowledged() - before,
            (entered) => entered >= ENTRIES_BETWEEN,
          ),
        ]);
        const kind = await strike(nodes, pick);
        struck.set(kind, (struck.get(kind) ?? 0) + 1);
      }
      stop.abort();
      await all;

      const app = await cluster.app();
      const store = app.get<EventStore>(EVENT_STORE);
      const kinds = [...struck].map(([kind, count]) => `${count} ${kind}`).join(', ');
      writeFigures(`${FAULTS} faults on ${name} (${kinds}): ${figuresOf(devices)}`);
      expect(faultsOf(devices, await loggedValues(store))).toEqual([]);
      const token = encodePosition(store.storeId, await store.head());
      const shown: Readonly<Record<string, string>>[] = [];
      for (const node of nodes) shown.push(await readAll(node, world, token));
      for (const one of shown) expect(one).toEqual(shown[0]);
      const replayed = await cluster.replayed();
      try {
        expect(await readAll(replayed, world, token)).toEqual(shown[0]);
      } finally {
        replayed.client.close();
        await replayed.server.stop();
        await replayed.server.remove();
      }
    },
    LONG,
  );
});
