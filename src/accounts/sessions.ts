/**
 * Sessions of signed-in accounts, shared by all nodes. Each request that needs a session loads it, with the
 * present account, from the operational store. So a sign-out, a new password, another role or a removal counts
 * from the next request on. Only a hash of the cookie's value is stored. @fastify/session is not used: it loads
 * a session for every path and stores the value of the cookie.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { StoredAccount, StoredSession } from '../foundation/operational/account-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { networkOf } from '../http/credentials/buckets.js';
import { type Device, deviceNameOf } from './device.js';
import { randomCookieValue } from './random-cookie.js';

const HOUR = 3_600_000;
/** An unused session ends after this time; the breaks of a contest day do not end it. Milliseconds. */
export const MAX_IDLE_MS = 12 * HOUR;
/** The longest life of a session, used or not. Milliseconds. */
export const MAX_AGE_MS = 7 * 24 * HOUR;
/** Writes of the last use are at least this far apart: one per request would cost more than the request. */
const SEEN_UPDATE_INTERVAL_MS = 5 * 60_000;
/** So long after a sign-in its user may change passkeys and codes: a browser left open must not. Milliseconds. */
export const RECENT_MS = 10 * 60_000;

/** Where a session begins. */
export interface SignInPlace {
  /** The header; undefined when there was none. */
  readonly userAgent: string | undefined;
  readonly address: string;
}

@Injectable()
export class Sessions {
  constructor(@Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore) {}

  /** Returns the id for the cookie. `now` in milliseconds. */
  async start(
    { accountId, passwordId }: StoredAccount,
    now: number,
    { userAgent = '', address }: SignInPlace,
  ): Promise<string> {
    const sessionId = randomCookieValue();
    const { accounts } = this.operational;
    await accounts.endSessionsBefore({ startedAt: now - MAX_AGE_MS, seenAt: now - MAX_IDLE_MS });
    await accounts.startSession({
      key: keyOf(sessionId),
      accountId,
      passwordId,
      startedAt: now,
      seenAt: now,
      device: deviceNameOf(userAgent),
      network: networkOf(address),
    });
    return sessionId;
  }

  /** Returns the present account, or null when the session is unknown or over. */
  async accountOf(sessionId: string, now: number): Promise<StoredAccount | null> {
    const { accounts } = this.operational;
    const key = keyOf(sessionId);
    const session = await accounts.session(key);
    if (!session) return null;
    const account = await accounts.byId(session.accountId);
    if (isOver(session, account, now)) {
      await accounts.endSession(key);
      return null;
    }
    // No request waits for this note or fails with it: the next one writes it again.
    if (now - session.seenAt >= SEEN_UPDATE_INTERVAL_MS) accounts.seen(key, now).catch(() => undefined);
    return account;
  }

  /** Returns whether the session began a short time ago. */
  async isRecent(sessionId: string, now: number): Promise<boolean> {
    const session = await this.operational.accounts.session(keyOf(sessionId));
    return session !== null && now - session.startedAt < RECENT_MS;
  }

  /** Returns the account's sessions that are not over, the last used first. `sessionId`: of the request. */
  async devicesOf(
    account: StoredAccount,
    { now, sessionId }: { readonly now: number; readonly sessionId: string | null },
  ): Promise<readonly Device[]> {
    const all = await this.operational.accounts.sessionsOf(account.accountId);
    const own = sessionId === null ? null : keyOf(sessionId);
    return all
      .filter((session) => !isOver(session, account, now))
      .map((session) => ({
        deviceId: deviceIdOf(session),
        device: session.device ?? null,
        network: session.network ?? null,
        startedAt: new Date(session.startedAt).toISOString(),
        seenAt: new Date(session.seenAt).toISOString(),
        isThis: session.key === own,
      }));
  }

  /** Returns false when the account has no such session. */
  async endDevice({ accountId }: StoredAccount, deviceId: string): Promise<boolean> {
    const { accounts } = this.operational;
    const found = (await accounts.sessionsOf(accountId)).find((session) => deviceIdOf(session) === deviceId);
    if (found) await accounts.endSession(found.key);
    return found !== undefined;
  }

  async end(sessionId: string): Promise<void> {
    await this.operational.accounts.endSession(keyOf(sessionId));
  }
}

const isOver = (session: StoredSession, account: StoredAccount | null, now: number): boolean =>
  account?.passwordId !== session.passwordId ||
  now - session.startedAt >= MAX_AGE_MS ||
  now - session.seenAt >= MAX_IDLE_MS;

/** Long enough to tell sessions of one account apart; the whole key stays here. */
const deviceIdOf = ({ key }: StoredSession): string => key.slice(0, 16);

const keyOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('hex');
