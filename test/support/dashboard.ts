/**
 * Accounts made on the server's stores, with the session that POST /api/session gave each, for requests as a page makes
 * them.
 */
import { afterAll } from '@jest/globals';
import { Accounts } from '../../src/accounts/accounts.js';
import type { Role } from '../../src/foundation/operational/account.js';
import { type Api, startApi } from './api.js';
import { CONTEST, CONTEXT, SPACE } from './api-world.js';
import type { Reply, Send } from './client.js';

export interface Who {
  readonly role: Role;
  readonly contests?: readonly string[];
  readonly readsLogs?: boolean;
  /** By default as `readsLogs`. */
  readonly managesTokens?: boolean;
  readonly spaceId?: string;
  readonly name?: string;
}

export const PASSWORD = 'a password of theirs';

export interface SignedInClient {
  readonly accountId: string;
  readonly email: string;
  /** `name=value` of the session, as a Cookie header has it. */
  readonly cookie: string;
  get(path: string, headers?: Send['headers']): Promise<Reply>;
  /** A read once the server's reads show what this reply told of. */
  after(reply: Reply, path: string): Promise<Reply>;
  /** As the pages send what changes something. */
  send(method: string, path: string, body?: unknown, headers?: Send['headers']): Promise<Reply>;
}

/** What a page's own scripts send along, and no other site can. */
export const pageHeaders = (url: string): Readonly<Record<string, string>> => ({
  origin: new URL(url).origin,
  'x-podium-request': '1',
});

let count = 0;

/** Makes an account and signs in with it. */
export const signIn = async (api: Pick<Api, 'app' | 'client'>, who: Who): Promise<SignedInClient> => {
  const { role, contests = [], readsLogs = false, spaceId = SPACE, name = `Some ${who.role}` } = who;
  const { managesTokens = readsLogs } = who;
  count += 1;
  const email = `${role}${count}@example.org`;
  const created = await api.app
    .get(Accounts)
    .create({ spaceId, email, name, role, contests, readsLogs, managesTokens }, PASSWORD, CONTEXT);
  const { accountId } = created.account;
  const cookie = await sessionOf(api, email, PASSWORD);
  const headersWith = (headers: Send['headers']): NonNullable<Send['headers']> => ({ cookie, ...headers });
  return {
    accountId,
    email,
    cookie,
    get: (path, headers) => api.client.get(path, headersWith(headers)),
    after: async ({ headers }, path) => {
      await api.client.after(headers['podium-position'], '/api/events');
      return api.client.get(path, { cookie });
    },
    send: (method, path, body, headers) =>
      api.client.send(path, {
        method,
        headers: { ...pageHeaders(api.client.url), ...headersWith(headers) },
        ...(body !== undefined && { body }),
      }),
  };
};

/** An admin, and a moderator of these contests. */
export const signInBoth = async (
  api: Api,
  contests: readonly string[],
): Promise<readonly [admin: SignedInClient, moderator: SignedInClient]> => [
  await signIn(api, { role: 'admin' }),
  await signIn(api, { role: 'moderator', contests }),
];

/** Signs in over HTTP; gives the session as a Cookie header has it. */
export const sessionOf = async (
  api: Pick<Api, 'client'>,
  email: string,
  password: string,
): Promise<string> => {
  const reply = await api.client.post('/api/session', { email, password }, pageHeaders(api.client.url));
  const [cookie = ''] = reply.headers['set-cookie'] ?? [];
  const [pair = ''] = cookie.split(';');
  if (reply.status !== 200 || pair === '') throw new Error(`${email} cannot sign in: ${reply.text}`);
  return pair;
};

/** Started for the tests of this file and stopped behind them, with a moderator of its contest. */
export const startModerated = async (): Promise<{
  readonly api: Api;
  readonly moderator: SignedInClient;
}> => {
  const api = await startApi();
  afterAll(() => api.close());
  return { api, moderator: await signIn(api, { role: 'moderator', contests: [CONTEST] }) };
};
