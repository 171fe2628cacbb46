/**
 * Events in the store of an installation that its version of Podium does not know. Those of another program stop nothing. A type
 * of newer code stops the read models, and the node says so.
 */
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { openEventStore } from '../../../src/app/stores/open-event-store.js';
import type { EventStore } from '../../../src/foundation/event-store/event-store.js';
import { type CliRun, podiumOn } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { appendNext, newEvent } from '../../support/events.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

jest.setTimeout(120_000);

let dataDir: string;
let server: TestServer;
let client: Client;
let store: EventStore;

beforeAll(async () => {
  dataDir = await newDataDir();
  server = await startServer({ dataDir });
  client = new Client(server.url);
  store = await openEventStore(`sqlite:${dataDir}/events.sqlite`);
});
afterAll(async () => {
  client.close();
  await store.close();
  await server.stop();
  await server.remove();
});

const append = async (stream: string, type: string): Promise<number> => {
  const result = await appendNext(store, stream, [newEvent(type, { resultId: 'r', personIds: [1] })]);
  return result.ok ? result.position : 0;
};
const health = () => client.get('/api/healthcheck?for=traffic');
const doctor = () => podiumOn(dataDir)('doctor', '--json');
const warningsIn = (run: CliRun): readonly string[] => Object(run.json()).warnings;

it('passes over a stream of another program, counts its events, and doctor names it', async () => {
  await append('podium/foo-1', 'AttemptEntered');
  const position = await append('podium/foo-1', 'SomethingElse');
  const reply = await until(health, ({ json }) => Object(json).readModels?.lag === 0);
  expect(reply).toMatchObject({
    status: 200,
    json: { status: 'ok', ready: true, readModels: { failure: null } },
  });
  expect(await store.head()).toBe(position);
  expect((await client.get('/metrics')).text).toMatch(/^podium_foreign_events 2$/m);
  const told = await until(doctor, (run) => warningsIn(run).length > 0);
  expect(warningsIn(told)).toEqual([
    expect.stringMatching(/ has passed over 2 events in podium\/foo-1: another program writes/),
  ]);
  expect(told.status).toBe(0);
});

it('stops before an event type of newer code, and is not ready', async () => {
  const position = await append('podium/space/default', 'SpaceRepainted');
  const reply = await until(health, ({ status }) => status === 503);
  const failure = `this version of Podium does not know the event type SpaceRepainted at position ${position}`;
  expect(reply.json).toMatchObject({
    status: 'degraded',
    ready: false,
    readModels: { failure: expect.stringContaining(failure) },
  });
  expect((await client.get('/api/healthcheck')).status).toBe(200);
});
