/**
 * Sign-in. A refusal gives nothing away: a wrong password and an unknown account take the same work and give
 * the same answer.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../domain/rejections.js';
import { isOutage } from '../foundation/basics/store-unavailable.js';
import type { StoredAccount } from '../foundation/operational/account-store.js';
import { AuditTrail } from '../foundation/operational/audit-trail.js';
import type { FactorKind } from '../foundation/operational/factors.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';
import { networkOf } from '../http/credentials/buckets.js';
import { FailureError } from '../http/problems/failure.js';
import { AccountFactors } from './factors/account-factors.js';
import { factorKindsOf } from './factors/factors.js';
import { hasEnded } from './password-rules.js';
import { Passwords } from './passwords.js';
import { type Attempt, SignInLimits } from './sign-in-limits.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Of an authenticator app, or a recovery code. */
  readonly code?: string;
}

@Injectable()
export class SignIn {
  constructor(
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly passwords: Passwords,
    private readonly limits: SignInLimits,
    private readonly factors: AccountFactors,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Throws RejectedError `sign-in-refused`, FailureError `too-many-sign-ins`. Only to a client that knows the password:
   * RejectedError `one-time-password-ended`, `second-factor-missing`, `second-factor-refused`.
   */
  async accountOf({ email, password, code }: Credentials, address: string): Promise<StoredAccount> {
    const attempt = attemptOf(email, address);
    const account = await this.withPassword(attempt, { email, password });
    const kinds = factorKindsOf(account);
    if (kinds.length === 0) {
      this.limits.succeeded(attempt, Date.now());
      return account;
    }
    if (code === undefined) {
      this.limits.giveBack(attempt, Date.now());
      throw missing(kinds);
    }
    const signedIn = await this.withCode(account, code, attempt).catch((error: unknown) => {
      if (error instanceof RejectedError || error instanceof FailureError) this.failed(account, address);
      throw error;
    });
    this.limits.succeeded(attempt, Date.now());
    return signedIn;
  }

  /** Checks the password of a signed-in account again. Throws as above, but asks for no second factor. */
  async confirm({ email }: StoredAccount, password: string, address: string): Promise<void> {
    const attempt = attemptOf(email, address);
    await this.withPassword(attempt, { email, password });
    this.limits.succeeded(attempt, Date.now());
  }

  private async withPassword(attempt: Attempt, credentials: Credentials): Promise<StoredAccount> {
    await this.limits.refresh();
    try {
      this.limits.count(attempt, Date.now());
    } catch (error) {
      this.failed(null, attempt.address);
      throw error;
    }
    return freeInOutage(this.checked(attempt, credentials), () => this.limits.giveBack(attempt, Date.now()));
  }

  private async checked(attempt: Attempt, { email, password }: Credentials): Promise<StoredAccount> {
    const { accounts } = this.operational;
    const account = await accounts.byEmail(email);
    const { matches, isOutdated } = await this.passwords.check(password, account?.passwordHash ?? null);
    if (!account || !matches) {
      this.failed(account, attempt.address);
      throw refused();
    }
    if (hasEnded(account, Date.now())) {
      this.limits.giveBack(attempt, Date.now());
      throw ended();
    }
    if (isOutdated) {
      const { accountId, passwordHash } = account;
      await accounts.replaceHash(accountId, passwordHash, await this.passwords.hash(password));
    }
    return account;
  }

  private async withCode(account: StoredAccount, code: string, attempt: Attempt): Promise<StoredAccount> {
    this.limits.countCode(attempt, Date.now());
    const accepting = this.factors.acceptCode(account, code, Date.now());
    const signedIn = await freeInOutage(accepting, () => {
      this.limits.codeSucceeded(attempt, Date.now());
      this.limits.giveBack(attempt, Date.now());
    });
    this.limits.codeSucceeded(attempt, Date.now());
    return signedIn;
  }

  private failed(account: StoredAccount | null, address: string): void {
    const { accountId: subject = null, spaceId = null } = account ?? {};
    this.audit.failed({ action: 'sign-in-failed', spaceId, subject }, { network: networkOf(address) });
  }
}

/** A guess that the store does not answer is none: it costs nothing. */
const freeInOutage = <T>(answer: Promise<T>, giveBack: () => void): Promise<T> =>
  answer.catch((error: unknown) => {
    if (isOutage(error)) giveBack();
    throw error;
  });

const attemptOf = (email: string, address: string): Attempt => ({
  email: email.normalize('NFC').toLowerCase(),
  address,
});

const missing = (kinds: readonly FactorKind[]): RejectedError => {
  const message = kinds.includes('authenticator')
    ? 'give the code that your authenticator app shows, or a recovery code'
    : 'sign in with your passkey, or give a recovery code';
  return new RejectedError({
    code: 'second-factor-missing',
    detail: message,
    errors: [{ field: 'code', rule: 'second-factor', message }],
  });
};

const ended = (): RejectedError =>
  new RejectedError({
    code: 'one-time-password-ended',
    detail: 'this one-time password ended 24 hours after it was made: ask an admin for a new one',
  });

const refused = (): RejectedError =>
  new RejectedError({ code: 'sign-in-refused', detail: 'the email or the password is wrong' });
