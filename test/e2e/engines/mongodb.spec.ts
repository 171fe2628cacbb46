/**
 * The whole server with read models and profiles in MongoDB: entry, rankings, a contest's end; an outage that it
 * survives; and what a replay builds is what came about event by event.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EndContest } from '../../../src/competition/contests/contest.commands.js';
import { EVENT_STORE, type EventStore } from '../../../src/foundation/event-store/event-store.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { podiumOn } from '../../support/cli.js';
import { mongoServer, someDatabase } from '../../support/mongodb/mongo-server.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { readEverything } from '../../support/read-everything.js';
import { until } from '../../support/until.js';

const server = await mongoServer(['ReadModelStore', 'OperationalStore'], {
  what: 'the whole server on MongoDB, and an outage of it',
  needsOutage: true,
});
const LONG = 300_000;

const rankings = '/api/results/rankings/333/single/all';

const onMongo = (mongo: NonNullable<typeof server>): void => {
  const readModelUrl = mongo.url(someDatabase());
  const env = { READ_MODEL_URL: readModelUrl, OPERATIONAL_URL: mongo.url(someDatabase()) };
  let api: Api;

  beforeAll(async () => {
    api = await startApi(env);
  }, LONG);
  afterAll(() => api.close());

  const enter = (place: 0 | 1 | 2 | 3, attemptNumber: number, attemptResult: number) =>
    api.enter({ personId: api.world.personIds[place], attemptNumber, attemptResult });

  const readAfter = (position: unknown) => api.client.after(position, rankings);

  /** As applications without copies of old answers read it. */
  const everything = async (stores: Readonly<Record<string, string>>) => {
    const app = await openPodiumApp(api.server.dataDir, stores);
    try {
      await app.waitFor(await app.get<EventStore>(EVENT_STORE).head());
      const { personIds } = api.world;
      const regions = [null, 'IE'];
      return await readEverything(app.queries, [{ spaceId: SPACE, personIds }], { regions });
    } finally {
      await app.close();
    }
  };

  it('shows an attempt and its correction to a read that follows them, with the person’s name', async () => {
    expect((await enter(0, 1, 1_500)).status).toBe(201);
    await enter(1, 1, 1_400);
    const corrected = await enter(0, 1, 1_300);
    const read = await readAfter(corrected.headers['podium-position']);
    expect(read.json).toMatchObject([
      { ranking: 1, result: 1_300, persons: [{ name: 'Ada', assocId: '2016ADAA01' }] },
      { ranking: 2, result: 1_400, persons: [{ name: 'Bob' }] },
    ]);
  });

  it(
    'goes on by itself after MongoDB was away, with nothing missing that was answered',
    async () => {
      if (!mongo.process) return;
      await mongo.process.end('SIGKILL');
      try {
        expect((await api.client.get(rankings)).status).toBe(200);
        expect((await enter(0, 2, 1_200)).status).toBe(201);
        const uncopied = await api.client.get('/api/results/rankings/333/average/all?region=DE');
        expect(uncopied).toMatchObject({ status: 503, json: { type: '/api/docs/problems/unavailable' } });
        expect(uncopied.text).not.toContain('ongo');
      } finally {
        await mongo.process.start();
      }
      const entered = await enter(1, 2, 1_100);
      expect(entered.status).toBe(201);
      const read = await until(
        () => readAfter(entered.headers['podium-position']),
        ({ status }) => status === 200,
      );
      expect(read.json).toMatchObject([{ result: 1_100 }, { result: 1_200 }]);
    },
    LONG,
  );

  it(
    'finishes the contest, ends its keys, and a replay gives what came about',
    async () => {
      const contest = { spaceId: SPACE, competitionId: CONTEST };
      await api.commands.execute(new EndContest(contest, 'finish', CONTEXT));
      // That its key has ended, the server hears a moment after its round was closed.
      await until(
        () => enter(0, 3, 1_000),
        ({ status }) => {
          expect([401, 422]).toContain(status);
          return status === 401;
        },
      );
      const podium = podiumOn(api.server.dataDir, env);
      const live = await everything(env);
      const replayed = await podium('replay', '--json');
      expect(replayed).toMatchObject({ status: 0 });
      expect(await everything(env)).toEqual(live);
      const embedded = { ...env, READ_MODEL_URL: `sqlite:${join(api.server.dataDir, 'again.sqlite')}` };
      expect(await everything(embedded)).toEqual(live);
    },
    LONG,
  );

  it(
    'copies profiles into a file that an embedded store opens',
    async () => {
      const copy = `${api.server.dataDir}-copy`;
      const written = await podiumOn(api.server.dataDir, env)('backup', copy);
      expect(written).toMatchObject({ status: 0 });
      const found = await podiumOn(copy)('person', 'search', 'Ada', '--json');
      expect(found.stdout).toContain('2016ADAA01');
      await rm(copy, { recursive: true });
    },
    LONG,
  );
};

describe('the server on MongoDB', () => {
  if (server) onMongo(server);
  else it('did not run: the last lines of npm test say why', () => {});
});
