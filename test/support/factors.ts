/** Second factors of accounts in tests: set up over HTTP, as a page does. */
import { createHash } from 'node:crypto';
import { TOTP } from 'otpauth';
import { RECENT_MS } from '../../src/accounts/sessions.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../src/foundation/operational/operational-store.js';
import type { Api } from './api.js';
import type { Reply } from './client.js';
import type { SignedInClient } from './dashboard.js';

export const FACTORS = '/api/session/factors';

const STEP_MS = 30_000;

/** The session that a reply has set, as a Cookie header has it. */
export const renewedBy = ({ headers }: Reply): string =>
  headers['set-cookie']?.find((cookie) => cookie.startsWith('podium_session='))?.split(';')[0] ?? '';

export const codesOf = ({ json }: Reply): readonly string[] => Object(json).recoveryCodes;

export interface SetUpAuthenticator {
  /** The session that goes on; that of the client has ended. */
  readonly cookie: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** A code that was not used yet: one step ahead of the clock. */
  nextCode(): string;
}

export const setUpAuthenticator = async (client: SignedInClient): Promise<SetUpAuthenticator> => {
  const begun = await client.send('POST', `${FACTORS}/authenticator/secret`);
  const { secret } = begun.json as { readonly secret: string };
  const app = new TOTP({ secret });
  const set = await client.send('PUT', `${FACTORS}/authenticator`, { code: app.generate() });
  return {
    cookie: renewedBy(set),
    secret,
    recoveryCodes: codesOf(set),
    nextCode: () => app.generate({ timestamp: Date.now() + STEP_MS }),
  };
};

/** Makes the session begin too long ago for changes of factors. Returns it. */
export const agedSession = async (api: Api, cookie: string): Promise<string> => {
  const { accounts } = api.app.get<OperationalStore>(OPERATIONAL_STORE);
  const key = createHash('sha256')
    .update(cookie.slice(cookie.indexOf('=') + 1))
    .digest('hex');
  const session = await accounts.session(key);
  if (!session) throw new Error('there is no such session');
  await accounts.startSession({ ...session, startedAt: session.startedAt - RECENT_MS });
  return cookie;
};
