/** Begins the session of a browser, in the place of the one that it had, and notes it in the audit trail. */
import { Injectable } from '@nestjs/common';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import type { AuditAction } from '../foundation/operational/audit-store.js';
import { AuditTrail } from '../foundation/operational/audit-trail.js';
import type { HttpExchange } from '../http/message/http-exchange.js';
import { contextOf } from './access-control.js';
import { sessionCookie, sessionIdOf } from './session-cookie.js';
import { Sessions } from './sessions.js';

type Request = HttpExchange['request'];

@Injectable()
export class BrowserSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly audit: AuditTrail,
  ) {}

  /** The old session ends, so an attacker who knew its id before the sign-in has nothing. `why`: what was done. */
  async renew(why: AuditAction, account: StoredAccount, { request, reply }: HttpExchange): Promise<void> {
    await this.endOf(request);
    const place = { userAgent: request.headers['user-agent'], address: request.ip };
    sessionCookie.set(request, reply, await this.sessions.start(account, Date.now(), place));
    await this.note(why, account, request);
  }

  /** `account`: whose session it is; null when it has ended already. */
  async end(account: StoredAccount | null, { request, reply }: HttpExchange): Promise<void> {
    await this.endOf(request);
    if (account) await this.note('signed-out', account, request);
    sessionCookie.clear(request, reply);
  }

  private async endOf(request: Request): Promise<void> {
    const sessionId = sessionIdOf(request);
    if (sessionId !== null) await this.sessions.end(sessionId);
  }

  private note(action: AuditAction, account: StoredAccount, request: Request): Promise<void> {
    return this.audit.note({ action, spaceId: account.spaceId }, contextOf(account, request));
  }
}
