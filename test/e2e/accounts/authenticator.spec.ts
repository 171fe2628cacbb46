/** One-time codes and recovery codes over HTTP: how they are set up, what signs in, and what does not. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { type Api, startApi } from '../../support/api.js';
import { refusalOf } from '../../support/client.js';
import { PASSWORD, pageHeaders, type SignedInClient, sessionOf, signIn } from '../../support/dashboard.js';
import { agedSession, codesOf, FACTORS, renewedBy, setUpAuthenticator } from '../../support/factors.js';

describe('an authenticator app', () => {
  let api: Api;
  const signInWith = (email: string, code?: string, password = PASSWORD) =>
    api.client.post('/api/session', { email, password, ...(code !== undefined && { code }) }, headers());
  const headers = () => pageHeaders(api.server.url);
  const statusOf = async (cookie: string): Promise<number> =>
    (await api.client.get('/api/session', { cookie })).status;
  const anyone = (): Promise<SignedInClient> => signIn(api, { role: 'moderator', contests: ['Open2026'] });

  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api?.close());

  it('is set up with a code, comes with recovery codes, and ends the other sessions', async () => {
    const ann = await anyone();
    const elsewhere = await sessionOf(api, ann.email, PASSWORD);
    const begun = await ann.send('POST', `${FACTORS}/authenticator/secret`);
    const { secret, uri } = begun.json as { secret: string; uri: string };
    expect(uri).toContain(`secret=${secret}`);
    const wrong = await ann.send('PUT', `${FACTORS}/authenticator`, { code: '000000' });
    expect(wrong).toMatchObject({ status: 400, json: { errors: [{ field: 'code', rule: 'present' }] } });
    expect(await statusOf(elsewhere)).toBe(200);
    const code = new TOTP({ secret }).generate();
    const set = await ann.send('PUT', `${FACTORS}/authenticator`, { code });
    expect(codesOf(set)).toHaveLength(10);
    expect([await statusOf(elsewhere), await statusOf(ann.cookie)]).toEqual([401, 401]);
    const listed = await api.client.get(FACTORS, { cookie: renewedBy(set) });
    expect(listed.json).toEqual({
      passkeys: [],
      authenticator: { createdAt: expect.any(String) },
      recoveryCodesLeft: 10,
    });
    expect(listed.text).not.toContain(secret);
    // The secret was for once.
    const again = await api.client.send(`${FACTORS}/authenticator`, {
      method: 'PUT',
      headers: { ...headers(), cookie: renewedBy(set) },
      body: { code },
    });
    expect(refusalOf(again)).toBe('422 challenge-ended');
  });

  it('is asked for after the password, accepts a code once, and says nothing without the password', async () => {
    const ann = await anyone();
    const { nextCode } = await setUpAuthenticator(ann);
    const missing = await signInWith(ann.email);
    expect(missing.json).toMatchObject({
      type: '/api/docs/problems/second-factor-missing',
      detail: 'give the code that your authenticator app shows, or a recovery code',
      errors: [{ field: 'code' }],
    });
    expect(missing.headers['set-cookie']).toBeUndefined();
    const code = nextCode();
    expect(refusalOf(await signInWith(ann.email, code, 'not their password'))).toBe('401 sign-in-refused');
    expect(refusalOf(await signInWith(ann.email, '000000'))).toBe('401 second-factor-refused');
    // Two at the same moment: one of them is a replay.
    const both = await Promise.all([signInWith(ann.email, code), signInWith(ann.email, code)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(refusalOf(await signInWith(ann.email, code))).toBe('401 second-factor-refused');
  });

  it('is replaced by a recovery code, each for once', async () => {
    const ann = await anyone();
    const { recoveryCodes, cookie } = await setUpAuthenticator(ann);
    const [first = '', second = ''] = recoveryCodes;
    const signedIn = await signInWith(ann.email, first);
    expect(signedIn.status).toBe(200);
    expect(refusalOf(await signInWith(ann.email, first))).toBe('401 second-factor-refused');
    expect((await signInWith(ann.email, second.toUpperCase())).status).toBe(200);
    const listed = await api.client.get(FACTORS, { cookie });
    expect(listed.json).toMatchObject({ recoveryCodesLeft: 8 });
  });

  it('changes only a short time after the sign-in', async () => {
    const ann = await anyone();
    const { cookie } = await setUpAuthenticator(ann);
    const old = await agedSession(api, cookie);
    const send = (method: string, path: string, with_: string) =>
      api.client.send(`${FACTORS}/${path}`, { method, headers: { ...headers(), cookie: with_ } });
    for (const [method, path] of [
      ['POST', 'passkeys/options'],
      ['POST', 'authenticator/secret'],
      ['POST', 'recovery-codes'],
      ['DELETE', 'authenticator'],
      ['DELETE', 'passkeys/any'],
    ] as const)
      expect([path, refusalOf(await send(method, path, old))]).toEqual([path, '403 sign-in-too-old']);
    expect((await api.client.get(FACTORS, { cookie: old })).status).toBe(200);
  });

  it('is removed, and its recovery codes with it; new codes end those before', async () => {
    const ann = await anyone();
    const { cookie, recoveryCodes } = await setUpAuthenticator(ann);
    const made = await api.client.send(`${FACTORS}/recovery-codes`, {
      method: 'POST',
      headers: { ...headers(), cookie },
    });
    expect(codesOf(made)).toHaveLength(10);
    expect(refusalOf(await signInWith(ann.email, recoveryCodes[0]))).toBe('401 second-factor-refused');
    const removed = await api.client.send(`${FACTORS}/authenticator`, {
      method: 'DELETE',
      headers: { ...headers(), cookie: renewedBy(made) },
    });
    expect(removed.status).toBe(204);
    expect(await statusOf(renewedBy(made))).toBe(401);
    const after = await api.client.get(FACTORS, { cookie: renewedBy(removed) });
    expect(after.json).toEqual({ passkeys: [], authenticator: null, recoveryCodesLeft: 0 });
    expect((await signInWith(ann.email)).status).toBe(200);
    const none = await api.client.send(`${FACTORS}/authenticator`, {
      method: 'DELETE',
      headers: { ...headers(), cookie: renewedBy(removed) },
    });
    expect(refusalOf(none)).toBe('404 factor-not-found');
  });

  it('is not asked for when the user changes the password, and stays', async () => {
    const ann = await anyone();
    const { cookie } = await setUpAuthenticator(ann);
    const newPassword = 'another one of theirs';
    const changed = await api.client.send('/api/session/password', {
      method: 'PUT',
      headers: { ...headers(), cookie },
      body: { currentPassword: PASSWORD, newPassword },
    });
    expect(changed.status).toBe(204);
    expect(refusalOf(await signInWith(ann.email, undefined, newPassword))).toBe('401 second-factor-missing');
  });
});
