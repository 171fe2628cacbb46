/** The audit trail over HTTP: what acts of accounts leave in it, whom it is shown to, and what it never holds. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditView } from '../../../../src/accounts/audit.js';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEST } from '../../../support/api-world.js';
import { podiumOn } from '../../../support/cli.js';
import { PASSWORD, pageHeaders, type SignedInClient, sessionOf, signIn } from '../../../support/dashboard.js';
import { setUpAuthenticator } from '../../../support/factors.js';
import { until } from '../../../support/until.js';

const AUDIT = '/api/moderation/audit';

describe('the audit trail', () => {
  let api: Api;
  let admin: SignedInClient;
  const read = async (query = ''): Promise<readonly AuditView[]> =>
    (await admin.get(`${AUDIT}?limit=500${query}`)).json as readonly AuditView[];

  beforeAll(async () => {
    api = await startApi();
    admin = await signIn(api, { role: 'admin', name: 'Ada', readsLogs: true });
  });
  afterAll(() => api?.close());

  it('has what an account does to itself, newest first, with a name and a hash of the network', async () => {
    const bob = await signIn(api, { role: 'moderator', name: 'Bob' });
    const elsewhere = await sessionOf(api, bob.email, PASSWORD);
    const devices = (await bob.get('/api/session/devices')).json as readonly {
      deviceId: string;
      isThis: boolean;
    }[];
    const other = devices.find(({ isThis }) => !isThis)?.deviceId;
    expect((await bob.send('DELETE', `/api/session/devices/${other}`)).status).toBe(204);
    expect((await api.client.get('/api/session', { cookie: elsewhere })).status).toBe(401);
    const change = { currentPassword: PASSWORD, newPassword: 'another one of theirs' };
    const changed = await bob.send('PUT', '/api/session/password', change);
    const [cookie = ''] = changed.headers['set-cookie']?.[0]?.split(';') ?? [];
    await api.client.send('/api/session', {
      method: 'DELETE',
      headers: { ...pageHeaders(api.server.url), cookie },
    });
    const entries = await read(`&account=${bob.accountId}`);
    expect(entries.map(({ action }) => action)).toEqual([
      ...['signed-out', 'password-changed', 'device-signed-out', 'signed-in', 'signed-in'],
      'account-created',
    ]);
    expect(entries[0]).toEqual({
      entryId: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.+Z$/),
      action: 'signed-out',
      accountId: bob.accountId,
      accountName: 'Bob',
      subject: null,
      subjectName: null,
      network: expect.stringMatching(/^[0-9a-f]{12}$/),
      count: 1,
      details: [],
    });
  });

  it('has what an admin does to others, and what is done on the command line', async () => {
    const cy = await signIn(api, { role: 'moderator', name: 'Cy' });
    const path = `/api/moderation/users/${cy.accountId}`;
    await admin.send('PATCH', path, { role: 'admin', name: 'Cyril' });
    await admin.send('POST', `${path}/password`);
    const podium = podiumOn(api.server.dataDir);
    expect((await podium('users', 'edit', cy.email, '--role', 'moderator')).status).toBe(0);
    const [last, ...others] = await read(`&account=${cy.accountId}`);
    expect(last).toMatchObject({ action: 'account-changed', accountId: null, network: null });
    expect(last?.details).toContain('role=moderator');
    expect(others.slice(0, 2)).toMatchObject([
      { action: 'password-reset', accountName: 'Ada', subjectName: 'Cyril' },
      { action: 'account-changed', accountName: 'Ada', subject: cy.accountId },
    ]);
    expect(others[1]?.details).toEqual(expect.arrayContaining(['role=admin', 'name']));
    expect(others[1]?.details).toHaveLength(3);
  });

  it('has keys, tokens and erasures by their ids', async () => {
    const keys = `/api/moderation/contests/${CONTEST}/keys`;
    const { keyId } = Object((await admin.send('POST', keys, { device: 'Timer 9' })).json);
    await admin.send('DELETE', `${keys}/${keyId}`);
    const tokens = '/api/moderation/logs/tokens';
    const { tokenId } = Object((await admin.send('POST', tokens, { name: 'T', scopes: ['query'] })).json);
    await admin.send('DELETE', `${tokens}/${tokenId}`);
    const personId = api.world.personIds[3];
    expect((await admin.send('DELETE', `/api/moderation/persons/${personId}`)).status).toBeLessThan(300);
    const entries = await read(`&account=${admin.accountId}`);
    expect(entries.slice(0, 5).map(({ action, subject }) => [action, subject])).toEqual([
      ['person-erased', `person ${personId}`],
      ['token-revoked', tokenId],
      ['token-issued', tokenId],
      ['key-revoked', keyId],
      ['key-issued', keyId],
    ]);
    for (const { network } of entries.slice(0, 5)) expect(network).toMatch(/^[0-9a-f]{12}$/);
    const events = await Promise.all(
      (await readdir(api.server.dataDir))
        .filter((file) => file.startsWith('events'))
        .map((file) => readFile(join(api.server.dataDir, file), 'latin1')),
    );
    expect(events.join('')).not.toMatch(/"network"/);
  });

  it('has changes of passkeys and codes, by the account and by an admin', async () => {
    const fay = await signIn(api, { role: 'moderator', name: 'Fay' });
    await setUpAuthenticator(fay);
    expect((await admin.send('DELETE', `/api/moderation/users/${fay.accountId}/factors`)).status).toBe(204);
    const entries = await read(`&account=${fay.accountId}`);
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'factors-reset', accountId: admin.accountId, subject: fay.accountId },
      { action: 'factors-changed', accountId: fay.accountId },
    ]);
  });

  it('has the keys that end with their contest, with who ended it', async () => {
    const path = '/api/moderation/contests';
    const contest = { competitionId: 'Ending2026', name: 'Ending Open', startDate: '2026-05-02' };
    expect((await admin.send('POST', path, contest)).status).toBe(201);
    const keys = `${path}/${contest.competitionId}/keys`;
    const issued: string[] = [];
    for (const device of ['Timer 1', 'Timer 2', 'Timer 3'])
      issued.push(Object((await admin.send('POST', keys, { device })).json).keyId);
    await admin.send('DELETE', `${keys}/${issued[2]}`);
    expect((await admin.send('DELETE', `${path}/${contest.competitionId}`)).status).toBe(200);
    const ended = (await read('&action=key-ended')).filter(({ subject }) => issued.includes(subject ?? ''));
    expect(ended.map(({ subject }) => subject).sort()).toEqual(issued.slice(0, 2).sort());
    expect(ended[0]).toMatchObject({
      accountId: admin.accountId,
      details: [`contest=${contest.competitionId}`, 'reason=delete'],
    });
  });

  it('has failures, added up', async () => {
    const eve = await signIn(api, { role: 'moderator', name: 'Eve' });
    const guess = (email: string) =>
      api.client.post('/api/session', { email, password: 'wrong' }, pageHeaders(api.server.url));
    for (const email of [eve.email, eve.email, 'nobody@example.org']) await guess(email);
    await api.client.post('/api/enter-attempt', ATTEMPT, { 'x-api-key': 'podium_none' });
    await api.client.get('/api/endpoints', { 'x-api-key': 'podium_token_none' });
    const failed = await until(
      async () => (await read()).filter(({ action }) => action.endsWith('-failed')),
      (found) => found.reduce((sum, { count }) => sum + count, 0) === 5,
    );
    const of = (subject: string | null, action: string) =>
      failed.filter((each) => each.subject === subject && each.action === action);
    expect(of(eve.accountId, 'sign-in-failed').reduce((sum, { count }) => sum + count, 0)).toBe(2);
    for (const action of ['sign-in-failed', 'key-failed', 'token-failed'])
      expect(of(null, action)).toHaveLength(1);
    expect(JSON.stringify(failed)).not.toMatch(/nobody|127\.0\.0\.1/);
  });

  it('keeps the entries of a removed account, which name no one then', async () => {
    const dee = await signIn(api, { role: 'moderator', name: 'Dee Vanishing' });
    expect((await admin.send('DELETE', `/api/moderation/users/${dee.accountId}`)).status).toBe(204);
    const entries = await read(`&account=${dee.accountId}`);
    expect(entries.map(({ action }) => action)).toEqual(['account-removed', 'signed-in', 'account-created']);
    expect(entries[0]).toMatchObject({ accountName: 'Ada', subject: dee.accountId, subjectName: null });
    expect(JSON.stringify(entries)).not.toMatch(/Vanishing|example\.org/);
  });

  it('comes in pages, filtered', async () => {
    const all = await read();
    const first = await admin.get(`${AUDIT}?limit=3`);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? [];
    const second = (await admin.get(next)).json as readonly AuditView[];
    expect([...(first.json as readonly AuditView[]), ...second]).toEqual(all.slice(0, 6));
    const signedIn = await read('&action=signed-in');
    expect(signedIn).toEqual(all.filter(({ action }) => action === 'signed-in'));
    expect(await read(`&network=${signedIn[0]?.network}`)).toEqual(
      all.filter(({ network }) => network === signedIn[0]?.network),
    );
    const wrong = await admin.get(`${AUDIT}?action=slept&limit=0`);
    expect(wrong.json).toMatchObject({ status: 400, errors: [{ field: 'action' }, { field: 'limit' }] });
  });

  it('is shown to admins of the space alone', async () => {
    const moderator = await signIn(api, { role: 'moderator' });
    expect((await moderator.get(AUDIT)).status).toBe(403);
    expect((await api.client.get(AUDIT)).status).toBe(401);
    const elsewhere = await signIn(api, { role: 'admin', spaceId: 'club' });
    expect((await elsewhere.get(AUDIT)).status).toBe(403);
    const theirs = (await elsewhere.get(`/api/club/moderation/audit`)).json as readonly AuditView[];
    expect(
      theirs.some(({ accountId, action }) => accountId === elsewhere.accountId && action === 'signed-in'),
    ).toBe(true);
    expect(JSON.stringify(theirs)).not.toContain(moderator.accountId);
  });
});

const ATTEMPT = {
  ...{ competitionId: CONTEST, eventId: '333', roundNumber: 1, personId: 1 },
  ...{ attemptNumber: 1, attemptResult: 1_500 },
};
