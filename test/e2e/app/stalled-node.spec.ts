/** A node whose projector thread hangs while another node moves on: balancers and operators are told. */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { Cluster, healthOf, LOGS_ELSEWHERE, type Node, positionOf } from '../../support/cluster.js';
import { type EntryWorld, makeEntryWorld } from '../../support/entry-world.js';
import { Lateness } from '../../support/lateness.js';
import { startServer } from '../../support/server.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';
import { until } from '../../support/until.js';

const CONTEST = { spaceId: 'load', competitionId: 'Load2024' };
const HANGING = fileURLToPath(new URL('../../support/hanging-projector.mjs', import.meta.url));
/** The promise. */
const NOTICED_WITHIN_MS = 5_000;
const RANKING = '/api/load/results/rankings/cube/single/all';

describe.each(STORE_PAIRS)('a node that stands still on $name', ({ open }) => {
  let cluster: Cluster;
  let world: EntryWorld;
  let moving: Node;
  let standing: Node;
  let hangFile: string;
  const lateness = new Lateness();

  beforeAll(async () => {
    cluster = await Cluster.open(open);
    world = await makeEntryWorld((await cluster.app()).commands, CONTEST, {
      rounds: 1,
      persons: 1,
      devices: 1,
    });
    await cluster.closeApp();
    hangFile = join(cluster.dataDir, 'hang');
    const env = { ...LOGS_ELSEWHERE, ...cluster.env };
    const server = await startServer({
      dataDir: cluster.dataDir,
      env: { ...env, NODE_OPTIONS: `--import=${HANGING}`, TEST_HANG_FILE: hangFile },
    });
    standing = { server, client: new Client(server.url) };
    moving = await cluster.start();
  });
  afterAll(async () => {
    lateness.stop();
    standing.client.close();
    await standing.server.kill();
    await cluster.close();
    await rm(cluster.dataDir, { recursive: true, force: true });
  });

  const enter = (attemptResult: number) =>
    moving.client.post(
      '/api/enter-attempt',
      {
        ...CONTEST,
        eventId: 'cube',
        roundNumber: 1,
        personId: world.personIds[0],
        attemptNumber: 1,
        attemptResult,
      },
      { 'x-api-key': world.keys[0] ?? '' },
    );
  const forTraffic = async ({ client }: Node): Promise<number> =>
    (await client.get('/api/healthcheck?for=traffic')).status;

  it('is not ready for traffic once the others have moved on, and doctor names it', async () => {
    await until(
      async () => Promise.all([standing, moving].map(forTraffic)),
      (all) => all.every((status) => status === 200),
    );
    await writeFile(hangFile, '');
    await until(
      async () => existsSync(hangFile),
      (exists) => !exists,
    );
    const shown = await until(
      async () =>
        moving.client.after(positionOf(await enter(1_000 + Math.floor(Math.random() * 900))), RANKING),
      ({ headers }) => headers['podium-stale'] === undefined,
    );
    expect(shown.status).toBe(200);
    const { ms } = await lateness.timed(() =>
      until(
        () => forTraffic(standing),
        (status) => status === 503,
      ),
    );
    expect(ms).toBeLessThan(NOTICED_WITHIN_MS);
    expect(await healthOf(standing)).toMatchObject({ status: 'degraded', ready: false });
    expect(await forTraffic(moving)).toBe(200);
    const { nodes, silentNodes } = await until(
      async () => Object((await podiumOn(cluster.dataDir, cluster.env)('doctor', '--json')).json()),
      (found) => found.silentNodes.length === 1,
    );
    expect(nodes).toMatchObject([{ address: moving.server.url }]);
    expect(silentNodes).toMatchObject([{ address: standing.server.url, pid: standing.server.process.pid }]);
    const doctor = await podiumOn(cluster.dataDir, cluster.env)('doctor');
    expect(doctor.status).toBe(1);
    expect(doctor.stderr).toContain(`${standing.server.url} was last seen at ${silentNodes[0].lastSeen}`);
    expect(doctor.stdout).not.toContain('all is well');
    await until(
      async () => standing.server.log.map(({ reason }) => String(reason)),
      (reasons) => reasons.some((reason) => /^this process stands at position \d+, and others/.test(reason)),
    );
  });
});
