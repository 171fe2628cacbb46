/**
 * Damaged read models cost nobody an answer for long and no answer its truth: a damaged file is moved aside and rebuilt from
 * the events, and a damaged generation is rebuilt beside the others, at the start and while a server serves.
 */
import { cp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EnterAttempt } from '../../../src/competition/rounds/round.commands.js';
import { type ApiWorld, CONTEST, CONTEXT, makeApiWorld, SPACE } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { podiumOn } from '../../support/cli.js';
import type { Client, Reply } from '../../support/client.js';
import { mongoServer } from '../../support/mongodb/mongo-server.js';
import { openPodiumApp, type PodiumApp } from '../../support/podium-app.js';
import { readEverything } from '../../support/read-everything.js';
import { newDataDir, type TestServer, whileServing } from '../../support/server.js';
import { embeddedStores, mongoStores, type SpoiledStores } from '../../support/spoiled-stores.js';
import { until } from '../../support/until.js';

jest.setTimeout(240_000);

const PATHS = [
  '/api/results/rankings/333/single/all',
  '/api/competitions',
  '/api/records/competitions',
  '/api/events',
  // The last row of its collection, which is the one that is changed: a reader meets it before the scrubber does.
  '/api/competitions/Past2025',
] as const;
const PAGE_BYTES = 4_096;

const mongo = await mongoServer(['ReadModelStore', 'OperationalStore'], {
  what: 'damage of the read models under a server',
});

let dataDir: string;
const file = (): string => join(dataDir, 'read-models.sqlite');

const bodies = (replies: readonly Reply[]): readonly string[] => replies.map(({ text }) => text);

const readAll = (client: Client): Promise<readonly Reply[]> =>
  Promise.all(PATHS.map((path) => client.get(path)));

/** Asks until all is answered as before. On the way there is a 503 or the same answer, and nothing else. */
const healsTo = async (client: Client, expected: readonly string[]): Promise<void> => {
  await until(
    async () => {
      const replies = await readAll(client);
      for (const [place, { status, text, headers }] of replies.entries()) {
        if (status === 200) expect(text).toBe(expected[place]);
        else
          expect({ status, retry: headers['retry-after'] !== undefined }).toEqual({
            status: 503,
            retry: true,
          });
      }
      return replies;
    },
    (replies) => replies.every(({ status }) => status === 200),
  );
};

/** Fills every page but the first ones with what is none. */
const spoilPages = async (from = 1): Promise<void> => {
  const handle = await open(file(), 'r+');
  const { size } = await handle.stat();
  for (let at = from * PAGE_BYTES; at < size; at += PAGE_BYTES)
    await handle.write(Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, at);
  await handle.close();
};

const aside = async (): Promise<readonly string[]> =>
  (await readdir(dataDir)).filter((name) => /^read-models\.sqlite\.damaged-\w+$/.test(name));

const flipHeader = async (): Promise<void> => {
  const handle = await open(file(), 'r+');
  await handle.write(Buffer.from('SQlite'), 0, 6, 0);
  await handle.close();
};

