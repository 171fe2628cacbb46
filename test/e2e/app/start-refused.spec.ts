/** What the operator is told when the server cannot start: one line that says what to change, and nothing is made before. */
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it does not listen');
  return address.port;
};

describe('a start', () => {
  const taken = createServer();
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await newDataDir();
    await once(taken.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(async () => {
    taken.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  it.each([
    [
      'at a port that is taken',
      () => ({ PORT: String(portOf(taken)) }),
      /^PORT is \d+, .+ PORT=\d+ npm start\n$/,
    ],
    [
      'at an address of another machine',
      () => ({ PORT: '0', HOST: '192.0.2.1' }),
      /^HOST is 192\.0\.2\.1, .+\n$/,
    ],
  ])('%s is refused before anything is made', async (_, env, reason) => {
    const run = await podiumOn(dataDir, { PODIUM_SAMPLE: 'true', ...env() })('serve');
    expect([run.status, run.stdout]).toEqual([78, '']);
    expect(run.stderr).toMatch(reason);
    expect(await readdir(dataDir)).toEqual([]);
  });
});

describe('a setting that its store alone can judge', () => {
  it.each([
    [
      { EVENT_STORE_URL: 'esdb://127.0.0.1:1?tsl=false' },
      /^tsl is not a parameter of the event store's URL; .+\n$/,
    ],
    [
      { LOG_STORE_URL: 'clickhouse://127.0.0.1:1/a?readers=x' },
      /^LOG_STORE_URL has an unknown parameter .+\n$/,
    ],
    [
      { READ_MODEL_URL: 'mongodb://podium:s3/cret@127.0.0.1:1/a' },
      /^mongodb:\/\/… cannot be used: (?!.*cret).+\n$/,
    ],
    [
      { OPERATIONAL_URL: 'mongodb://127.0.0.1:1/a?nothing=1' },
      /^mongodb:\/\/127\.0\.0\.1:1\/a cannot be used: .+\n$/,
    ],
    [{ PODIUM_LOG_RETENTION: '30,nowhere=7' }, /^PODIUM_LOG_RETENTION names nowhere, .+\n$/],
  ])('ends the start with one line and status 78: %j', async (env, reason) => {
    const dataDir = await newDataDir();
    const run = await podiumOn(dataDir, { PORT: '0', ...env })('serve');
    await rm(dataDir, { recursive: true, force: true });
    expect([run.status, run.stderr]).toEqual([78, expect.stringMatching(reason)]);
  });
});

describe('a second server on the same folder', () => {
  let first: TestServer;

  beforeAll(async () => {
    first = await startServer();
  });
  afterAll(async () => {
    await first?.stop();
    await first?.remove();
  });

  it('is told in its last line who has the log store and what to set', async () => {
    const run = await podiumOn(first.dataDir, { PORT: '0' })('serve');
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^Podium cannot start: .+another process has it.+LOG_STORE_URL=http:.+\n$/);
  });
});
