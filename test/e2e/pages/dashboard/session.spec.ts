/** Signing in and out over HTTP: what the cookie is like, what ends a session, and what no other site can do. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../../../src/accounts/accounts.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../../src/foundation/operational/operational-store.js';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEXT } from '../../../support/api-world.js';
import { PASSWORD, pageHeaders, type SignedInClient, sessionOf, signIn } from '../../../support/dashboard.js';

describe('a session', () => {
  let api: Api;
  let ann: SignedInClient;
  const post = (body: unknown, headers?: Record<string, string>) =>
    api.client.post('/api/session', body, headers ?? pageHeaders(api.server.url));
  const statusOf = async (cookie: string): Promise<number> =>
    (await api.client.get('/api/session', { cookie })).status;

  beforeAll(async () => {
    api = await startApi({ PODIUM_TRUST_PROXY: '127.0.0.1' });
    ann = await signIn(api, { role: 'moderator', name: 'Ann', contests: ['Open2026'] });
  });
  afterAll(() => api?.close());

  it('says to its user whose it is, to no other client, and is kept by no cache', async () => {
    const reply = await ann.get('/api/session');
    expect(reply.json).toEqual({
      accountId: ann.accountId,
      spaceId: 'default',
      email: ann.email,
      name: 'Ann',
      role: 'moderator',
      contests: ['Open2026'],
      readsLogs: false,
      managesTokens: false,
      passwordIsOneTime: false,
      needsSecondFactor: false,
    });
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    const spelt = await ann.get('/api/sessio%6e');
    expect(spelt).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(spelt.headers['access-control-allow-origin']).toBeUndefined();
    const without = await api.client.get('/api/session');
    expect(without.json).toMatchObject({ status: 401, type: '/api/docs/problems/session-missing' });
  });

  it('is a cookie that no script reads and that no other site sends with a form', async () => {
    const [plain = ''] = (await post({ email: ann.email, password: PASSWORD })).headers['set-cookie'] ?? [];
    expect(plain).toMatch(/^podium_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const behindHttps = await post(
      { email: ann.email, password: PASSWORD },
      { ...pageHeaders(api.server.url), 'x-forwarded-proto': 'https' },
    );
    const [secure = ''] = behindHttps.headers['set-cookie'] ?? [];
    expect(secure).toMatch(/^__Host-podium_session=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it.each([
    ['/dashboard/persons?search=%E6%97%A5', '/dashboard/persons?search=%E6%97%A5'],
    ['/dashboard', '/dashboard'],
    ['//evil.example', '/dashboard'],
    ['/dashboard/\\evil.example', '/dashboard'],
    ['/dashboards', '/dashboard'],
    // No header can have these.
    ['/dashboard/persons?search=\u65e5', '/dashboard'],
    ['/dashboard/\r\nSet-Cookie: podium_session=x', '/dashboard'],
    ['/dashboard/\t/evil.example', '/dashboard'],
  ])('leads from the sign-in with the way %j to %s', async (to, location) => {
    const { status, headers } = await ann.get(`/sign-in?${new URLSearchParams({ to })}`);
    expect({ status, location: headers.location }).toEqual({ status: 303, location });
  });

  it('begins anew with each sign-in, whatever the browser had before', async () => {
    const before = await sessionOf(api, ann.email, PASSWORD);
    const reply = await post(
      { email: ann.email.toUpperCase(), password: PASSWORD },
      { ...pageHeaders(api.server.url), cookie: before },
    );
    expect(reply.status).toBe(200);
    expect(reply.headers['set-cookie']?.[0]).not.toContain(before);
    expect(await statusOf(before)).toBe(401);
  });

  it('tells a wrong password and an unknown account the same', async () => {
    const wrong = await post({ email: ann.email, password: 'not their password' });
    const unknown = await post({ email: 'nobody@example.org', password: 'not their password' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const { instance: _, ...problem } = wrong.json as Record<string, unknown>;
    expect(problem).toMatchObject({ type: '/api/docs/problems/sign-in-refused' });
    expect(unknown.json).toMatchObject(problem);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it.each([
    ['a missing field', { email: 'a@example.org' }, 'password'],
    ['a field of another type', { email: 'a@example.org', password: 5 }, 'password'],
  ])('names %s', async (_, body, field) => {
    expect((await post(body)).json).toMatchObject({ status: 400, errors: [{ field }] });
  });

  it.each([
    ['without our header', { origin: 'SELF' }],
    ['from another site', { origin: 'https://evil.example', 'x-podium-request': '1' }],
    ['from a page without an origin', { origin: 'null', 'x-podium-request': '1' }],
    ['without a word on where it comes from', { 'x-podium-request': '1' }],
    ['from a neighbour', { origin: 'SELF', 'sec-fetch-site': 'same-site', 'x-podium-request': '1' }],
  ] as const)('cannot be begun or ended %s', async (_, given) => {
    const { origin: self } = new URL(api.server.url);
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === 'SELF' ? self : value]),
    );
    const begun = await post({ email: ann.email, password: PASSWORD }, headers);
    expect(begun.json).toMatchObject({ status: 403, type: '/api/docs/problems/cross-site' });
    const ended = await api.client.send('/api/session', {
      method: 'DELETE',
      headers: { ...headers, cookie: ann.cookie },
    });
    expect(ended.status).toBe(403);
    expect(await statusOf(ann.cookie)).toBe(200);
  });

  it('ends when its holder signs out, and the cookie goes', async () => {
    const bob = await signIn(api, { role: 'admin' });
    const reply = await bob.send('DELETE', '/api/session');
    expect(reply.status).toBe(204);
    expect(reply.headers['set-cookie']?.[0]).toMatch(/^podium_session=; .*Expires=Thu, 01 Jan 1970/);
    expect(await statusOf(bob.cookie)).toBe(401);
  });

  it('ends with its password; the one that changed it goes on under a new cookie', async () => {
    const cy = await signIn(api, { role: 'admin' });
    const elsewhere = await sessionOf(api, cy.email, PASSWORD);
    const newPassword = 'another one of theirs';
    const wrong = await cy.send('PUT', '/api/session/password', { currentPassword: 'wrong', newPassword });
    expect(wrong.json).toMatchObject({ type: '/api/docs/problems/sign-in-refused' });
    const short = await cy.send('PUT', '/api/session/password', {
      currentPassword: PASSWORD,
      newPassword: 'short',
    });
    expect(short.json).toMatchObject({ status: 400, errors: [{ field: 'newPassword', rule: 'password' }] });
    const changed = await cy.send('PUT', '/api/session/password', { currentPassword: PASSWORD, newPassword });
    expect(changed.status).toBe(204);
    const [renewed = ''] = changed.headers['set-cookie'] ?? [];
    expect(await statusOf(renewed.split(';')[0] ?? '')).toBe(200);
    expect([await statusOf(cy.cookie), await statusOf(elsewhere)]).toEqual([401, 401]);
    await expect(sessionOf(api, cy.email, PASSWORD)).rejects.toThrow('sign-in-refused');
    await sessionOf(api, cy.email, newPassword);
  });

  it('is listed with its device, and ended from another', async () => {
    const gus = await signIn(api, { role: 'moderator' });
    const elsewhere = await sessionOf(api, gus.email, PASSWORD);
    const path = '/api/session/devices';
    const listed = (await gus.get(path)).json as readonly { deviceId: string; isThis: boolean }[];
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual(
      expect.objectContaining({ device: 'Unknown program', network: '127.0.0.1', isThis: true }),
    );
    const other = listed.find(({ isThis }) => !isThis)?.deviceId ?? '';
    const stranger = await signIn(api, { role: 'admin' });
    expect((await stranger.send('DELETE', `${path}/${other}`)).json).toMatchObject({
      type: '/api/docs/problems/device-not-found',
    });
    expect(await statusOf(elsewhere)).toBe(200);
    expect((await gus.send('DELETE', `${path}/${other}`)).status).toBe(204);
    expect([await statusOf(gus.cookie), await statusOf(elsewhere)]).toEqual([200, 401]);
    expect((await api.client.get(path)).status).toBe(401);
  });

  it('goes on under its password when the new one is short or easy to guess, which the answer explains', async () => {
    const fay = await signIn(api, { role: 'moderator', name: 'Fayola Adeyemi' });
    const change = async (newPassword: string): Promise<unknown> =>
      (await fay.send('PUT', '/api/session/password', { currentPassword: PASSWORD, newPassword })).json;
    expect(await change('11 of them!')).toMatchObject({
      status: 400,
      errors: [
        { field: 'newPassword', rule: 'password', message: expect.stringContaining('from 12 to 256') },
      ],
    });
    for (const easy of ['password1234', 'qwertyuiop12', 'abcabcabcabc', 'Fayola Adeyemi', `${fay.email}1`])
      expect([easy, await change(easy)]).toEqual([
        easy,
        expect.objectContaining({
          status: 400,
          errors: [
            {
              field: 'newPassword',
              rule: 'guessable',
              message: expect.stringMatching(/^newPassword is too easy to guess\. [A-Z].+\.$/),
            },
          ],
        }),
      ]);
    expect(await statusOf(fay.cookie)).toBe(200);
    // As long as a password may be, the judgement stays quick enough.
    expect(await change(randomBytes(128).toString('hex'))).toBeUndefined();
  });

  it('is given for a one-time password once, also where two clients send it in the same moment', async () => {
    const { email, accountId } = await signIn(api, { role: 'moderator' });
    const accounts = api.app.get(Accounts);
    const currentPassword = await accounts.resetPassword(await accounts.find('default', accountId), CONTEXT);
    const cookies = [
      await sessionOf(api, email, currentPassword),
      await sessionOf(api, email, currentPassword),
    ];
    const replies = await Promise.all(
      cookies.map((cookie, index) =>
        api.client.send('/api/session/password', {
          method: 'PUT',
          headers: { ...pageHeaders(api.server.url), cookie },
          body: { currentPassword, newPassword: `the choice of number ${index}` },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 401]);
    const winner = replies.findIndex(({ status }) => status === 204);
    await sessionOf(api, email, `the choice of number ${winner}`);
  });

  it('is not kept by a change of the password that an admin replaces meanwhile', async () => {
    const { email, accountId } = await signIn(api, { role: 'moderator' });
    const accounts = api.app.get(Accounts);
    const asItWas = await api.app.get<OperationalStore>(OPERATIONAL_STORE).accounts.byId(accountId);
    if (!asItWas) throw new Error('there is no such account');
    const given = await accounts.resetPassword(asItWas, CONTEXT);
    const change = { currentPassword: PASSWORD, newPassword: 'of one who knew the old one' };
    await expect(accounts.changePassword(asItWas, change)).rejects.toMatchObject({
      rejection: { code: 'session-missing' },
    });
    await sessionOf(api, email, given);
  });

  it('follows its account at once: the role as it is now, and nothing after its removal', async () => {
    const dee = await signIn(api, { role: 'moderator' });
    const accounts = api.app.get(Accounts);
    const account = await accounts.find('default', dee.email);
    await accounts.edit(account, { role: 'admin', name: 'Dee' }, CONTEXT);
    expect((await dee.get('/api/session')).json).toMatchObject({ role: 'admin', name: 'Dee' });
    await accounts.remove(account, CONTEXT);
    expect(await statusOf(dee.cookie)).toBe(401);
  });

  it('slows down who guesses, and does not lock the owner out of where they have signed in', async () => {
    const eve = await signIn(api, { role: 'moderator' });
    const guess = (address: string, password = 'a guess that is wrong') =>
      post({ email: eve.email, password }, { ...pageHeaders(api.server.url), 'x-forwarded-for': address });
    const guesses = Array.from({ length: 11 }, () => guess('192.0.2.1'));
    // Those that are taken are checked for a while yet; the one too many is told at once, and so is the right one behind it.
    const refused = await Promise.any(
      guesses.map(async (sent) => {
        const reply = await sent;
        if (reply.status !== 429) throw new Error('this one was taken');
        return reply;
      }),
    );
    const right = await guess('192.0.2.1', PASSWORD);
    expect([refused.json, right.json]).toEqual(
      Array(2).fill(expect.objectContaining({ status: 429, type: '/api/docs/problems/too-many-sign-ins' })),
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    // On a slow machine the last of them hear after 10 s that their password is still being checked.
    const taken = (await Promise.all(guesses)).filter(({ status }) => status !== 429);
    expect(taken).toHaveLength(10);
    expect(taken.map(({ status }) => status)).toEqual(expect.arrayContaining([401]));
    for (const { status } of taken) expect([401, 503]).toContain(status);
    await sessionOf(api, eve.email, PASSWORD);
  });
});
