/** SIGTERM in the middle of entry: requests under way are finished, the process ends with 0, and nothing is lost. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import { GetContest } from '../../../src/competition/contests/contest.queries.js';
import { CONTEST, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { Client } from '../../support/client.js';
import { openPodiumApp, type PodiumApp } from '../../support/podium-app.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const ATTEMPTS = [1, 2, 3, 4, 5];

let app: PodiumApp;
let server: TestServer;

beforeAll(async () => {
  app = await openPodiumApp(await newDataDir());
});
afterAll(async () => {
  await app.close();
  await server.remove();
});

/** What one device knows of one attempt: what it sent last, and what was acknowledged last. */
interface Known {
  sent: number;
  acknowledged: number;
}

const isRefusedOnly = (status: number): boolean => status === 503;

describe('a server that is told to stop', () => {
  it('finishes what it has begun and loses nothing that it acknowledged', async () => {
    const world = await makeApiWorld(app.commands);
    server = await startServer({ dataDir: app.dataDir });
    const client = new Client(server.url);
    const known = new Map<string, Known>();
    let acknowledged = 0;
    let ended: Promise<number | null> | undefined;

    const device = async (personId: number, attemptNumber: number): Promise<void> => {
      const mine: Known = { sent: 0, acknowledged: 0 };
      known.set(`${personId}/${attemptNumber}`, mine);
      for (let value = 1_000; ; value += 1) {
        mine.sent = value;
        const attempt = { personId, attemptNumber, attemptResult: value };
        const reply = await sendAttempt(client, world.keys.good, attempt).catch(() => null);
        if (reply === null || isRefusedOnly(reply.status)) return;
        expect(reply.status).toBe(201);
        mine.acknowledged = value;
        acknowledged += 1;
        if (acknowledged === 200) ended = server.stop();
      }
    };
    await Promise.all(world.personIds.flatMap((id) => ATTEMPTS.map((attempt) => device(id, attempt))));
    client.close();

    expect(await ended).toBe(0);
    expect(server.log.at(-1)).toMatchObject({ msg: 'stopped' });
    expect(acknowledged).toBeGreaterThanOrEqual(200);
    const contest = await app
      .get(QueryBus)
      .execute(new GetContest({ spaceId: 'default', competitionId: CONTEST }));
    const results = contest.events[0]?.rounds[0]?.results ?? [];
    for (const { persons, attempts } of results) {
      for (const [index, { result }] of attempts.entries()) {
        const mine = known.get(`${persons[0]?.id}/${index + 1}`) ?? { sent: 0, acknowledged: 0 };
        // A reply may have been lost with the connection; what was acknowledged may not.
        expect(result).toBeGreaterThanOrEqual(mine.acknowledged);
        expect(result).toBeLessThanOrEqual(mine.sent);
      }
    }
    expect(results).toHaveLength(world.personIds.length);
  });

  it('starts again on the same data, and ends at once when it is idle', async () => {
    const { dataDir } = app;
    server = await startServer({ dataDir });
    const client = new Client(server.url);
    expect((await client.get('/api/healthcheck')).status).toBe(200);
    expect((await client.get('/api/events')).status).toBe(200);
    expect(await server.stop()).toBe(0);
    client.close();
    // A health check asks each second, and leaves no lines.
    const paths = server.log.filter(({ msg }) => msg === 'request').map(({ path }) => path);
    expect(paths).toContain('/api/events');
    expect(paths).not.toContain('/api/healthcheck');
  });

  it('tells balancers first that it leaves, and serves on meanwhile', async () => {
    const { dataDir } = app;
    server = await startServer({ dataDir, env: { PODIUM_DRAIN_SECONDS: '60' } });
    const ended = server.stop();
    const client = new Client(server.url);
    await until(
      () => client.get('/api/healthcheck?for=traffic'),
      ({ status }) => status === 503,
    );
    const later = new Client(server.url);
    expect((await later.get('/api/healthcheck')).json).toMatchObject({ status: 'ok', ready: false });
    expect((await later.get('/api/events')).status).toBe(200);
    for (const one of [client, later]) one.close();
    // An operator who does not want to wait sends another signal, of either kind.
    server.process.kill('SIGINT');
    expect(await ended).toBe(1);

    server = await startServer({ dataDir, env: { PODIUM_DRAIN_SECONDS: '1' } });
    const from = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - from).toBeGreaterThan(1_000);
  });

  it('ends as well when no process reads its log any more', async () => {
    const { dataDir } = app;
    server = await startServer({ dataDir });
    server.process.stdout?.destroy();
    expect(await server.stop()).toBe(0);
  });
});
