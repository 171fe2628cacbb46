/**
 * Who is signed in, known to all nodes alike: a session is looked up in the operational store by each request that needs
 * one, with the account as it is now, so that signing out, a new password, another role and a removal count from the next
 * request on. Only the hash of what the cookie holds is stored. @fastify/session would load a session for every path,
 * store it under what the cookie holds, and know neither the account's other sessions nor two expiries.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { newSessionId } from './session-cookie.js';

const HOUR = 3_600_000;
/** A session that nobody uses ends; a contest's day, with its breaks, does not end it. Milliseconds. */
export const MAX_IDLE_MS = 12 * HOUR;
/** However much it is used. Milliseconds. */
export const MAX_AGE_MS = 7 * 24 * HOUR;
/** How far behind the last request may be known: a write each would cost more than the request. */
const SEEN_UPDATE_INTERVAL_MS = 5 * 60_000;

@Injectable()
export class Sessions {
  constructor(@Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore) {}

  /** The id for the cookie. `now` in milliseconds. */
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

  /** The account as it is now; null where the session is none or over. */
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
