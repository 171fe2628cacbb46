/** Objects for the operator's bucket: signed as S3 checks it, and what is told of a failure. */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { loadConfig } from '../../../../src/foundation/config.js';
import { OutgoingObjects } from '../../../../src/http/outgoing/outgoing-objects.js';
import { freePort } from '../../../support/free-port.js';
import { type LocalObjectStore, startObjectStore } from '../../../support/local-object-store.js';

let store: LocalObjectStore;
let logged: string[];

beforeEach(async () => {
  store = await startObjectStore();
  logged = [];
  Logger.overrideLogger({
    ...{ log: () => undefined, error: () => undefined },
    warn: (line: string) => logged.push(line),
  });
});
afterEach(async () => {
  Logger.overrideLogger(true);
  await store.close();
});

const objectsWith = (change: Readonly<Record<string, string>> = {}) =>
  new OutgoingObjects(loadConfig({ ...store.settings, ...change }));
const never = new AbortController().signal;
const KEY = 'drain=d/source=edge_logs/date=2026-03-17/hour=10/1-2.parquet';

it('are stored under their keys, below the path of the setting', async () => {
  await objectsWith().put(KEY, Buffer.from([0, 1, 255]), never);
  await objectsWith({ PODIUM_S3_URL: `${store.url}/logs/` }).put(KEY, Buffer.from('x'), never);
  expect([...store.objects]).toEqual([
    [KEY, Buffer.from([0, 1, 255])],
    [`logs/${KEY}`, Buffer.from('x')],
  ]);
});

it.each([
  ['PODIUM_S3_SECRET', 'another'],
  ['PODIUM_S3_KEY_ID', 'another'],
  ['PODIUM_S3_REGION', 'us-east-1'],
])('are refused with another %s, which is not told', async (name, value) => {
  const put = objectsWith({ [name]: value }).put(KEY, Buffer.from('x'), never);
  await expect(put).rejects.toThrow(/^the object store answered 403$/);
  expect(logged).toEqual([expect.stringContaining('answered 403')]);
  expect(logged.join()).not.toContain(String(store.settings.PODIUM_S3_SECRET));
  expect(store.objects.size).toBe(0);
});

it('tell callers no address of a store that does not answer', async () => {
  const url = `http://127.0.0.1:${await freePort()}/bucket`;
  const put = objectsWith({ PODIUM_S3_URL: url }).put(KEY, Buffer.from('x'), never);
  await expect(put).rejects.toThrow(/^the object store did not answer$/);
});

it('are not written without a setting', async () => {
  const none = new OutgoingObjects(loadConfig({}));
  expect(none.isSet).toBe(false);
  await expect(none.put(KEY, Buffer.from('x'), never)).rejects.toThrow('no PODIUM_S3_URL');
});
