/**
 * A damaged profile is never shown and costs no more than the replies that show it: they are refused and name it, and health,
 * metrics and `podium verify` say where it is.
 */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type ApiWorld, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { podiumOn } from '../../support/cli.js';
import type { Client } from '../../support/client.js';
import { mongoServer } from '../../support/mongodb/mongo-server.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { whileServing } from '../../support/server.js';
import { embeddedStores, mongoStores, type SpoiledStores } from '../../support/spoiled-stores.js';
import { until } from '../../support/until.js';

jest.setTimeout(240_000);

const RANKING = '/api/results/rankings/333/single/all';
const mongo = await mongoServer(['ReadModelStore', 'OperationalStore'], {
  what: 'damage of the operational store under a server',
});

describe.each<[string, string, (() => Promise<SpoiledStores>) | null]>([
  ['SQLite', 'profiles, row 1', embeddedStores],
  ['MongoDB', 'profiles, document 1', mongo && (() => mongoStores(mongo))],
])('a damaged profile on %s', (_engine, place, open) => {
  if (open === null) {
    it('did not run: the last lines of npm test say why', () => {});
    return;
  }
  let stores: SpoiledStores;
  let world: ApiWorld;
  const enter = (client: Client, person: number, attemptResult: number) =>
    sendAttempt(client, world.keys.good, { personId: world.personIds[person] ?? 0, attemptResult });

  beforeEach(async () => {
    stores = await open();
    const app = await openPodiumApp(stores.dataDir, stores.env);
    world = await makeApiWorld(app.commands);
    await app.close();
  });
  afterEach(() => stores.dispose());

  it('is named wherever it would be shown', async () => {
    const { dataDir, env } = stores;
    await whileServing(
      dataDir,
      async (client) => {
        const entered = await enter(client, 0, 1_500);
        expect(entered.status).toBe(201);
        const shown = await client.after(entered.headers['podium-position'], RANKING);
        expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('Ada') });
      },
      env,
    );
    const podium = podiumOn(dataDir, env);
    expect(await podium('verify')).toMatchObject({ status: 0 });
    await stores.changeProfile(world.personIds[0]);
    const verified = await podium('verify');
    expect({ status: verified.status, says: verified.stderr }).toEqual({
      status: 1,
      says: expect.stringContaining(`operational, ${place}`),
    });
    await whileServing(
      dataDir,
      async (client) => {
        const refused = await client.get(RANKING);
        expect(refused).toMatchObject({
          status: 503,
          json: { type: '/api/docs/problems/content-damaged', detail: expect.stringContaining(place) },
        });
        expect(refused.headers['retry-after']).toBe('10');
        const { json } = await until(
          () => client.get('/api/healthcheck'),
          (reply) => Object(reply.json).damage !== null,
        );
        expect(json).toMatchObject({ status: 'degraded', damage: { store: 'operational', place } });
        expect((await enter(client, 1, 1_600)).status).toBe(201);
        expect((await client.get('/api/competitions')).status).toBe(200);
        const metrics = await until(
          async () => (await client.get('/metrics')).text,
          (text) => /^podium_scrub_damages\{store="operational"\} [1-9]/m.test(text),
        );
        expect(metrics).toMatch(/^podium_damages 1$/m);
        expect(metrics).toMatch(/^podium_scrub_checked\{store="operational"\} [1-9]/m);
      },
      env,
    );
  });
});
