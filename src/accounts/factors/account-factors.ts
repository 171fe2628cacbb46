/** Changes and uses the stored factors of accounts. A change ends every session of the account, on every node. */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { StoredAccount } from '../../foundation/operational/account-store.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import type { StoredFactors } from '../../foundation/operational/factors.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { factorsOf, withCodeUsed, withNewRecoveryCodes, withoutFactors } from './factors.js';

export interface ChangedFactors {
  readonly account: StoredAccount;
  /** Shown this once; null: those from before go on. */
  readonly recoveryCodes: readonly string[] | null;
}

@Injectable()
export class AccountFactors {
  constructor(
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly audit: AuditTrail,
  ) {}

  /** Throws RejectedError as `decide` does, and `session-missing` when the account's sessions have ended meanwhile. */
  change(account: StoredAccount, decide: (factors: StoredFactors) => StoredFactors): Promise<StoredAccount> {
    return this.#replace(account, (current) => {
      if (current.passwordId === account.passwordId) return decide(factorsOf(current));
      const detail = 'the password or a factor was changed in the meantime: sign in again';
      throw new RejectedError({ code: 'session-missing', detail });
    });
  }

  /** Adds a factor. The first comes with recovery codes. Throws as above. */
  async add(
    account: StoredAccount,
    decide: (factors: StoredFactors) => StoredFactors,
  ): Promise<ChangedFactors> {
    let recoveryCodes: readonly string[] | null = null;
    const changed = await this.change(account, (factors) => {
      const after = decide(factors);
      if (after.recoveryHashes.length > 0) return after;
      const made = withNewRecoveryCodes(after);
      recoveryCodes = made.recoveryCodes;
      return made.factors;
    });
    return { account: changed, recoveryCodes };
  }

  /** Removes all factors, for a user who has lost them. Throws RejectedError `account-not-found`. */
  async reset(accountId: string, context: CommandContext): Promise<void> {
    const account = await this.operational.accounts.byId(accountId);
    if (!account) throw gone(accountId);
    await this.#replace(account, (current) => withoutFactors(factorsOf(current)));
    const { spaceId } = account;
    await this.audit.note({ action: 'factors-reset', spaceId, subject: accountId }, context);
  }

  /** Returns the account with this code used up. Throws RejectedError `second-factor-refused`. `now` in milliseconds. */
  async acceptCode(account: StoredAccount, typed: string, now: number): Promise<StoredAccount> {
    const { accounts } = this.operational;
    for (let current: StoredAccount | null = account; current?.passwordId === account.passwordId; ) {
      const after = withCodeUsed(factorsOf(current), typed, now);
      const used = after && (await accounts.replaceFactors(current, after));
      if (used) return used;
      if (!after) break;
      current = await accounts.byId(account.accountId);
    }
    const message = 'the code is wrong, or was used before';
    throw new RejectedError({
      code: 'second-factor-refused',
      detail: message,
      errors: [{ field: 'code', rule: 'second-factor', message }],
    });
  }

  /** A use by another request in between is no reason to give up. */
  async #replace(
    account: StoredAccount,
    decide: (current: StoredAccount) => StoredFactors,
  ): Promise<StoredAccount> {
    const { accounts } = this.operational;
    for (let current = account; ; ) {
      const changed = await accounts.replaceFactors(current, decide(current), randomUUID());
      if (changed) {
        // These sessions are invalid already; this removes their rows.
        await accounts.endSessionsOf(account.accountId);
        return changed;
      }
      const now = await accounts.byId(account.accountId);
      if (!now) throw gone(account.accountId);
      current = now;
    }
  }
}

const gone = (accountId: string): RejectedError =>
  new RejectedError({ code: 'account-not-found', detail: `there is no account ${accountId}` });
