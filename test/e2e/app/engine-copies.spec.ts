/**
 * Copies by the engines' own tools: the events first, then the operational store, which has seen more by then. A manifest
 * that was written before both tells such a copy from a store that has lost events.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ApiWorld, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { EsdbTestServer } from '../../support/eventstoredb/test-server.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { startServer } from '../../support/server.js';
import { until } from '../../support/until.js';

jest.setTimeout(240_000);

const RANKING = '/api/results/rankings/333/single/all';

describe('a copy by the engines’ own tools', () => {
  let root: string;
  let world: ApiWorld;
  let events: EsdbTestServer;
  let manifest: string;

  const file = (name: string): string => join(root, `${name}.sqlite`);
  /** The event store of these records, at the same address. */
  const turnTo = async (name: string): Promise<void> => {
    const { port } = events;
    await events.stop();
    events = await EsdbTestServer.start({ file: file(name), port });
  };
  const env = () => ({ EVENT_STORE_URL: events.url });
  const whileServing = async (dataDir: string, work: (client: Client) => Promise<void>): Promise<void> => {
    const server = await startServer({ dataDir, env: env() });
    const client = new Client(server.url);
    try {
      await work(client);
    } finally {
      client.close();
      await server.stop();
    }
  };
  const enter = (client: Client, attemptResult: number, attemptNumber: number) =>
    sendAttempt(client, world.keys.good, { personId: world.personIds[0], attemptResult, attemptNumber });
  const best = async (client: Client): Promise<unknown> =>
    Object(Object((await client.get(RANKING)).json)[0]).result;
  const shows = (client: Client, result: number): Promise<unknown> =>
    until(
      () => best(client),
      (found) => found === result,
    );
  /** A data folder with the copy of the operational store. */
  const copied = async (name: string, withManifest: boolean): Promise<string> => {
    const dataDir = join(root, name);
    await cp(join(root, 'node', 'operational.sqlite'), join(dataDir, 'operational.sqlite'));
    if (withManifest) await cp(manifest, join(dataDir, 'backup.json'));
    return dataDir;
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'podium-copies-'));
    events = await EsdbTestServer.start({ file: file('records') });
    const node = join(root, 'node');
    const app = await openPodiumApp(node, env());
    world = await makeApiWorld(app.commands);
    await app.close();
    const { port } = events;
    await events.stop();
    await cp(file('records'), file('too-early'));
    events = await EsdbTestServer.start({ file: file('records'), port });
    manifest = join(root, 'manifest.json');
    await whileServing(node, async (client) => {
      expect((await enter(client, 1_500, 1)).status).toBe(201);
      await shows(client, 1_500);
      const run = await podiumOn(node, env())('backup', '--manifest-only', manifest);
      expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
    });
    await turnTo('records');
    await cp(file('records'), file('snapshot'));
    await whileServing(node, async (client) => {
      expect((await enter(client, 1_400, 2)).status).toBe(201);
      await shows(client, 1_400);
    });
    expect((await podiumOn(node, env())('doctor')).stdout).toContain('last backup');
  });
  afterAll(async () => {
    await events.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('is reported as a loss without its manifest', async () => {
    await turnTo('snapshot');
    const dataDir = await copied('without', false);
    const doctor = await podiumOn(dataDir, env())('doctor');
    expect(doctor.status).toBe(1);
    expect(doctor.stderr).toContain('the events between are missing');
  });

  it('goes on from where it was copied with it, and its next losses are noticed', async () => {
    await turnTo('snapshot');
    const dataDir = await copied('with', true);
    expect((await podiumOn(dataDir, env())('doctor')).status).toBe(0);
    for (const [attemptNumber, result] of [
      [2, 1_300],
      [3, 1_200],
    ] as const) {
      await whileServing(dataDir, async (client) => {
        await until(
          () => client.get('/api/healthcheck'),
          ({ json }) => Object(json).status === 'ok',
        );
        if (attemptNumber === 2) expect(await best(client)).toBe(1_500);
        expect((await enter(client, result, attemptNumber)).status).toBe(201);
        await shows(client, result);
      });
      expect((await podiumOn(dataDir, env())('doctor')).status).toBe(0);
    }
    await turnTo('too-early');
    const doctor = await podiumOn(dataDir, env())('doctor');
    expect({ status: doctor.status, said: doctor.stderr }).toMatchObject({
      status: 1,
      said: expect.stringContaining('missing'),
    });
  });

  it('whose events end before its manifest is a loss', async () => {
    await turnTo('too-early');
    const dataDir = await copied('early', true);
    const doctor = await podiumOn(dataDir, env())('doctor');
    expect(doctor.status).toBe(1);
    expect(doctor.stderr).toContain('the events between are missing');
  });

  it('has one manifest: the file is not replaced', async () => {
    const again = await podiumOn(join(root, 'node'), env())('backup', '--manifest-only', manifest);
    expect({ status: again.status, said: again.stderr }).toMatchObject({
      status: 1,
      said: expect.stringContaining('is there already'),
    });
    const neither = await podiumOn(join(root, 'node'), env())('backup');
    expect(neither.stderr).toContain('give a folder, or --manifest-only with a file');
  });
});
