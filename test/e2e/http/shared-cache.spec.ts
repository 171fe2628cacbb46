/**
 * Varnish in front of a server whose replies it may keep for an hour. So whatever a reader of it sees anew was purged.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client, type Reply } from '../../support/client.js';
import { Device } from '../../support/devices.js';
import { type EntryWorld, makeEntryWorld } from '../../support/entry-world.js';
import { freePort } from '../../support/free-port.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { describeOnVarnish, startVarnish, type Varnish } from '../../support/varnish.js';

const SPACE = 'load';
const DEVICES = 4;
const CUBE = `/api/${SPACE}/results/rankings/cube/single/all`;
const CLOCK = `/api/${SPACE}/results/rankings/clock/single/all`;
const SESSION = `podium_session=${'a'.repeat(43)}`;

/** A hit names two requests: its own, and the one that fetched the reply. */
const isHit = ({ headers }: Reply): boolean => String(headers['x-varnish']).includes(' ');

describeOnVarnish('a shared cache', () => {
  let dataDir: string;
  let world: EntryWorld;
  let env: Readonly<Record<string, string>>;
  let server: TestServer;
  let varnish: Varnish;
  let direct: Client;
  let cached: Client;
  let paths: readonly string[];

  beforeAll(async () => {
    dataDir = await newDataDir();
    const app = await openPodiumApp(dataDir);
    const size = { rounds: 1, persons: DEVICES, devices: DEVICES + 1 };
    world = await makeEntryWorld(app.commands, { spaceId: SPACE, competitionId: 'Load2024' }, size);
    await app.close();
    const [port, backend] = [await freePort(), await freePort()];
    env = {
      PORT: String(backend),
      PODIUM_EDGE_SECONDS: '3600',
      PODIUM_EDGE_PURGE_URL: `http://127.0.0.1:${port}/edge/purge`,
    };
    server = await startServer({ dataDir, env });
    varnish = await startVarnish(port, backend);
    direct = new Client(server.url);
    cached = new Client(varnish.url);
    paths = [
      `/api/${SPACE}/events`,
      `/api/${SPACE}/competitions`,
      `/api/${SPACE}/competitions/Load2024`,
      `/api/${SPACE}/records/all`,
      `/api/${SPACE}/records/recent`,
      ...[CUBE, CLOCK, `${CUBE}?show=results`, `${CUBE}?topN=2`],
      `/api/${SPACE}/results/rankings/cube/average/competitions`,
    ];
  });
  afterAll(async () => {
    cached?.close();
    direct?.close();
    await varnish?.stop();
    await server?.stop();
    await server?.remove();
  });

  const enter = (client: Client, eventId: string, attemptResult: number): Promise<Reply> => {
    const [round] = world.rounds.filter((of) => of.eventId === eventId);
    const personId = world.personIds[0];
    const body = { ...round, personId, attemptNumber: 1, attemptResult };
    return client.post('/api/enter-attempt', body, { 'x-api-key': world.keys[DEVICES] ?? '' });
  };
  /** Until no purge is under way: a purge of everything follows each start. */
  const becomesHit = (path: string): Promise<Reply> => until(() => cached.get(path), isHit);
  const becomesCurrent = async (path: string) => {
    await until(
      async () => (await direct.get('/api/healthcheck')).json,
      (health) => Object(health).readModels.lag === 0,
    );
    return until(
      async () => ({ path, seen: (await cached.get(path)).text, stored: (await direct.get(path)).text }),
      ({ seen, stored }) => seen === stored,
    );
  };
  const pending = async (): Promise<number> => {
    const { text } = await direct.get('/metrics');
    return Number(/^podium_edge_purges_pending (\d+)$/m.exec(text)?.[1]);
  };
  const purgesAreDone = () => until(pending, (keys) => keys === 0);

  it('is told how long it may answer, and by which keys a reply is purged; browsers revalidate', async () => {
    const { headers } = await direct.get(CUBE);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate, s-maxage=3600',
      'surrogate-control': 'max-age=3600',
      'surrogate-key': `podium ranking:${SPACE}/cube/single/all/persons/world event:${SPACE}/cube`,
      vary: 'Accept-Encoding, Podium-Position',
    });
    expect((await cached.get(CUBE)).headers['surrogate-key']).toBeUndefined();
  });

  it('answers by itself until a reply changes, and keeps the others', async () => {
    await purgesAreDone();
    await Promise.all([becomesHit(CUBE), becomesHit(CLOCK)]);
    const before = await cached.get(CLOCK);
    const entered = await enter(direct, 'cube', 1_234);
    await direct.after(entered.headers['podium-position'], CUBE);
    expect((await becomesCurrent(CUBE)).seen).toContain('1234');
    await purgesAreDone();
    const after = await cached.get(CLOCK);
    expect(isHit(after)).toBe(true);
    const fetchedBy = ({ headers }: Reply) => String(headers['x-varnish']).split(' ')[1];
    expect(fetchedBy(after)).toBe(fetchedBy(before));
  });

  it.each([
    [
      'a position',
      async () => ({ 'podium-position': String((await direct.get(CUBE)).headers['podium-position']) }),
    ],
    ['a session', async () => ({ cookie: `other=1; ${SESSION}` })],
    ['an API key', async () => ({ 'x-api-key': world.keys[0] ?? '' })],
    ['a token', async () => ({ authorization: 'Bearer x' })],
  ])('is passed by a request with %s, whose reply it does not keep', async (_name, headersOf) => {
    await becomesHit(CUBE);
    const reply = await cached.get(CUBE, await headersOf());
    expect(reply.status).toBe(200);
    expect(isHit(reply)).toBe(false);
    expect(reply.headers['cache-control']).toBe('private, no-cache');
    expect(reply.headers['surrogate-control']).toBeUndefined();
  });

  it('is no obstacle to a reader who sends the position of a command', async () => {
    for (let value = 2_000; value < 2_030; value += 1) {
      const { headers } = await enter(cached, 'clock', value);
      await cached.get(CLOCK);
      const { text } = await cached.after(headers['podium-position'], CLOCK);
      expect(text).toContain(`"result":${value}`);
    }
  });

  it('refuses purges from elsewhere than the nodes, and those without keys', async () => {
    const purge = (headers: Readonly<Record<string, string>>) =>
      cached.send('/edge/purge', { method: 'POST', headers });
    expect((await purge({})).status).toBe(403);
    expect((await cached.get('/edge/purge', { 'surrogate-key': 'podium' })).status).toBe(403);
  });

  it('shows under load what the server shows, also after it was restarted and after another node took over', async () => {
    const devices = world.keys
      .slice(0, DEVICES)
      .map((key, index) => new Device(key, world.rounds, world.personIds.slice(index, index + 1)));
    let [reads, hits] = [0, 0];
    const load = async (acknowledgements: number, meanwhile: () => Promise<void>): Promise<void> => {
      const running = new AbortController();
      let left = acknowledgements;
      const entering = devices.map((device) =>
        device.run(server.url, running.signal, () => {
          left -= 1;
        }),
      );
      const reading = paths.map(async (path) => {
        while (!running.signal.aborted) {
          const reply = await cached.get(path).catch(() => null);
          if (reply?.status !== 200) continue;
          reads += 1;
          if (isHit(reply)) hits += 1;
        }
      });
      await until(
        async () => left,
        (open) => open <= acknowledgements / 2,
      );
      await meanwhile();
      await until(
        async () => left,
        (open) => open <= 0,
      );
      running.abort();
      await Promise.all([...entering, ...reading]);
    };
    await load(400, async () => undefined);
    for (const path of paths) await becomesCurrent(path);
    await load(400, () => varnish.restart());
    for (const path of paths) await becomesCurrent(path);
    // Another node takes over the projections and the purges, and the one behind the cache follows it.
    const other = await startServer({ dataDir, env: { ...env, PORT: '0', LOG_STORE_URL: server.url } });
    await server.kill();
    server = await startServer({ dataDir, env });
    await load(200, async () => undefined);
    for (const path of paths) await becomesCurrent(path);
    await other.stop();
    expect(hits / reads).toBeGreaterThan(0.1);
  });
});
