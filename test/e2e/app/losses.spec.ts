/**
 * Events that were there and are missing: Podium says what is missing, serves the read models that it has, takes no
 * command and rebuilds nothing from less, until the events are back or an operator has accepted the loss.
 */

import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { projections } from '../../../src/app/features.js';
import { openEventStore } from '../../../src/app/stores/open-event-store.js';
import { openReadModelStore } from '../../../src/app/stores/open-read-model-store.js';
import { spaces } from '../../../src/competition/spaces/events.projection.js';
import { SqliteDatabase } from '../../../src/engines/sqlite/sqlite.js';
import { messageOf } from '../../../src/foundation/basics/error-message.js';
import { CredentialFormat } from '../../../src/foundation/credentials/credential-text.js';
import { NO_STREAM } from '../../../src/foundation/event-store/event-store.js';
import { REBUILDING } from '../../../src/foundation/read-models/damaged-generation.js';
import { type ApiWorld, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { newEvents } from '../../support/events.js';
import { EsdbTestServer } from '../../support/eventstoredb/test-server.js';
import { openPodiumApp, type PodiumApp } from '../../support/podium-app.js';
import { startServer, whileServing } from '../../support/server.js';
import { until } from '../../support/until.js';

jest.setTimeout(240_000);

const RANKING = '/api/results/rankings/333/single/all';
const LOST = '/api/docs/problems/events-lost';
const behind = 'the events between are missing';
const rewritten = 'it was put back and written to since';
let root: string;
let world: ApiWorld;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'podium-losses-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A well-formed key that no stream holds. */
const unknownKey = (): string => {
  const prefix = world.keys.good.split('_').slice(0, -2).join('_');
  const format = new CredentialFormat(prefix);
  return format.write(format.make());
};

const folder = (name: string): string => join(root, name);

const opened = async (dataDir: string, env: Record<string, string> = {}): Promise<PodiumApp> => {
  const app = await openPodiumApp(dataDir, env);
  world = await makeApiWorld(app.commands);
  return app;
};

const enter = (client: Client, attemptResult: number, key = world.keys.good, attemptNumber = 1) =>
  sendAttempt(client, key, { personId: world.personIds[0], attemptResult, attemptNumber });

const bests = async (client: Client): Promise<readonly unknown[]> => {
  const { json } = await client.get(RANKING);
  return Array.isArray(json) ? json.map((entry) => Object(entry).result) : [];
};

/** How many spaces the read models show before the next start, or why they are not read. */
const spacesShown = async (dataDir: string): Promise<unknown> => {
  const store = await openReadModelStore(`sqlite:${join(dataDir, 'read-models.sqlite')}`, { readOnly: true });
  try {
    await store.prepare(projections);
    return await store.snapshot((view) => view.count(spaces, 'byId', {}));
  } catch (error) {
    return messageOf(error);
  } finally {
    await store.close();
  }
};

const refusesCommands = async (client: Client, said: string): Promise<void> => {
  for (const key of [world.keys.good, unknownKey()]) {
    const { status, json, headers } = await enter(client, 1_400, key, 2);
    expect({ status, json }).toMatchObject({ status: 503, json: { type: LOST } });
    expect(Object(json).detail).toContain(said);
    expect(headers['retry-after']).toBeDefined();
  }
  const health = await client.get('/api/healthcheck');
  expect(health).toMatchObject({
    status: 200,
    json: { status: 'degraded', eventStore: { status: 'read-only' } },
  });
  expect(health.text).toContain(said);
  expect((await client.get('/api/healthcheck?for=commands')).status).toBe(503);
};

describe('the embedded stores', () => {
  beforeAll(async () => {
    const app = await opened(folder('begun'));
    await app.waitFor(world.position);
    await app.close();
    await cp(folder('begun'), folder('older'), { recursive: true });
    const server = await startServer({ dataDir: folder('begun') });
    const client = new Client(server.url);
    expect((await enter(client, 1_500)).status).toBe(201);
    await until(
      () => bests(client),
      (found) => found[0] === 1_500,
    );
    // The witness of the operational store follows within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    client.close();
    await server.kill();
  });

  const damaged = async (name: string, damage: (dataDir: string) => Promise<unknown>): Promise<string> => {
    const dataDir = folder(name);
    await cp(folder('begun'), dataDir, {
      recursive: true,
      // A killed server leaves the socket of its log store.
      filter: (path) => !path.endsWith('.sock'),
    });
    await damage(dataDir);
    return dataDir;
  };
  const without = (dataDir: string, file: string): Promise<unknown> =>
    Promise.all(['', '-wal', '-shm'].map((end) => rm(join(dataDir, `${file}${end}`), { force: true })));
  const putBack = async (dataDir: string, from: string): Promise<void> => {
    await without(dataDir, 'events.sqlite');
    for (const file of ['events.sqlite', 'events.sqlite-wal'])
      if (existsSync(join(folder(from), file))) await cp(join(folder(from), file), join(dataDir, file));
  };
  const putBackOlder = (dataDir: string): Promise<void> => putBack(dataDir, 'older');
  /** Runs a statement on the events of a stopped server, past every check. */
  const changeEvents = (dataDir: string, statement: string): void => {
    const database = new SqliteDatabase(join(dataDir, 'events.sqlite'));
    expect(database.prepare(statement).run().changes).toBeGreaterThan(0);
    database.close();
  };
  const LAST = '(SELECT max(position) FROM events)';

  /** `left`: the ranking from the events that are left. */
  const losses = [
    {
      name: 'a deleted events.sqlite-wal',
      said: behind,
      left: [],
      damage: (dir: string) => rm(join(dir, 'events.sqlite-wal')),
    },
    {
      name: 'a cut events.sqlite-wal',
      said: behind,
      left: [],
      damage: (dir: string) => truncate(join(dir, 'events.sqlite-wal'), 40),
    },
    { name: 'an older events.sqlite', said: behind, left: [], damage: putBackOlder },
    {
      name: 'an older events.sqlite that has grown past the witness since',
      said: rewritten,
      left: [1_700],
      damage: async (dir: string) => {
        await cp(folder('older'), `${dir}-grown`, { recursive: true });
        await whileServing(`${dir}-grown`, async (client) => {
          for (const attempt of [1, 2, 3])
            expect((await enter(client, 1_800 - attempt, world.keys.good, attempt)).status).toBe(201);
          expect((await enter(client, 1_700, world.keys.good, 2)).status).toBe(201);
        });
        await without(dir, 'events.sqlite');
        await cp(join(`${dir}-grown`, 'events.sqlite'), join(dir, 'events.sqlite'));
      },
    },
    {
      name: 'an older events.sqlite without read models',
      said: behind,
      left: [],
      damage: async (dir: string) => {
        await putBackOlder(dir);
        await without(dir, 'read-models.sqlite');
      },
      readModels: false,
    },
    {
      name: 'no events.sqlite',
      said: 'is gone or empty',
      left: [],
      damage: (dir: string) => without(dir, 'events.sqlite'),
    },
    {
      name: 'nothing in events.sqlite',
      said: 'is gone or empty',
      left: [],
      damage: async (dir: string) => {
        await without(dir, 'events.sqlite');
        await writeFile(join(dir, 'events.sqlite'), '');
      },
    },
    {
      name: 'no operational.sqlite',
      said: 'does not know the installation',
      left: [1_500],
      damage: (dir: string) => without(dir, 'operational.sqlite'),
    },
  ];

  it.each(losses)(
    '$name: named by doctor, served read-only, and gone on from when accepted',
    async (loss) => {
      const { name, damage, said, left, readModels = true } = loss;
      const dataDir = await damaged(name.replaceAll(' ', '-'), damage);
      const podium = podiumOn(dataDir);
      const doctor = await podium('doctor');
      expect({ status: doctor.status, says: doctor.stderr.includes(said) }).toEqual({
        status: 1,
        says: true,
      });
      expect(doctor.stdout).not.toContain('all is well');
      if (readModels)
        await whileServing(dataDir, async (client) => {
          await refusesCommands(client, said);
          expect(await bests(client)).toEqual([1_500]);
        });
      expect((await podium('accept-loss', '--yes')).status).toBe(0);
      if (readModels) expect(await spacesShown(dataDir)).toBe(said === 'is gone or empty' ? 0 : REBUILDING);
      await whileServing(dataDir, async (client) => {
        await until(
          () => client.get('/api/healthcheck'),
          ({ json }) => Object(json).status === 'ok',
        );
        expect(await bests(client)).toEqual(left);
      });
    },
  );

  it('the event of the witness behind other events than it had before it is a loss', async () => {
    const dataDir = await damaged('other-chain', async (dir) =>
      changeEvents(dir, `UPDATE events SET chain = chain + 1 WHERE position = ${LAST}`),
    );
    const doctor = await podiumOn(dataDir)('doctor');
    expect({ status: doctor.status, says: doctor.stderr.includes(rewritten) }).toEqual({
      status: 1,
      says: true,
    });
  });

  it('longer files from before an accepted loss are a loss of what was acknowledged since', async () => {
    const dataDir = await damaged('put-back-later', (dir) => rm(join(dir, 'events.sqlite-wal')));
    const podium = podiumOn(dataDir);
    expect((await podium('accept-loss', '--yes')).status).toBe(0);
    await whileServing(dataDir, async (client) => {
      expect((await enter(client, 1_400)).status).toBe(201);
      await until(
        () => bests(client),
        (found) => found[0] === 1_400,
      );
    });
    await putBack(dataDir, 'begun');
    const said = 'is from before the restore epoch';
    const doctor = await podium('doctor');
    expect({ status: doctor.status, says: doctor.stderr.includes(said) }).toEqual({ status: 1, says: true });
    await whileServing(dataDir, async (client) => {
      await refusesCommands(client, said);
      expect(await bests(client)).toEqual([1_400]);
    });
    const asked = await podium('accept-loss');
    expect({ status: asked.status, says: asked.stderr.includes(said) }).toEqual({ status: 1, says: true });
    expect((await podium('accept-loss', '--yes')).status).toBe(0);
    await whileServing(dataDir, async (client) => {
      await until(
        () => bests(client),
        (found) => found[0] === 1_500,
      );
    });
    expect((await podium('doctor')).status).toBe(0);
  });

  it('doctor and verify make and change no event store', async () => {
    for (const content of [null, '']) {
      const dataDir = await damaged(`unchanged-${content === null}`, async (dir) => {
        await without(dir, 'events.sqlite');
        if (content !== null) await writeFile(join(dir, 'events.sqlite'), content);
      });
      expect((await podiumOn(dataDir)('doctor')).status).toBe(1);
      await podiumOn(dataDir)('verify');
      expect(existsSync(join(dataDir, 'events.sqlite'))).toBe(content !== null);
      if (content !== null) expect((await stat(join(dataDir, 'events.sqlite'))).size).toBe(0);
    }
  });

  it('accept-loss is refused while a server runs, and changes nothing where nothing is missing', async () => {
    const dataDir = await damaged('leased', putBackOlder);
    const podium = podiumOn(dataDir);
    await whileServing(dataDir, async () => {
      // From its first answer on, before its thread has announced it.
      const store = await openReadModelStore(`sqlite:${join(dataDir, 'read-models.sqlite')}`, {
        readOnly: true,
      });
      const leases = await store.leases().finally(() => store.close());
      expect(leases).toMatchObject([{ name: expect.stringMatching(/^node\//) }]);
      const run = await until(
        () => podium('doctor', '--json'),
        ({ json }) => Object(json()).nodes.length > 0,
      );
      expect(run.status).toBe(1);
      const refused = await podium('accept-loss', '--yes');
      expect({ status: refused.status, stderr: refused.stderr }).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('stop all servers first'),
      });
    });
    const whole = await podiumOn(folder('older'))('accept-loss', '--yes', '--json');
    expect({ status: whole.status, json: whole.json() }).toEqual({
      status: 0,
      json: { loss: null, accepted: false },
    });
  });

  const copyEvents = async (from: string, to: string, withProfiles: boolean): Promise<void> => {
    const events = ['--from', `sqlite:${from}/events.sqlite`, '--to', `sqlite:${to}/events.sqlite`];
    const profiles = [
      ...['--operational-from', `sqlite:${from}/operational.sqlite`],
      ...['--operational-to', `sqlite:${to}/operational.sqlite`],
    ];
    const run = await podiumOn(from)('copy-events', ...events, ...(withProfiles ? profiles : []));
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  };

  it('a copy in another store that is cut before its first start is a loss', async () => {
    const copy = folder('cut-copy');
    await copyEvents(await damaged('cut-source', async () => undefined), copy, true);
    expect((await podiumOn(copy)('doctor')).status).toBe(0);
    changeEvents(copy, `DELETE FROM events WHERE position = ${LAST}`);
    const doctor = await podiumOn(copy)('doctor');
    expect({ status: doctor.status, says: doctor.stderr.includes(behind) }).toEqual({
      status: 1,
      says: true,
    });
  });

  it('events that were copied too early, beside the operational store of their source, are a loss', async () => {
    const dataDir = await damaged('early-copy', async (dir) => {
      await copyEvents(folder('older'), `${dir}-events`, false);
      await without(dir, 'events.sqlite');
      await cp(`${dir}-events/events.sqlite`, join(dir, 'events.sqlite'));
    });
    const doctor = await podiumOn(dataDir)('doctor');
    expect({ status: doctor.status, stderr: doctor.stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('the copy is not complete'),
    });
  });

  const harmless: { name: string; make: (dataDir: string) => Promise<unknown> }[] = [
    { name: 'a killed server', make: async () => undefined },
    { name: 'deleted read models', make: (dataDir) => without(dataDir, 'read-models.sqlite') },
    {
      name: 'a restored backup beside newer read models',
      make: async (dataDir) => {
        await podiumOn(folder('older'))('backup', `${dataDir}-copy`);
        for (const file of ['events.sqlite', 'operational.sqlite']) await without(dataDir, file);
        await cp(`${dataDir}-copy`, dataDir, { recursive: true });
      },
    },
    {
      name: 'a copy in another store',
      make: async (dataDir) => {
        const to = `${dataDir}-copy`;
        await copyEvents(dataDir, to, true);
        for (const file of ['events.sqlite', 'operational.sqlite']) await without(dataDir, file);
        await cp(to, dataDir, { recursive: true });
      },
    },
  ];

  it.each(harmless)('$name is no loss', async ({ name, make }) => {
    const dataDir = await damaged(name.replaceAll(' ', '-'), make);
    await whileServing(dataDir, async (client) => {
      await until(
        () => client.get('/api/healthcheck'),
        ({ json }) => Object(json).status === 'ok',
      );
      expect((await enter(client, 1_200, world.keys.good, 2)).status).not.toBe(503);
    });
    const doctor = await podiumOn(dataDir)('doctor');
    expect({ status: doctor.status, stderr: doctor.stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('a copy of a backup that was damaged is noticed by its manifest', async () => {
    const copy = folder('damaged-copy');
    expect((await podiumOn(folder('begun'))('backup', copy)).status).toBe(0);
    expect((await podiumOn(folder('begun'))('doctor')).stdout).toContain('last backup');
    await cp(join(folder('older'), 'events.sqlite'), join(copy, 'events.sqlite'));
    const { status, stderr } = await podiumOn(copy)('doctor');
    expect({ status, says: stderr.includes(behind) }).toEqual({ status: 1, says: true });
  });
});

describe('an EventStoreDB under a serving node', () => {
  let events: EsdbTestServer;
  const file = (name: string): string => join(root, `${name}.sqlite`);
  const serve = async (name: string, port = 0): Promise<void> => {
    events = await EsdbTestServer.start({ file: file(name), port });
  };
  /** Other records at the same address. */
  const exchange = async (name: string): Promise<void> => {
    const { port } = events;
    await events.stop();
    await serve(name, port);
  };
  const isRefused = async (client: Client): Promise<boolean> => {
    const { json } = await client.get('/api/healthcheck');
    return (
      Object(Object(json).eventStore).loss !== null && Object(Object(json).eventStore).status === 'read-only'
    );
  };

  afterAll(() => events.stop());

  it('put back or emptied, it is noticed within 5 s, and when it is back whole, all goes on', async () => {
    await serve('records');
    const env = { EVENT_STORE_URL: events.url };
    const dataDir = folder('node');
    const app = await opened(dataDir, env);
    await app.waitFor(world.position);
    await app.close();
    const { port } = events;
    await events.stop();
    await cp(file('records'), file('older'));
    await cp(file('records'), file('grown'));
    await serve('records', port);
    await whileServing(
      dataDir,
      async (client) => {
        expect((await enter(client, 1_500)).status).toBe(201);
        await until(
          () => bests(client),
          (found) => found[0] === 1_500,
        );
        const rounds = [
          { name: 'older', before: 1_500, next: 1_300, attemptNumber: 2 },
          { name: 'emptied', before: 1_300, next: 1_200, attemptNumber: 3 },
        ];
        for (const { name, before, next, attemptNumber } of rounds) {
          await exchange(name);
          const begun = performance.now();
          expect((await enter(client, 1_400, unknownKey(), 2)).status).toBe(503);
          await until(
            () => isRefused(client),
            (refused) => refused,
          );
          expect(performance.now() - begun).toBeLessThan(5_000);
          await refusesCommands(client, 'missing');
          // No rebuild from less, and no device that drops an attempt.
          await new Promise((resolve) => setTimeout(resolve, 3_000));
          expect(await bests(client)).toEqual([before]);
          await exchange('records');
          await until(
            () => enter(client, next, world.keys.good, attemptNumber),
            ({ status }) => status === 201,
          );
          await until(
            () => bests(client),
            (found) => found[0] === next,
          );
        }
      },
      env,
    );
    expect((await podiumOn(dataDir, env)('doctor')).status).toBe(0);
    await exchange('emptied');
    const head = await events.records.head();
    const doctor = await podiumOn(dataDir, env)('doctor');
    expect({ status: doctor.status, stderr: doctor.stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is gone or empty'),
    });
    // It wrote nothing, no id of the store either.
    expect(await events.records.head()).toBe(head);
    await exchange('records');
  });

  it('put back and grown past the witness since, it is noticed while a node serves and at its start', async () => {
    const env = { EVENT_STORE_URL: events.url };
    const dataDir = folder('node');
    await exchange('grown');
    const elsewhere = await openEventStore(events.url);
    await elsewhere.append('podium/round/x', NO_STREAM, newEvents(50));
    await elsewhere.close();
    await exchange('records');
    await whileServing(
      dataDir,
      async (client) => {
        await exchange('grown');
        const begun = performance.now();
        await until(
          () => isRefused(client),
          (refused) => refused,
        );
        expect(performance.now() - begun).toBeLessThan(5_000);
        await refusesCommands(client, rewritten);
      },
      env,
    );
    await whileServing(
      dataDir,
      async (client) => {
        await refusesCommands(client, rewritten);
        expect(await bests(client)).toEqual([1_200]);
      },
      env,
    );
    const doctor = await podiumOn(dataDir, env)('doctor');
    expect({ status: doctor.status, says: doctor.stderr.includes(rewritten) }).toEqual({
      status: 1,
      says: true,
    });
  });
});
