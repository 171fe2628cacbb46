/**
 * The disk of the data folder is full. Entry is told to come again and reads go on; `podium backup` to another disk copies
 * all but the logs, which need room beside their file, or names the room; and entry goes on when there is room again.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_STORE, type EventStore } from '../../../src/foundation/event-store/event-store.js';
import { type ApiWorld, CONTEST, makeApiWorld, SPACE } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { Device, faultsOf, loggedValues } from '../../support/devices.js';
import { openPodiumApp, temporaryFolder } from '../../support/podium-app.js';
import { startServer, type TestServer } from '../../support/server.js';
import { type SmallDisk, smallDisk } from '../../support/small-disk.js';
import { until } from '../../support/until.js';

const MEGABYTES = 64;
/** Of the log's levels. */
const ERROR = 50;
const ROUND = { spaceId: SPACE, competitionId: CONTEST, eventId: '333', roundNumber: 1 };

const disk = await smallDisk(MEGABYTES, 'a full data disk');

const onFullDisk = ({ folder, fill, empty, remove }: SmallDisk): void => {
  const dataDir = join(folder, 'data');
  let copies: string;
  let world: ApiWorld;
  let server: TestServer;
  let client: Client;
  let device: Device;

  beforeAll(async () => {
    copies = await temporaryFolder();
    const app = await openPodiumApp(dataDir);
    world = await makeApiWorld(app.commands);
    await app.close();
    server = await startServer({ dataDir });
    client = new Client(server.url);
    device = new Device(world.keys.good, [ROUND], [world.personIds[0]], { comesAgain: true });
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    await remove();
    await rm(copies, { recursive: true });
  });

  const enter = (attemptResult: number) =>
    sendAttempt(client, world.keys.good, { personId: world.personIds[1], attemptResult });

  /** What the device was told is in this copy. */
  const faultsIn = async (copy: string): Promise<readonly string[]> => {
    const app = await openPodiumApp(copy);
    const logged = await loggedValues(app.get<EventStore>(EVENT_STORE));
    await app.close();
    const { values } = device.account();
    return faultsOf([device], new Map([...logged].filter(([name]) => values.has(name))));
  };

  it('takes no entry, says so, and answers reads', async () => {
    const stop = new AbortController();
    const entering = device.run(server.url, stop.signal, () => undefined);
    await until(
      async () => device.acknowledged,
      (count) => count > 100,
    );
    await fill();
    await until(
      async () => device.turnedAway,
      (count) => count > 3,
    );
    stop.abort();
    expect(await entering).toBe('stopped');
    expect(await enter(1_500)).toMatchObject({
      status: 503,
      json: { detail: 'The event store does not answer. Send the same request again later.' },
    });
    expect((await client.get('/api/results/rankings/333/single/all')).status).toBe(200);
    expect((await client.get('/api/results/rankings/333/average/all?region=IE')).status).toBe(200);
  });

  it('names the room that a copy of the logs needs, and copies nothing then', async () => {
    const copy = join(copies, 'refused');
    const run = await podiumOn(dataDir)('backup', copy);
    expect(run.stderr).toMatch(
      /^podium: the copy of the logs, which is made beside them, needs [\d.]+ .?B in .+\/data, where \d+ B are free; --no-logs copies the rest$/m,
    );
    expect(run.status).toBe(1);
    expect(await readdir(copy)).toEqual([]);
  });

  it('is copied without the logs while the server runs', async () => {
    const copy = join(copies, 'beside-server');
    const run = await podiumOn(dataDir)('backup', copy, '--no-logs', '--json');
    expect(run.stderr).toBe('');
    expect(run.json()).toMatchObject({
      files: [{ store: 'events' }, { store: 'operational' }],
      logs: 'left out',
    });
    expect((await podiumOn(copy)('doctor')).stdout).toContain('all is well');
    expect(await faultsIn(copy)).toEqual([]);
  });

  it('lets its server end without an error', async () => {
    expect(await server.stop()).toBe(0);
    expect(server.log.filter(({ level }) => Number(level) >= ERROR)).toEqual([]);
  });

  it('takes the same entry when there is room again', async () => {
    await empty();
    server = await startServer({ dataDir });
    client = new Client(server.url);
    expect((await enter(1_500)).status).toBe(201);
    await server.stop();
  });

  it('names the room that opening its files takes where no server has left them open, and needs no more', async () => {
    await fill();
    const copy = join(copies, 'alone');
    const backUp = () => podiumOn(dataDir)('backup', copy, '--no-logs');
    expect((await backUp()).stderr).toMatch(
      /^podium: opening .+\/data\/events\.sqlite needs 65\.5 kB in .+\/data, where 0 B are free$/m,
    );
    expect(await readdir(copy)).toEqual([]);
    await empty();
    await fill(65_536);
    expect(await backUp()).toMatchObject({ stderr: '', status: 0 });
    expect(await faultsIn(copy)).toEqual([]);
  });
};

describe('a data folder on a full disk', () => {
  if (disk) onFullDisk(disk);
  else it('did not run: the last lines of npm test say why', () => {});
});
