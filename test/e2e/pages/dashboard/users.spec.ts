/** Accounts over HTTP and by the command line: what an admin does with them, and other users may not. */
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../../../src/accounts/accounts.js';
import type { Account } from '../../../../src/foundation/operational/account.js';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEXT } from '../../../support/api-world.js';
import { podiumOn } from '../../../support/cli.js';
import { PASSWORD, pageHeaders, type SignedInClient, sessionOf, signIn } from '../../../support/dashboard.js';

const USERS = '/api/moderation/users';

interface Made {
  readonly account: Account;
  readonly password: string;
}

describe('users', () => {
  let api: Api;
  let admin: SignedInClient;
  let moderator: SignedInClient;
  const made = async (body: object): Promise<Made> => {
    const reply = await admin.send('POST', USERS, body);
    expect(reply.status).toBe(201);
    return reply.json as Made;
  };
  const refused = (code: string, status: number) => ({ status, type: `/api/docs/problems/${code}` });

  beforeAll(async () => {
    api = await startApi();
    admin = await signIn(api, { role: 'admin', name: 'Ada', readsLogs: true });
    moderator = await signIn(api, { role: 'moderator', contests: ['Open2026'] });
  });
  afterAll(() => api?.close());

  it('are made with a password for one time, which is good for choosing another', async () => {
    const { account, password } = await made({
      email: 'cy@example.org',
      name: 'Cy',
      role: 'moderator',
      contests: ['Open2026', 'Open2026'],
    });
    expect(account).toEqual({
      accountId: expect.any(String),
      spaceId: 'default',
      email: 'cy@example.org',
      name: 'Cy',
      role: 'moderator',
      contests: ['Open2026'],
      readsLogs: false,
      managesTokens: false,
    });
    const cookie = await sessionOf(api, 'cy@example.org', password);
    const shown = await api.client.get('/api/session', { cookie });
    expect(shown.json).toMatchObject({ passwordIsOneTime: true });
    const other = await api.client.get(USERS, { cookie });
    expect(other.json).toMatchObject(refused('password-to-change', 403));
    const changed = await api.client.send('/api/session/password', {
      method: 'PUT',
      headers: { ...pageHeaders(api.server.url), cookie },
      body: { currentPassword: password, newPassword: PASSWORD },
    });
    const [renewed = ''] = changed.headers['set-cookie'] ?? [];
    const after = await api.client.get(USERS, { cookie: renewed.split(';')[0] ?? '' });
    expect(after.json).toMatchObject(refused('account-not-allowed', 403));
  });

  it('are listed by email, without a word on their passwords', async () => {
    const reply = await admin.get(USERS);
    const accounts = reply.json as readonly Account[];
    expect(accounts.map(({ email }) => email)).toEqual(
      expect.arrayContaining([admin.email, moderator.email]),
    );
    expect(reply.text).not.toMatch(/password|scrypt/);
  });

  it('are changed field by field, and signed out by a new password', async () => {
    const dee = await signIn(api, { role: 'moderator', contests: ['Open2026'] });
    const path = `${USERS}/${dee.accountId}`;
    const promoted = await admin.send('PATCH', path, { role: 'admin', name: 'Dee' });
    expect(promoted.json).toMatchObject({ role: 'admin', name: 'Dee', contests: [], email: dee.email });
    expect((await dee.get(USERS)).status).toBe(200);
    const reset = await admin.send('POST', `${path}/password`);
    const { password } = reply<{ password: string }>(reset.json);
    expect((await dee.get('/api/session')).status).toBe(401);
    await sessionOf(api, dee.email, password);
  });

  it('keep the contests that another admin has given meanwhile', async () => {
    const { accountId } = await signIn(api, { role: 'moderator', contests: ['Open2026'] });
    const accounts = api.app.get(Accounts);
    const asItWas = await accounts.find('default', accountId);
    await accounts.edit(asItWas, { contests: [] }, CONTEXT);
    expect(await accounts.edit(asItWas, { name: 'Fay' }, CONTEXT)).toMatchObject({
      name: 'Fay',
      contests: [],
    });
  });

  it('are removed with every trace of name and email', async () => {
    const { account } = await made({ email: 'vanishing@example.org', name: 'Vanishing', role: 'moderator' });
    const path = `${USERS}/${account.accountId}`;
    expect((await admin.send('DELETE', path)).status).toBe(204);
    expect((await admin.send('DELETE', path)).json).toMatchObject(refused('account-not-found', 404));
    for (const file of await readdir(api.server.dataDir)) {
      if (!/^(?:operational|events)/.test(file)) continue;
      const bytes = await readFile(join(api.server.dataDir, file));
      expect([file, bytes.includes('anishing')]).toEqual([file, false]);
    }
  });

  it.each([
    ['an email that is none', { email: 'cy', name: 'Cy', role: 'moderator' }, 'email'],
    ['a name that is blank', { email: 'x@example.org', name: ' ', role: 'moderator' }, 'name'],
    ['a role that there is not', { email: 'x@example.org', name: 'X', role: 'owner' }, 'role'],
    [
      'a contest that can be none',
      { email: 'x@example.org', name: 'X', role: 'moderator', contests: ['a/b'] },
      'contests[0]',
    ],
    [
      'a contest that there is not',
      { email: 'x@example.org', name: 'X', role: 'moderator', contests: ['Open2026', 'open2026'] },
      'contests[1]',
    ],
    ['a field that is left out', { email: 'x@example.org', role: 'moderator' }, 'name'],
  ])('cannot have %s', async (_, body, field) => {
    const answer = await admin.send('POST', USERS, body);
    expect(answer.json).toMatchObject({ status: 400, errors: [{ field }] });
  });

  it('keep a contest that they have, and get none that is misspelt', async () => {
    const { accountId } = await signIn(api, { role: 'moderator', contests: ['Gone2025'] });
    const give = (contests: readonly string[]) => admin.send('PATCH', `${USERS}/${accountId}`, { contests });
    expect((await give(['Gone2025', 'Draft2026'])).status).toBe(200);
    expect(await give(['Draft2026', 'Nowhere2026'])).toMatchObject({
      status: 400,
      json: {
        detail: 'contests[1]: there is no contest Nowhere2026 in the space default',
        errors: [{ field: 'contests[1]', rule: 'known' }],
      },
    });
  });

  it.each(['email', 'name', 'role', 'contests', 'readsLogs'])('have a %s that is not null', async (field) => {
    const body = { email: 'null@example.org', name: 'Null', role: 'moderator', [field]: null };
    const refusal = { status: 400, json: { errors: [{ field }] } };
    expect(await admin.send('POST', USERS, body)).toMatchObject(refusal);
    const { accountId } = moderator;
    expect(await admin.send('PATCH', `${USERS}/${accountId}`, { [field]: null })).toMatchObject(refusal);
  });

  it('cannot share an email', async () => {
    const body = { email: moderator.email.toUpperCase(), name: 'X', role: 'moderator' };
    expect((await admin.send('POST', USERS, body)).json).toMatchObject(refused('email-taken', 409));
    const { account } = await made({ email: 'own@example.org', name: 'X', role: 'moderator' });
    const change = await admin.send('PATCH', `${USERS}/${account.accountId}`, { email: moderator.email });
    expect(change.json).toMatchObject(refused('email-taken', 409));
  });

  it('are the business of admins of their space alone', async () => {
    const elsewhere = await signIn(api, { role: 'admin', spaceId: 'club' });
    const one = `${USERS}/${admin.accountId}`;
    const body = { email: 'n@example.org', name: 'N', role: 'admin' };
    for (const client of [moderator, elsewhere]) {
      const answers = [
        await client.get(USERS),
        await client.send('POST', USERS, body),
        await client.send('PATCH', one, { name: 'N' }),
        await client.send('POST', `${one}/password`),
        await client.send('DELETE', one),
      ];
      for (const { json } of answers) expect(json).toMatchObject(refused('account-not-allowed', 403));
    }
    const across = await elsewhere.send('DELETE', `/api/club/moderation/users/${moderator.accountId}`);
    expect(across.json).toMatchObject(refused('account-not-found', 404));
    expect((await api.client.get(USERS)).json).toMatchObject(refused('session-missing', 401));
    const forged = await api.client.send(one, { method: 'DELETE', headers: { cookie: admin.cookie } });
    expect(forged.json).toMatchObject(refused('cross-site', 403));
  });

  it('leave a space an admin', async () => {
    const only = await signIn(api, { role: 'admin', spaceId: 'club', name: 'Only' });
    const path = `/api/club/moderation/users/${only.accountId}`;
    const others = reply<readonly Account[]>((await only.get('/api/club/moderation/users')).json);
    for (const { accountId } of others)
      if (accountId !== only.accountId) await only.send('DELETE', `/api/club/moderation/users/${accountId}`);
    expect((await only.send('DELETE', path)).json).toMatchObject(refused('last-admin', 422));
    const demoted = await only.send('PATCH', path, { role: 'moderator' });
    expect(demoted.json).toMatchObject(refused('last-admin', 422));
    expect((await only.get('/api/session')).json).toMatchObject({ role: 'admin', name: 'Only' });
  });

  it('get the right to the logs only from those who have it', async () => {
    const without = await signIn(api, { role: 'admin' });
    const body = { email: 'logs@example.org', name: 'L', role: 'moderator', readsLogs: true };
    expect((await without.send('POST', USERS, body)).json).toMatchObject(refused('account-not-allowed', 403));
    const own = await without.send('PATCH', `${USERS}/${without.accountId}`, { readsLogs: true });
    expect(own.json).toMatchObject(refused('account-not-allowed', 403));
    const kept = await without.send('PATCH', `${USERS}/${admin.accountId}`, {
      readsLogs: true,
      name: 'Ada',
    });
    expect(kept.status).toBe(200);
    const { account } = await made(body);
    expect(account.readsLogs).toBe(true);
    const reset = `${USERS}/${account.accountId}/password`;
    expect((await without.send('POST', reset)).json).toMatchObject(refused('account-not-allowed', 403));
    expect((await admin.send('POST', reset)).status).toBe(200);
  });

  it('get the right to tokens only from those who have it, and only with the right to the logs', async () => {
    const reader = await signIn(api, { role: 'admin', readsLogs: true, managesTokens: false });
    const both = { readsLogs: true, managesTokens: true };
    const body = { email: 'tokens@example.org', name: 'T', role: 'moderator', ...both };
    expect((await reader.send('POST', USERS, body)).json).toMatchObject(refused('account-not-allowed', 403));
    const { account } = await made(body);
    expect(account).toMatchObject(both);
    const one = `${USERS}/${account.accountId}`;
    expect((await reader.send('POST', `${one}/password`)).json).toMatchObject(
      refused('account-not-allowed', 403),
    );
    expect((await admin.send('PATCH', one, { readsLogs: false })).json).toMatchObject({
      ...{ readsLogs: false, managesTokens: false },
    });
    // The right to the logs does not bring the other back.
    expect((await admin.send('PATCH', one, { readsLogs: true })).json).toMatchObject({
      ...{ readsLogs: true, managesTokens: false },
    });
    const alone = { readsLogs: false, managesTokens: true };
    expect((await admin.send('PATCH', one, alone)).json).toMatchObject({ managesTokens: false });
    expect((await admin.send('DELETE', one)).status).toBe(204);
  });

  it('are made, listed, changed and removed on the command line beside the server', async () => {
    const podium = podiumOn(api.server.dataDir);
    const email = 'cli@example.org';
    const created = await podiumWithInput(
      api.server.dataDir,
      `${PASSWORD}\n`,
      ...['users', 'create', '--email', email, '--name', 'Cli', '--role', 'admin', '--logs'],
      '--password-stdin',
    );
    expect(created).toMatchObject({ status: 0, stdout: expect.stringContaining('may sign in') });
    const cookie = await sessionOf(api, email, PASSWORD);
    expect((await api.client.get('/api/session', { cookie })).json).toMatchObject({
      role: 'admin',
      readsLogs: true,
      passwordIsOneTime: false,
    });
    const listed = await podium('users', 'list', '--json');
    expect(listed.json()).toEqual(expect.arrayContaining([expect.objectContaining({ email })]));
    await podium('users', 'edit', email, '--role', 'moderator', '--contest', 'Open2026', '--no-logs');
    expect((await api.client.get('/api/session', { cookie })).json).toMatchObject({
      role: 'moderator',
      contests: ['Open2026'],
      readsLogs: false,
    });
    const reset = await podium('users', 'password', email, '--one-time', '--json');
    await sessionOf(api, email, reply<{ password: string }>(reset.json()).password);
    expect((await api.client.get('/api/session', { cookie })).status).toBe(401);
    expect((await podium('users', 'remove', email)).status).toBe(0);
    const gone = await podium('users', 'remove', email);
    expect([gone.status, gone.stderr]).toEqual([1, expect.stringContaining('no account')]);
  });

  it('need a terminal or a stdin that has the password', async () => {
    const create = ['users', 'create', '--email', 'x@example.org', '--name', 'X'];
    const silent = await podiumOn(api.server.dataDir)(...create);
    expect([silent.status, silent.stderr]).toEqual([1, expect.stringContaining('--password-stdin')]);
    const short = await podiumWithInput(api.server.dataDir, 'short\n', ...create, '--password-stdin');
    expect([short.status, short.stderr]).toEqual([1, expect.stringContaining('from 12 to 256 characters')]);
    const easy = await podiumWithInput(api.server.dataDir, 'sunshine2024\n', ...create, '--password-stdin');
    expect([easy.status, easy.stderr]).toEqual([1, expect.stringContaining('too easy to guess')]);
  });
});

/** What the reply is documented to be: the client has held it against the document. */
const reply = <T>(json: unknown): T => json as T;

const podiumWithInput = async (dataDir: string, input: string, ...args: readonly string[]) => {
  const child = spawn(process.execPath, ['dist/app/podium.js', ...args], {
    env: { PATH: process.env.PATH, PODIUM_DATA: dataDir, PODIUM_SAMPLE: 'false' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [status, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { status, stdout, stderr };
};
