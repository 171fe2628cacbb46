/** Sets up an authenticator app: a secret to scan, which counts once the app has shown a code of it. */
import { Injectable } from '@nestjs/common';
import { invalid, RejectedError } from '../../domain/rejections.js';
import type { StoredAccount } from '../../foundation/operational/account-store.js';
import type { StoredAuthenticator } from '../../foundation/operational/factors.js';
import { type ChallengeFor, Challenges } from './challenges.js';
import { newSecret, secretUri, stepOf } from './time-codes.js';

export interface NewAuthenticator {
  /** Base32, for an app that cannot scan. */
  readonly secret: string;
  /** The content of the QR code. */
  readonly uri: string;
}

@Injectable()
export class AuthenticatorSetup {
  constructor(private readonly challenges: Challenges) {}

  async begin({ email }: StoredAccount, challenge: ChallengeFor, now: number): Promise<NewAuthenticator> {
    const secret = newSecret();
    await this.challenges.keep(challenge, secret, now);
    return { secret, uri: secretUri(secret, email) };
  }

  /** Throws RejectedError `challenge-ended`, and `invalid-request` for another code: the user may type again. */
  async finish(code: string, challenge: ChallengeFor, now: number): Promise<StoredAuthenticator> {
    const secret = await this.challenges.take(challenge, now);
    const lastStep = stepOf(secret, code, now);
    if (lastStep !== null) return { secret, lastStep, createdAt: now };
    await this.challenges.keep(challenge, secret, now);
    const message = 'code is not the one that the app shows now; is the clock of its device right?';
    throw new RejectedError(invalid([{ field: 'code', rule: 'present', message }]));
  }
}
