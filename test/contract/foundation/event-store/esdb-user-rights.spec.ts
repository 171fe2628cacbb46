/** The user of the nodes in an EventStoreDB with users and access lists. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../../../src/app/stores/open-event-store.js';
import { grantUserRights } from '../../../../src/engines/eventstoredb/user-rights.js';
import { hasAnonymousAccess } from '../../../../src/foundation/event-store/anonymous-access.js';
import { type EventStore, NO_STREAM } from '../../../../src/foundation/event-store/event-store.js';
import { newEvents } from '../../../support/events.js';
import { startEsdbTestServer, type TestServerEngine } from '../../../support/eventstoredb/engine.js';
import { CERTIFICATE } from '../../../support/eventstoredb/test-server.js';

const ADMIN = { username: 'admin', password: 'changed' };
const STREAM = 'podium/round-1';

let engine: TestServerEngine;
const opened: EventStore[] = [];

beforeEach(async () => {
  engine = await startEsdbTestServer({ tls: true });
  engine.server.access.users.set(ADMIN.username, ADMIN.password);
});

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  await engine.stop();
});

const urlOf = (user: string): string =>
  `${engine.url.replace('esdb://', `esdb://${user}`)}&tlsCAFile=${encodeURIComponent(CERTIFICATE)}`;
const grant = (isAlone: boolean, user = 'podium:secret@') =>
  grantUserRights(urlOf(user), { admin: ADMIN, isAlone });
const open = async (user = 'podium:secret@'): Promise<EventStore> => {
  const store = await openEventStore(urlOf(user));
  opened.push(store);
  return store;
};
const contentOf = async (stream: string): Promise<unknown> => {
  const records = await engine.server.records.readStream(stream, { direction: 'backwards', limit: 1 });
  const [last] = Array.isArray(records) ? records : [];
  return last && JSON.parse(Buffer.from(last.data).toString());
};
const write = (stream: string, content: object) =>
  engine.server.records.append(stream, NO_STREAM, [
    {
      id: '00000000-0000-4000-8000-000000000001',
      type: 'any',
      contentType: 'application/json',
      data: Buffer.from(JSON.stringify(content)),
      metadata: new Uint8Array(),
    },
  ]);

describe('before', () => {
  it('the server does not know the user', async () => {
    await expect(open()).rejects.toThrow('denies access');
  });
});

describe('granted', () => {
  it('the user reads and appends all that a node does', async () => {
    expect(await grant(true)).toEqual({ user: 'podium', created: true, isAlone: true });
    const store = await open();
    const appended = await store.append(STREAM, NO_STREAM, newEvents(2));
    expect(appended).toMatchObject({ ok: true, revision: 1 });
    expect(await store.readStream(STREAM)).toHaveLength(2);
    const all = [];
    for await (const { stream } of store.readAll()) all.push(stream);
    expect(all).toEqual([STREAM, STREAM]);
  });

  it('alone, nobody without credentials gets at a stream', async () => {
    await grant(true);
    const store = await open();
    if (!hasAnonymousAccess(store)) throw new Error('it has users');
    expect(await store.anonymousActs()).toEqual([]);
    expect(await contentOf('$settings')).toEqual({
      $systemStreamAcl: { $r: '$admins', $w: '$admins', $d: '$admins', $mr: '$admins', $mw: '$admins' },
      $userStreamAcl: {
        $r: ['podium', '$admins'],
        $w: ['podium', '$admins'],
        $d: '$admins',
        $mr: ['podium', '$admins'],
        $mw: '$admins',
      },
    });
  });

  it('beside others, the default access list stays as it is', async () => {
    await grant(false);
    expect(await contentOf('$settings')).toBeUndefined();
    const store = await open();
    if (!hasAnonymousAccess(store)) throw new Error('it has users');
    expect(await store.anonymousActs()).toEqual(['append']);
  });

  it('those who may read $all may go on doing so', async () => {
    await write('$$$all', { $maxCount: 7, $acl: { $r: 'auditors', $w: 'nobody' } });
    await grant(false);
    expect(await contentOf('$$$all')).toEqual({
      $maxCount: 7,
      $acl: { $r: ['auditors', 'podium'], $w: 'nobody' },
    });
  });
});

describe('granted again', () => {
  it('changes the password, and writes no list a second time', async () => {
    await grant(true);
    const head = await engine.server.records.head();
    expect(await grant(true, 'podium:other@')).toMatchObject({ created: false });
    expect(await engine.server.records.head()).toBe(head);
    await expect(open()).rejects.toThrow('denies access');
    expect((await open('podium:other@')).storeId).not.toBe('');
  });
});

describe('refused', () => {
  it.each([
    [
      'a wrong password of the administrator, which no message shows',
      'podium:secret@',
      'denies access to this user',
    ],
    ['a URL without a user', '', 'names no user: esdb://USER:PASSWORD@HOST'],
    ['the administrator as the user', 'admin:x@', 'names the administrator admin itself'],
  ])('%s', async (_what, user, reason) => {
    const granting = grantUserRights(urlOf(user), {
      admin: { ...ADMIN, password: 'guessed' },
      isAlone: true,
    });
    await expect(granting).rejects.toThrow(reason);
    await expect(granting).rejects.not.toThrow(/guessed|secret/);
    expect(engine.server.access.users.size).toBe(1);
  });
});
