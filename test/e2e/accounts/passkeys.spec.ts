/** Passkeys over HTTP, with a device in software: what signs in, and what is refused of a device that was tampered with. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { type Reply, refusalOf } from '../../support/client.js';
import { PASSWORD, pageHeaders, type SignedInClient, sessionOf, signIn } from '../../support/dashboard.js';
import { codesOf, FACTORS, renewedBy } from '../../support/factors.js';
import { type Answer, PasskeyDevice } from '../../support/passkey-device.js';

const SITE = 'https://results.example.org';
const PASSKEYS = `${FACTORS}/passkeys`;
const SIGN_IN = '/api/session/passkey';

describe('a passkey', () => {
  let api: Api;
  /** As a page of the site sends, behind its proxy with TLS. */
  const headers = {
    ...{ origin: SITE, 'x-podium-request': '1', 'sec-fetch-site': 'same-origin' },
  };
  const post = (path: string, body?: unknown, cookie = '') =>
    api.client.send(path, {
      method: 'POST',
      headers: { ...headers, ...(cookie && { cookie }) },
      ...(body !== undefined && { body }),
    });
  const add = async (
    device: PasskeyDevice,
    cookie: string,
    answer: Partial<Answer> = {},
    name = 'Phone',
  ): Promise<Reply> => {
    const options = await post(`${PASSKEYS}/options`, undefined, cookie);
    const response = device.create(options.json, { origin: SITE, ...answer });
    return post(PASSKEYS, { name, response }, cookie);
  };
  const begin = async () => {
    const begun = await post(`${SIGN_IN}/options`);
    const [cookie = ''] = begun.headers['set-cookie']?.[0]?.split(';') ?? [];
    return { options: begun.json, cookie };
  };
  const signInWith = async (device: PasskeyDevice, answer: Partial<Answer> = {}): Promise<Reply> => {
    const { options, cookie } = await begin();
    return post(SIGN_IN, { response: device.get(options, { origin: SITE, ...answer }) }, cookie);
  };
  const withPasskey = async () => {
    const user = await signIn(api, { role: 'moderator', contests: ['Open2026'] });
    const device = new PasskeyDevice();
    const added = await add(device, user.cookie);
    expect(added.status).toBe(201);
    return { user, device, added, cookie: renewedBy(added) };
  };

  beforeAll(async () => {
    api = await startApi({ PODIUM_ORIGIN: SITE });
  });
  afterAll(() => api?.close());

  it('signs in alone, and is listed with its last use', async () => {
    const user = await signIn(api, { role: 'moderator', name: 'Ann', contests: ['Open2026'] });
    const elsewhere = await sessionOf(api, user.email, PASSWORD);
    const device = new PasskeyDevice();
    const added = await add(device, user.cookie, {}, 'Phone of Ann');
    expect([added.status, codesOf(added).length]).toEqual([201, 10]);
    expect((await api.client.get('/api/session', { cookie: elsewhere })).status).toBe(401);
    const signedIn = await signInWith(device);
    expect(signedIn.json).toMatchObject({ accountId: user.accountId, name: 'Ann' });
    const listed = await api.client.get(FACTORS, { cookie: renewedBy(signedIn) });
    expect(listed.json).toEqual({
      passkeys: [
        {
          ...{ passkeyId: expect.any(String), name: 'Phone of Ann', isSynced: false },
          ...{ createdAt: expect.any(String), usedAt: expect.any(String) },
        },
      ],
      authenticator: null,
      recoveryCodesLeft: 10,
    });
    expect(listed.text).not.toContain(device.credentialId);
    // A second one comes without new recovery codes.
    const second = await add(new PasskeyDevice(), renewedBy(signedIn));
    expect(second.json).toEqual({ recoveryCodes: null });
  });

  it('is asked for after the password, in whose place a recovery code signs in', async () => {
    const { user, added } = await withPasskey();
    const credentials = { email: user.email, password: PASSWORD };
    const missing = await post('/api/session', credentials);
    expect(missing.json).toMatchObject({
      type: '/api/docs/problems/second-factor-missing',
      detail: 'sign in with your passkey, or give a recovery code',
    });
    const [code] = codesOf(added);
    expect((await post('/api/session', { ...credentials, code })).status).toBe(200);
  });

  it.each([
    ['of another site', { origin: 'https://results.example.com' }],
    ['of another domain', { domain: 'example.org' }],
    ['without the check of its user', { isVerified: false }],
    ['to another challenge', { challenge: 'b3RoZXI' }],
  ])('is refused with an answer %s, when it is made and when it signs in', async (_, answer) => {
    const { device } = await withPasskey();
    expect(refusalOf(await signInWith(device, answer))).toBe('401 passkey-refused');
    const user = await signIn(api, { role: 'moderator' });
    expect(refusalOf(await add(new PasskeyDevice(), user.cookie, answer))).toBe('401 passkey-refused');
    expect((await api.client.get(FACTORS, { cookie: user.cookie })).json).toMatchObject({ passkeys: [] });
  });

  it('is refused when its counter goes back: there is a copy of the device', async () => {
    const { device } = await withPasskey();
    expect((await signInWith(device, { counter: 7 })).status).toBe(200);
    for (const counter of [7, 6])
      expect(refusalOf(await signInWith(device, { counter }))).toBe('401 passkey-refused');
    expect((await signInWith(device, { counter: 8 })).status).toBe(200);
  });

  it('answers a challenge once, in the browser that got it', async () => {
    const { device } = await withPasskey();
    const { options, cookie } = await begin();
    const other = await begin();
    const body = { response: device.get(options, { origin: SITE }) };
    expect(refusalOf(await post(SIGN_IN, body, other.cookie))).toBe('401 passkey-refused');
    expect(refusalOf(await post(SIGN_IN, body))).toBe('422 challenge-ended');
    const twice = await Promise.all([post(SIGN_IN, body, cookie), post(SIGN_IN, body, cookie)]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('that is not known, or was removed, is refused', async () => {
    const { device, cookie } = await withPasskey();
    const listed = await api.client.get(FACTORS, { cookie });
    const { passkeyId } = Object(listed.json).passkeys[0];
    const removed = await api.client.send(`${PASSKEYS}/${passkeyId}`, {
      method: 'DELETE',
      headers: { ...headers, cookie },
    });
    expect(removed.status).toBe(204);
    expect(refusalOf(await signInWith(device))).toBe('401 passkey-refused');
    expect(refusalOf(await signInWith(new PasskeyDevice()))).toBe('401 passkey-refused');
    const again = await api.client.send(`${PASSKEYS}/${passkeyId}`, {
      method: 'DELETE',
      headers: { ...headers, cookie: renewedBy(removed) },
    });
    expect(refusalOf(again)).toBe('404 factor-not-found');
  });

  it('of another account cannot be claimed', async () => {
    const { device } = await withPasskey();
    const thief = await signIn(api, { role: 'moderator' });
    const { options, cookie } = await begin();
    const answer = device.get(options, { origin: SITE }) as { response: object };
    const userHandle = Buffer.from(thief.accountId).toString('base64url');
    const claimed = { ...answer, response: { ...answer.response, userHandle } };
    expect(refusalOf(await post(SIGN_IN, { response: claimed }, cookie))).toBe('401 passkey-refused');
  });

  it.each([
    ['nothing', {}],
    ['texts', { id: 'a', rawId: 'a', type: 'public-key', response: 'b' }],
    ['numbers', { id: 1, rawId: 1, type: 2, response: { clientDataJSON: 3, userHandle: 4 } }],
    [
      'bytes that are no CBOR',
      { id: 'a', rawId: 'a', type: 'public-key', response: { attestationObject: 'a' } },
    ],
  ])('is refused with an answer of %s', async (_, response) => {
    const { cookie } = await begin();
    expect(refusalOf(await post(SIGN_IN, { response }, cookie))).toBe('401 passkey-refused');
    const user = await signIn(api, { role: 'moderator' });
    await post(`${PASSKEYS}/options`, undefined, user.cookie);
    expect(refusalOf(await post(PASSKEYS, { name: 'X', response }, user.cookie))).toBe('401 passkey-refused');
  });

  it('names the site to a browser that is elsewhere', async () => {
    const user: SignedInClient = await signIn(api, { role: 'moderator' });
    for (const path of [`${PASSKEYS}/options`, `${SIGN_IN}/options`]) {
      const reply = await api.client.post(path, undefined, {
        ...pageHeaders(api.server.url),
        cookie: user.cookie,
      });
      expect([path, refusalOf(reply)]).toEqual([path, '422 passkey-site']);
      expect(Object(reply.json).detail).toContain(SITE);
    }
  });
});
