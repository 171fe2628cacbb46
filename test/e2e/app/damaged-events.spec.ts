/**
 * One digit of a stored event is changed while the server is stopped. Podium never ranks the changed event: it says in health,
 * metrics, doctor and `podium verify` where the damage is, and refuses what would be decided on it.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SqliteDatabase } from '../../../src/engines/sqlite/sqlite.js';
import { type ApiWorld, CONTEST, makeApiWorld } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { podiumOn } from '../../support/cli.js';
import type { Client } from '../../support/client.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { whileServing } from '../../support/server.js';
import { until } from '../../support/until.js';

jest.setTimeout(240_000);

const RANKING = '/api/results/rankings/333/single/all';
const STREAM = `stream podium/round/default/${CONTEST}/333/1`;
let root: string;
let world: ApiWorld;

const bests = async (client: Client): Promise<readonly unknown[]> => {
  const { json } = await client.get(RANKING);
  return Array.isArray(json) ? json.map((entry) => Object(entry).result) : [];
};

const enter = (client: Client, person: number, attemptResult: number, attemptNumber = 1) =>
  sendAttempt(client, world.keys.good, {
    personId: world.personIds[person] ?? 0,
    attemptResult,
    attemptNumber,
  });

const degraded = (client: Client) =>
  until(
    () => client.get('/api/healthcheck'),
    ({ json }) => Object(json).damage !== null,
  );

/** A copy of the folder in which the event with this attempt has another one. */
const withChangedDigit = async (name: string, readModelsOf = 'second'): Promise<string> => {
  const dataDir = join(root, name);
  await cp(join(root, 'second'), dataDir, { recursive: true });
  await cp(join(root, readModelsOf, 'read-models.sqlite'), join(dataDir, 'read-models.sqlite'));
  const database = new SqliteDatabase(join(dataDir, 'events.sqlite'));
  const { changes } = database
    .prepare("UPDATE events SET data = replace(data, '1777', '1177') WHERE data LIKE '%1777%'")
    .run();
  database.close();
  expect(changes).toBe(1);
  return dataDir;
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'podium-damaged-'));
  const first = join(root, 'first');
  const app = await openPodiumApp(first);
  world = await makeApiWorld(app.commands);
  await app.close();
  const entered = (person: number, result: number, seen: readonly number[]) =>
    whileServing(first, async (client) => {
      expect((await enter(client, person, result)).status).toBe(201);
      await until(
        () => bests(client),
        (found) => found.length === seen.length,
      );
      expect(await bests(client)).toEqual(seen);
    });
  await entered(0, 1_500, [1_500]);
  await cp(first, join(root, 'before'), { recursive: true });
  await entered(1, 1_777, [1_500, 1_777]);
  await cp(first, join(root, 'second'), { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('an event with a changed digit', () => {
  it('is named by verify, and leaves a sound folder without a finding', async () => {
    const sound = await podiumOn(join(root, 'second'))('verify', '--json');
    expect({ status: sound.status, json: sound.json() }).toMatchObject({
      status: 0,
      json: {
        ok: true,
        stores: expect.arrayContaining([expect.objectContaining({ store: 'events', state: 'sound' })]),
      },
    });
    const podium = podiumOn(await withChangedDigit('verified'));
    const run = await podium('verify', '--json');
    expect(run.status).toBe(1);
    const [events] = Object(run.json()).stores;
    expect(events).toMatchObject({ store: 'events', state: 'damaged', unverified: 0 });
    expect(events.damages).toEqual([
      {
        store: 'events',
        place: expect.stringContaining(STREAM),
        reason: 'its checksum does not fit its content',
      },
    ]);
    const plain = await podium('verify');
    expect(plain.status).toBe(1);
    expect(plain.stderr).toContain(STREAM);
  });

  it('is found by the scrub where nothing reads it, and its round takes no command', async () => {
    await whileServing(await withChangedDigit('served'), async (client, server) => {
      const { json, status } = await degraded(client);
      expect({ json, status }).toMatchObject({
        status: 200,
        json: {
          status: 'degraded',
          ready: true,
          damage: { store: 'events', place: expect.stringContaining(STREAM) },
        },
      });
      expect(await bests(client)).toEqual([1_500, 1_777]);
      const refused = await enter(client, 2, 1_600);
      expect(refused).toMatchObject({
        status: 503,
        json: { type: '/api/docs/problems/content-damaged', detail: expect.stringContaining(STREAM) },
      });
      expect(refused.headers['retry-after']).toBe('10');
      expect((await client.get('/metrics')).text).toMatch(/^podium_damages 1$/m);
      await until(
        async () => (await client.get('/metrics')).text,
        (text) => /^podium_scrub_damages\{store="events"\} [1-9]/m.test(text),
      );
      const doctor = await until(
        () => podiumOn(server.dataDir)('doctor'),
        ({ stderr }) => stderr.includes('has met damaged content'),
      );
      expect(doctor.status).toBe(1);
      expect(doctor.stderr).toContain(STREAM);
      const beside = await podiumOn(server.dataDir)('verify');
      expect({ status: beside.status, says: beside.stderr.includes(STREAM) }).toEqual({
        status: 1,
        says: true,
      });
      expect(
        server.log.filter(({ store, place }) => store === 'events' && String(place).includes(STREAM)),
      ).toHaveLength(1);
    });
  });

  it('stops the read models before it, and is never ranked', async () => {
    await whileServing(await withChangedDigit('behind', 'before'), async (client) => {
      const { json } = await degraded(client);
      expect(json).toMatchObject({ status: 'degraded', damage: { place: expect.stringContaining(STREAM) } });
      expect(await bests(client)).toEqual([1_500]);
      await until(
        async () => (await client.get('/metrics')).text,
        (text) => /^podium_read_models_trouble 1$/m.test(text),
      );
      expect(await bests(client)).toEqual([1_500]);
    });
  });
});
