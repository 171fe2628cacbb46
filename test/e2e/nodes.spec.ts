/**
 * Three equal nodes on the same stores: each takes commands and serves reads, one of them projects, and what each has
 * in memory stays right whichever node a change came through. The bounds that docs/architecture.md states are held here.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { IssueKey, RevokeKey } from '../../src/access/access.commands.js';
import { EndContest } from '../../src/contests/contest.commands.js';
import { LEASE_MS } from '../../src/projections/projector-host.js';
import { podiumOn } from '../support/cli.js';
import type { Reply } from '../support/client.js';
import { Cluster, healthOf, metricOf, type Node, positionOf, projectingOf } from '../support/cluster.js';
import { type EntryWorld, makeEntryWorld } from '../support/entry-world.js';
import { STORE_PAIRS } from '../support/store-pairs.js';
import { until } from '../support/until.js';

const CONTEXT = { actor: 'test', correlationId: 'nodes' };
const CONTEST = { spaceId: 'load', competitionId: 'Load2024' };
const RUNS = 9;

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe.each(STORE_PAIRS)('three nodes on $name', ({ open }) => {
  let cluster: Cluster;
  let nodes: Node[];
  let world: EntryWorld;
  let commands: CommandBus;
  let entered = 0;

  beforeAll(async () => {
    cluster = await Cluster.open(open);
    commands = (await cluster.app()).get(CommandBus);
    world = await makeEntryWorld(commands, CONTEST, { rounds: 1, persons: 4, devices: 3 });
    nodes = [await cluster.start(), await cluster.start(), await cluster.start()];
  });
  afterAll(() => cluster.close());

  const nodeAt = (index: number): Node => {
    const node = nodes[index];
    if (!node) throw new Error(`there is no node ${index}`);
    return node;
  };

  /** A new value for one attempt, other than all before. */
  const enter = ({ client }: Node, more: { eventId?: string; key?: string } = {}): Promise<Reply> => {
    entered += 1;
    const { eventId = 'cube', key = world.keys[0] ?? '' } = more;
    const personId = world.personIds[0];
    const body = {
      ...CONTEST,
      eventId,
      roundNumber: 1,
      personId,
      attemptNumber: 1,
      attemptResult: 1_000 + entered,
    };
    return client.post('/api/enter-attempt', body, { 'x-api-key': key });
  };

  const rankingPath = (eventId: string): string => `/api/load/results/rankings/${eventId}/single/all`;
  const ranking = ({ client }: Node, eventId: string, seen?: string): Promise<Reply> =>
    client.get(rankingPath(eventId), seen === undefined ? {} : { 'podium-position': seen });
  const shown = (reply: Reply): unknown => Object(Object(reply.json)[0]).result;

  it('are one that projects and two that follow, and doctor knows them all', async () => {
    await until(
      async () => (await Promise.all(nodes.map(healthOf))).filter(({ projector }) => projector).length,
      (projecting) => projecting === 1,
    );
    const doctor = async () =>
      Object((await podiumOn(cluster.dataDir, cluster.env)('doctor', '--json')).json());
    const found = await until(doctor, ({ nodes: listed }) => listed.length === 3);
    const healths = await Promise.all(nodes.map(healthOf));
    const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
    expect(found.nodes).toMatchObject(
      healths
        .map(({ node, projector }, index) => ({
          id: node,
          projecting: projector,
          address: nodeAt(index).server.url,
          pid: nodeAt(index).server.process.pid,
        }))
        .sort(byId),
    );
    expect(found).toMatchObject({ ok: true, problems: [], projector: found.lease.holder });
    expect(Date.parse(found.lease.expiresAt)).toBeGreaterThan(Date.now() - LEASE_MS);
    const settled = await until(doctor, ({ nodes: listed }) =>
      listed.every(({ lag }: { lag: number }) => lag === 0),
    );
    expect(settled.nodes.map(({ position }: { position: number }) => position)).toEqual(
      Array.from({ length: 3 }, () => settled.position),
    );
    for (const { client } of nodes)
      expect((await client.get('/api/healthcheck?for=traffic')).status).toBe(200);
  });

  it('show on every node what was entered through any, to whoever sends its position along', async () => {
    for (const through of nodes) {
      const entry = await enter(through);
      expect(entry.status).toBe(201);
      const replies = await Promise.all(nodes.map((node) => ranking(node, 'cube', positionOf(entry))));
      expect(replies.map(({ headers }) => headers['podium-stale'])).toEqual(nodes.map(() => undefined));
      expect(replies.map(shown)).toEqual(nodes.map(() => 1_000 + entered));
      expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1);
    }
  });

  it('race for one round and lose nothing', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, (_, index) => enter(nodeAt(index % 3))));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    const last = replies.map(positionOf).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    const lists = await Promise.all(nodes.map((node) => ranking(node, 'cube', last.at(-1))));
    expect(new Set(lists.map(({ text }) => text)).size).toBe(1);
  });

  it('retire on every node the bytes of the list that changed, and no others', async () => {
    const projecting = await projectingOf(nodes);
    const followers = nodes.filter((node) => node !== projecting);
    const keptAfterEntry = async (): Promise<readonly number[]> => {
      for (const node of followers) for (const eventId of ['clock', 'cube']) await ranking(node, eventId);
      const seen = positionOf(await enter(projecting));
      for (const node of followers) expect(shown(await ranking(node, 'cube', seen))).toBe(1_000 + entered);
      return Promise.all(followers.map((node) => metricOf(node, 'podium_byte_cache_entries')));
    };
    await enter(projecting, { eventId: 'clock' });
    await until(keptAfterEntry, (kept) => kept.every((entries) => entries === 2));
    for (let run = 0; run < RUNS; run += 1) expect(await keptAfterEntry()).toEqual([2, 2]);
  });

  it('show an entry on the other nodes within the bound', async () => {
    const [through, other] = [nodeAt(0), nodeAt(1)];
    const took: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      await enter(through);
      const begun = performance.now();
      await until(
        async () => shown(await ranking(other, 'cube')),
        (value) => value === 1_000 + entered,
      );
      took.push(performance.now() - begun);
    }
    expect(median(took)).toBeLessThan(cluster.boundMs);
  });

  it('refuse a revoked key on every node within the bound, and never take it again', async () => {
    const took: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const { keyId, key } = await commands.execute(new IssueKey(CONTEST, `timer ${run}`, CONTEXT));
      for (const node of nodes) expect((await enter(node, { key })).status).toBe(201);
      await commands.execute(new RevokeKey(keyId, CONTEXT));
      const begun = performance.now();
      for (const node of nodes) {
        await until(
          async () => (await enter(node, { key })).status,
          (status) => status === 401,
        );
      }
      took.push(performance.now() - begun);
      for (const node of nodes) expect((await enter(node, { key })).status).toBe(401);
    }
    expect(median(took)).toBeLessThan(cluster.boundMs);
  });

  it('project on another node when the one that projected is killed', async () => {
    const killed = await projectingOf(nodes);
    nodes = nodes.filter((node) => node !== killed);
    await cluster.kill(killed);
    const begun = performance.now();
    const seen = positionOf(await enter(nodeAt(0)));
    await until(
      () => Promise.all(nodes.map((node) => ranking(node, 'cube', seen))),
      (replies) => replies.every((reply) => shown(reply) === 1_000 + entered),
    );
    expect(performance.now() - begun).toBeLessThan(2 * LEASE_MS);
    await projectingOf(nodes);
    nodes.push(await cluster.start());
  });

  it('project on another node when the one that projected stands still, which then follows', async () => {
    const paused = await projectingOf(nodes);
    const others = nodes.filter((node) => node !== paused);
    paused.server.process.kill('SIGSTOP');
    const begun = performance.now();
    const seen = positionOf(await enter(others[0] ?? nodeAt(0)));
    await until(
      () => Promise.all(others.map((node) => ranking(node, 'cube', seen))),
      (replies) => replies.every((reply) => shown(reply) === 1_000 + entered),
    );
    expect(performance.now() - begun).toBeLessThan(2 * LEASE_MS);
    paused.server.process.kill('SIGCONT');
    await until(
      () => healthOf(paused),
      ({ projector }) => !projector,
    );
    const again = positionOf(await enter(paused));
    const replies = await Promise.all(nodes.map((node) => ranking(node, 'cube', again)));
    expect(replies.map(shown)).toEqual(nodes.map(() => 1_000 + entered));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  it('take no attempt on any node once the contest has ended', async () => {
    await commands.execute(new EndContest(CONTEST, 'finish', CONTEXT));
    const replies = await Promise.all(nodes.map((node) => enter(node)));
    expect(replies.map(({ status }) => status)).not.toContain(201);
    expect(replies.every(({ status }) => status >= 400 && status < 500)).toBe(true);
  });
});
