/**
 * Sessions of signed-in accounts, shared by all nodes. Each request that needs a session loads it, with the
 * present account, from the operational store. So a sign-out, a new password, another role or a removal counts
 * from the next request on. Only a hash of the cookie's value is stored. @fastify/session is not used: it loads
 * a session for every path and stores the value of the cookie.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { newSessionId } from './session-cookie.js';

const HOUR = 3_600_000;
/** An unused session ends after this time; the breaks of a contest day do not end it. Milliseconds. */
export const MAX_IDLE_MS = 12 * HOUR;
/** The longest life of a session, used or not. Milliseconds. */
export const MAX_AGE_MS = 7 * 24 * HOUR;
/** Writes of the last use are at least this far apart: one per request would cost more than the request. */
const SEEN_UPDATE_INTERVAL_MS = 5 * 60_000;

@Injectable()
export class Sessions {
  constructor(@Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore) {}

  /** Returns the id for the cookie. `now` in milliseconds. */
  async start({ accountId, passwordId }: StoredAccount, now: number): Promise<string> {
    const sessionId = newSessionId();
    const { accounts } = this.operational;
    await accounts.endSessionsBefore({ startedAt: now - MAX_AGE_MS, seenAt: now - MAX_IDLE_MS });
    await accounts.startSession({
      key: keyOf(sessionId),
      accountId,
      passwordId,
      startedAt: now,
      seenAt: now,
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
    const isOver =
      account?.passwordId !== session.passwordId ||
      now - session.startedAt >= MAX_AGE_MS ||
      now - session.seenAt >= MAX_IDLE_MS;
    if (isOver) {
      await accounts.endSession(key);
      return null;
    }
    if (now - session.seenAt >= SEEN_UPDATE_INTERVAL_MS) await accounts.seen(key, now);
    return account;
  }

  async end(sessionId: string): Promise<void> {
    await this.operational.accounts.endSession(keyOf(sessionId));
  }
}

const keyOf = (sessionId: string): string => createHash('sha256').update(sessionId).digest('hex');