describe('a damaged file of read models', () => {
  let sound: string;
  let world: ApiWorld;
  let everything: ReadonlyMap<string, string>;
  let expected: readonly string[];
  const everythingIn = ({ queries }: PodiumApp) =>
    readEverything(queries, [{ spaceId: SPACE, personIds: world.personIds }]);

  beforeAll(async () => {
    sound = await newDataDir();
    const app = await openPodiumApp(sound);
    world = await makeApiWorld(app.commands);
    await app.waitFor(world.position);
    everything = await everythingIn(app);
    await app.close();
    await whileServing(sound, async (client) => {
      expected = bodies(await readAll(client));
    });
  });
  afterAll(() => rm(sound, { recursive: true, force: true }));
  beforeEach(async () => {
    dataDir = await newDataDir();
    await cp(sound, dataDir, { recursive: true });
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('is replaced at the start of a server: pages that are none', async () => {
    await spoilPages();
    await whileServing(dataDir, async (client) => {
      await healsTo(client, expected);
      const attempt = { personId: world.personIds[0], attemptResult: 1_234 };
      expect((await sendAttempt(client, world.keys.good, attempt)).status).toBe(201);
    });
  });

  it.each([
    ['another header', flipHeader],
    [
      'a cut',
      async () => truncate(file(), Math.floor((await stat(file())).size / 2 / PAGE_BYTES) * PAGE_BYTES),
    ],
    ['a cut within a page', async () => truncate(file(), Math.floor((await stat(file())).size / 3) + 100)],
    ['nothing in it', () => truncate(file(), 0)],
  ])('is replaced at the start: %s', async (_name, damage) => {
    await damage();
    const app = await openPodiumApp(dataDir, {}, 'server');
    try {
      await app.waitFor(world.position);
      expect(await everythingIn(app)).toEqual(everything);
      const round = { spaceId: SPACE, competitionId: CONTEST, eventId: '333', roundNumber: 1 };
      const competitor = { by: 'personId', personIds: [world.personIds[0]] } as const;
      await app.commands.execute(new EnterAttempt(round, competitor, 1, 1_234, CONTEXT));
    } finally {
      await app.close();
    }
  });

  it('is replaced while a server serves, which says so', async () => {
    await whileServing(dataDir, async (client, server) => {
      await spoilPages();
      await healsTo(client, expected);
      await until(
        async () => Object((await client.get('/api/healthcheck')).json),
        ({ status, damage }) => status === 'ok' && damage === null,
      );
      expect(await aside()).toHaveLength(1);
      expect(
        server.log.some(({ msg, store }) => /damaged/.test(String(msg)) && store === 'read-models'),
      ).toBe(true);
      expect(await podiumOn(dataDir)('verify')).toMatchObject({ status: 0 });
    });
  });
});

const isWell = (client: Client) =>
  until(
    async () => Object((await client.get('/api/healthcheck')).json),
    ({ status, damage }) => status === 'ok' && damage === null,
  );

const hasNamed = ({ log }: TestServer, place: string): Promise<unknown> =>
  until(
    async () => log.some((line) => line.store === 'read-models' && String(line.place).includes(place)),
    (isNamed) => isNamed,
  );

describe.each<[string, (() => Promise<SpoiledStores>) | null]>([
  ['SQLite', embeddedStores],
  ['MongoDB', mongo && (() => mongoStores(mongo))],
])('damaged content of read models on %s', (_engine, open) => {
  if (open === null) {
    it('did not run: the last lines of npm test say why', () => {});
    return;
  }
  let stores: SpoiledStores;
  let expected: readonly string[];

  // Each test ends with stores that are whole again.
  beforeAll(async () => {
    stores = await open();
    const app = await openPodiumApp(stores.dataDir, stores.env);
    await makeApiWorld(app.commands);
    await app.close();
    await whileServing(
      stores.dataDir,
      async (client) => {
        expected = bodies(await readAll(client));
      },
      stores.env,
    );
  });
  afterAll(() => stores.dispose());

  it.each<[string, string, (stores: SpoiledStores) => Promise<void>]>([
    ['a document that is missing', 'contestListings', ({ removeRow }) => removeRow('contestListings')],
    ['a document that was changed', 'contests', ({ changeRow }) => changeRow('contests')],
  ])('%s is named, never missed in an answer, and built anew', async (_what, collection, damage) => {
    const podium = podiumOn(stores.dataDir, stores.env);
    expect(await podium('verify')).toMatchObject({ status: 0 });
    await damage(stores);
    const verified = await podium('verify');
    expect({ status: verified.status, says: verified.stderr }).toEqual({
      status: 1,
      says: expect.stringContaining(`read-models, collection ${collection}`),
    });
    await whileServing(
      stores.dataDir,
      async (client, server) => {
        await healsTo(client, expected);
        await hasNamed(server, `collection ${collection}`);
        await isWell(client);
        expect(await podium('verify')).toMatchObject({ status: 0 });
      },
      stores.env,
    );
  });

  it('that a server meets while it serves is refused until it is built anew', async () => {
    await whileServing(
      stores.dataDir,
      async (client, server) => {
        await stores.changeRow('contests');
        await healsTo(client, expected);
        await hasNamed(server, 'collection contests');
        await isWell(client);
      },
      stores.env,
    );
  });
});
