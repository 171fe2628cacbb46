/** What the receivers of drains get. */
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { loadConfig } from '../../../../src/foundation/config.js';
import { OutgoingObjects } from '../../../../src/http/outgoing/outgoing-objects.js';
import { OutgoingPosts, resolveByDns } from '../../../../src/http/outgoing/outgoing-posts.js';
import { FileEncoder } from '../../../../src/logs/downloads/file-encoder.js';
import type { Destination } from '../../../../src/logs/drains/drain.js';
import { type Batch, DrainDestinations } from '../../../../src/logs/drains/drain-destinations.js';
import { SECRET } from '../../../support/a-drain.js';
import { type LocalObjectStore, startObjectStore } from '../../../support/local-object-store.js';
import { type LocalReceiver, startReceiver } from '../../../support/local-receiver.js';

const files = new FileEncoder();
afterAll(() => files.onApplicationShutdown());

let receiver: LocalReceiver;
let store: LocalObjectStore;
let destinations: DrainDestinations;

const destinationsOf = (env: Readonly<Record<string, string>>): DrainDestinations => {
  const config = loadConfig(env);
  return new DrainDestinations(new OutgoingPosts(config, resolveByDns), new OutgoingObjects(config), files);
};

beforeEach(async () => {
  receiver = await startReceiver();
  store = await startObjectStore();
  destinations = destinationsOf({ PODIUM_ALERT_HOSTS: '127.0.0.1', ...store.settings });
});
afterEach(async () => {
  await receiver.close();
  await store.close();
});

const never = new AbortController().signal;
const batch: Batch = {
  ...{ id: 'drain_d_1_2', key: 'drain=d/1-2.parquet' },
  entries: [
    { id: 'a', event_message: 'Größe' },
    { id: 'b', event_message: 'two' },
  ],
  columns: [
    { name: 'id', type: 'string' },
    { name: 'event_message', type: 'string' },
  ],
};
const post = (format: 'json' | 'ndjson'): Destination => ({
  ...{ kind: 'http', url: `${receiver.url}/logs`, format, secret: SECRET },
});

it.each([
  ['json', 'application/json', '[{"id":"a","event_message":"Größe"},{"id":"b","event_message":"two"}]'],
  [
    'ndjson',
    'application/x-ndjson',
    '{"id":"a","event_message":"Größe"}\n{"id":"b","event_message":"two"}\n',
  ],
] as const)('is %s, packed by gzip and signed', async (format, type, body) => {
  expect(await destinations.send(post(format), batch, never)).toBeNull();
  const [{ headers, bytes } = { headers: {}, bytes: Buffer.alloc(0) }] = receiver.received;
  expect(headers).toMatchObject({
    'content-type': type,
    'content-encoding': 'gzip',
    'webhook-id': 'drain_d_1_2',
  });
  const text = gunzipSync(bytes).toString();
  expect(text).toBe(body);
  const signature = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const verify = (given: string) => new Webhook(SECRET).verify(given, signature, { jsonParse: false });
  expect(() => verify(text)).not.toThrow();
  expect(() => verify(`${text} `)).toThrow();
});

it('says what the receiver answered; 410 is its last word', async () => {
  receiver.statuses.push(302, 503, 413, 410);
  const outcomes = [];
  for (const _ of [1, 2, 3, 4]) outcomes.push(await destinations.send(post('json'), batch, never));
  expect(outcomes).toEqual([
    { problem: 'the receiver answered 302', final: false, tooLarge: false },
    { problem: 'the receiver answered 503', final: false, tooLarge: false },
    { problem: 'the receiver answered 413', final: false, tooLarge: true },
    { problem: 'the receiver answered 410', final: true, tooLarge: false },
  ]);
});

it('never goes to an address of this network that no setting lists', async () => {
  const strict = destinationsOf({});
  const refused = {
    problem: expect.stringContaining('must begin with https://'),
    final: true,
    tooLarge: false,
  };
  expect(await strict.send(post('json'), batch, never)).toEqual(refused);
  expect(strict.refusal({ kind: 'http', url: 'https://10.0.0.1/' })).toContain('public address');
  expect(strict.refusal({ kind: 's3' })).toBe('needs PODIUM_S3_URL, which the server does not have');
  expect(receiver.received).toEqual([]);
});

it('is a Parquet file in the bucket, the same with each attempt', async () => {
  store.statuses.push(503);
  const problem = { problem: 'the object store answered 503', final: false, tooLarge: false };
  expect(await destinations.send({ kind: 's3' }, batch, never)).toEqual(problem);
  store.statuses.push(413);
  const tooLarge = { problem: 'the object store answered 413', final: false, tooLarge: true };
  expect(await destinations.send({ kind: 's3' }, batch, never)).toEqual(tooLarge);
  expect(await destinations.send({ kind: 's3' }, batch, never)).toBeNull();
  const file = store.objects.get(batch.key);
  expect([file?.subarray(0, 4).toString(), file?.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
  expect(await destinations.send({ kind: 's3' }, { ...batch, key: 'empty', entries: [] }, never)).toBeNull();
  expect(store.objects.get('empty')?.subarray(0, 4).toString()).toBe('PAR1');
});
