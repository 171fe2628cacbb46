/** A second factor that admins must have, and the ways back for a user who has lost theirs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { podiumOn } from '../../support/cli.js';
import { refusalOf } from '../../support/client.js';
import { PASSWORD, pageHeaders, sessionOf, signIn } from '../../support/dashboard.js';
import { FACTORS, renewedBy, setUpAuthenticator } from '../../support/factors.js';

const USERS = '/api/moderation/users';

describe('a second factor that admins must have', () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ PODIUM_ADMIN_SECOND_FACTOR: 'true' });
  });
  afterAll(() => api?.close());

  const send = (method: string, path: string, cookie: string) =>
    api.client.send(path, { method, headers: { ...pageHeaders(api.server.url), cookie } });
  /** An admin with an authenticator app. */
  const adminWithApp = async (readsLogs = false) => {
    const admin = await signIn(api, { role: 'admin', readsLogs });
    return { ...admin, ...(await setUpAuthenticator(admin)) };
  };
  const needsCode = async (email: string): Promise<string> => {
    const body = { email, password: PASSWORD };
    return refusalOf(await api.client.post('/api/session', body, pageHeaders(api.server.url)));
  };

  it('leaves an admin without one nothing else to do, on any page or path', async () => {
    const admin = await signIn(api, { role: 'admin', readsLogs: true });
    expect((await admin.get('/api/session')).json).toMatchObject({ needsSecondFactor: true });
    for (const path of [USERS, '/api/moderation/contests', '/api/moderation/logs/tokens'])
      expect([path, refusalOf(await admin.get(path))]).toEqual([path, '403 second-factor-to-set-up']);
    for (const path of ['/dashboard', '/dashboard/users']) {
      const page = await admin.get(path);
      expect([page.status, page.headers.location]).toEqual([303, '/dashboard/account']);
    }
    expect((await admin.get('/dashboard/account')).status).toBe(200);
    const { cookie } = await setUpAuthenticator(admin);
    expect((await api.client.get(USERS, { cookie })).status).toBe(200);
    expect((await api.client.get('/dashboard', { cookie })).status).toBe(200);
    // Without it, the same as before.
    const removed = await send('DELETE', `${FACTORS}/authenticator`, cookie);
    expect(refusalOf(await api.client.get(USERS, { cookie: renewedBy(removed) }))).toBe(
      '403 second-factor-to-set-up',
    );
  });

  it('is not asked of moderators, until one becomes an admin', async () => {
    const { cookie } = await adminWithApp();
    const moderator = await signIn(api, { role: 'moderator', contests: ['Open2026'] });
    expect((await moderator.get('/api/moderation/contests')).status).toBe(200);
    const promoted = await api.client.send(`${USERS}/${moderator.accountId}`, {
      method: 'PATCH',
      headers: { ...pageHeaders(api.server.url), cookie },
      body: { role: 'admin' },
    });
    expect(promoted.status).toBe(200);
    expect(refusalOf(await moderator.get('/api/moderation/contests'))).toBe('403 second-factor-to-set-up');
  });

  it('comes after a password of their own', async () => {
    const { cookie } = await adminWithApp();
    const other = await signIn(api, { role: 'admin' });
    const reset = await send('POST', `${USERS}/${other.accountId}/password`, cookie);
    const session = await sessionOf(api, other.email, Object(reset.json).password);
    expect(refusalOf(await send('POST', `${FACTORS}/authenticator/secret`, session))).toBe(
      '403 password-to-change',
    );
  });

  it('is removed by another admin, who reads the logs if the user does, and never their own', async () => {
    const admin = await adminWithApp();
    const reader = await adminWithApp(true);
    const lost = await adminWithApp(true);
    const path = `${USERS}/${lost.accountId}/factors`;
    const listed = await api.client.get(USERS, { cookie: admin.cookie });
    const listOf = (json: unknown) => json as readonly { accountId: string; factors: readonly string[] }[];
    expect(listOf(listed.json).find(({ accountId }) => accountId === lost.accountId)?.factors).toEqual([
      'authenticator',
    ]);
    expect(refusalOf(await send('DELETE', path, admin.cookie))).toBe('403 account-not-allowed');
    const own = `${USERS}/${reader.accountId}/factors`;
    expect(refusalOf(await send('DELETE', own, reader.cookie))).toBe('403 account-not-allowed');
    expect(await needsCode(lost.email)).toBe('401 second-factor-missing');
    expect((await send('DELETE', path, reader.cookie)).status).toBe(204);
    expect((await api.client.get('/api/session', { cookie: lost.cookie })).status).toBe(401);
    await sessionOf(api, lost.email, PASSWORD);
  });

  it('is removed on the command line, for the last admin who is locked out', async () => {
    const lost = await adminWithApp();
    const podium = podiumOn(api.server.dataDir);
    const listed = await podium('users', 'list', '--json');
    expect(listed.json()).toEqual(
      expect.arrayContaining([expect.objectContaining({ email: lost.email, factors: ['authenticator'] })]),
    );
    const reset = await podium('users', 'reset-factors', lost.email);
    expect([reset.status, reset.stdout]).toEqual([0, `${lost.email} signs in with the password alone\n`]);
    expect((await api.client.get('/api/session', { cookie: lost.cookie })).status).toBe(401);
    await sessionOf(api, lost.email, PASSWORD);
    const unknown = await podium('users', 'reset-factors', 'nobody@example.org');
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('no account')]);
  });
});
