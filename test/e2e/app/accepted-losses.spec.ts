/**
 * Going on after a loss on the stores of several nodes: an EventStoreDB that was put back or emptied, beside MongoDB, which
 * remembers how far it had come.
 */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ApiWorld, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { podiumOn } from '../../support/cli.js';
import type { Client } from '../../support/client.js';
import { EsdbTestServer } from '../../support/eventstoredb/test-server.js';
import { mongoServer, someDatabase } from '../../support/mongodb/mongo-server.js';
import { openPodiumApp, temporaryFolder } from '../../support/podium-app.js';
import { whileServing } from '../../support/server.js';
import { until } from '../../support/until.js';

jest.setTimeout(600_000);

const RANKING = '/api/results/rankings/333/single/all';
const mongo = await mongoServer(['ReadModelStore', 'OperationalStore'], {
  what: 'going on after a loss of events',
});

const onServers = (documents: NonNullable<typeof mongo>): void => {
  let root: string;
  let world: ApiWorld;
  let events: EsdbTestServer;
  let env: Record<string, string>;

  const file = (name: string): string => join(root, `${name}.sqlite`);
  const podium = (...args: readonly string[]) => podiumOn(join(root, 'node'), env)(...args);
  const serving = (work: (client: Client) => Promise<void>): Promise<void> =>
    whileServing(join(root, 'node'), work, env);
  /** The event store of these records, at the same address. */
  const turnTo = async (name: string): Promise<void> => {
    const { port } = events;
    await events.stop();
    events = await EsdbTestServer.start({ file: file(name), port });
  };
  const enter = (client: Client, attemptResult: number) =>
    sendAttempt(client, world.keys.good, { personId: world.personIds[0], attemptResult, attemptNumber: 1 });
  const shows = (client: Client, wanted: readonly number[]): Promise<unknown> =>
    until(
      async () => {
        const { json } = await client.get(RANKING);
        return Array.isArray(json) && json.map((entry) => Object(entry).result);
      },
      (found) => JSON.stringify(found) === JSON.stringify(wanted),
    );
  const isLoss = async (said: string): Promise<void> => {
    for (const command of ['doctor', 'accept-loss']) {
      const { status, stderr } = await podium(command);
      expect({ command, status, stderr }).toEqual({
        command,
        status: 1,
        stderr: expect.stringContaining(said),
      });
    }
    await serving(async (client) => {
      expect(await enter(client, 1_300)).toMatchObject({
        status: 503,
        json: { type: '/api/docs/problems/events-lost' },
      });
      const refused = await podium('accept-loss', '--yes');
      expect(refused.stderr).toContain('stop all servers first');
    });
    expect(await podium('accept-loss', '--yes')).toMatchObject({ status: 0 });
  };

  beforeAll(async () => {
    root = await temporaryFolder();
    events = await EsdbTestServer.start({ file: file('records') });
    env = {
      EVENT_STORE_URL: events.url,
      READ_MODEL_URL: documents.url(someDatabase()),
      OPERATIONAL_URL: documents.url(someDatabase()),
    };
    const app = await openPodiumApp(join(root, 'node'), env);
    world = await makeApiWorld(app.commands);
    await app.waitFor(world.position);
    await app.close();
    const { port } = events;
    await events.stop();
    await cp(file('records'), file('older'));
    events = await EsdbTestServer.start({ file: file('records'), port });
    await serving(async (client) => {
      // Longer than what is written after the first loss.
      for (const result of [1_504, 1_503, 1_502, 1_501, 1_500])
        expect((await enter(client, result)).status).toBe(201);
      await shows(client, [1_500]);
    });
    expect((await podium('doctor')).status).toBe(0);
  });
  afterAll(async () => {
    await events.stop();
    await rm(root, { recursive: true, force: true });
  });

  it('goes on from older events, and takes the longer ones that come back for a loss of what followed', async () => {
    await turnTo('older');
    await isLoss('the events between are missing');
    await serving(async (client) => {
      await shows(client, []);
      expect((await enter(client, 1_400)).status).toBe(201);
      await shows(client, [1_400]);
    });
    expect((await podium('doctor')).status).toBe(0);
    await turnTo('records');
    await isLoss('is from before the restore epoch');
    await serving(async (client) => {
      await shows(client, [1_500]);
    });
    expect((await podium('doctor')).status).toBe(0);
  });

  it('goes on from nothing', async () => {
    await turnTo('emptied');
    await isLoss('is gone or empty');
    await serving(async (client) => {
      await shows(client, []);
      expect((await enter(client, 1_200)).status).toBe(401);
    });
    expect((await podium('doctor')).status).toBe(0);
  });
};

describe('a loss on EventStoreDB and MongoDB', () => {
  if (mongo) onServers(mongo);
  else it('did not run: the last lines of npm test say why', () => {});
});
