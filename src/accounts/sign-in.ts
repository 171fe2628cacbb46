/**
 * Sign-in. A refusal gives nothing away: a wrong password and an unknown account take the same work and give
 * the same answer.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../domain/rejections.js';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { hasEnded } from './password-rules.js';
import { Passwords } from './passwords.js';
import { SignInLimits } from './sign-in-limits.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

@Injectable()
export class SignIn {
  constructor(
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
  ) {}

  /**
   * Throws RejectedError `sign-in-refused`, `one-time-password-ended` (only to a client that knows that password),
   * FailureError `too-many-sign-ins`.
   */
  async accountOf({ email, password }: Credentials, address: string): Promise<StoredAccount> {
    const attempt = { email: email.normalize('NFC').toLowerCase(), address };
    this.limits.count(attempt, Date.now());
    const { accounts } = this.operational;
    const account = await accounts.byEmail(email);
    const { matches, isOutdated } = await this.passwords.check(password, account?.passwordHash ?? null);
    if (!account || !matches) throw refused();
    this.limits.succeeded(attempt, Date.now());
    if (hasEnded(account, Date.now())) throw ended();
    if (isOutdated) {
      const { accountId, passwordHash } = account;
      await accounts.replaceHash(accountId, passwordHash, await this.passwords.hash(password));
    }
    return account;
  }

  /** Checks the password of a signed-in account again. Throws as above. */
  async confirm({ email }: StoredAccount, password: string, address: string): Promise<void> {
    await this.accountOf({ email, password }, address);
  }
}

const ended = (): RejectedError =>
  new RejectedError({
    code: 'one-time-password-ended',
    detail: 'this one-time password ended 24 hours after it was made: ask an admin for a new one',
  });

const refused = (): RejectedError =>
  new RejectedError({ code: 'sign-in-refused', detail: 'the email or the password is wrong' });
