/** Challenges that wait for the answer of one browser: bound to its cookie, taken once, and over after ten minutes. */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import { hashSecret } from '../../foundation/credentials/credential-text.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';

/** Milliseconds. */
export const CHALLENGE_MS = 10 * 60_000;

export type ChallengePurpose = 'sign-in' | 'new-passkey' | 'new-authenticator';

/** Whom a challenge is for. */
export interface ChallengeFor {
  readonly purpose: ChallengePurpose;
  /** The value of the browser's cookie; null when it has none. */
  readonly cookie: string | null;
}

@Injectable()
export class Challenges {
  constructor(@Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore) {}

  /** Replaces the one before of the same browser and purpose. `now` in milliseconds since 1970, as below. */
  async keep(given: ChallengeFor, text: string, now: number): Promise<void> {
    await this.operational.accounts.putChallenge(
      { key: keyOf(given), text, endsAt: now + CHALLENGE_MS },
      now,
    );
  }

  /** Throws RejectedError `challenge-ended`. */
  async take(given: ChallengeFor, now: number): Promise<string> {
    const taken = given.cookie === null ? null : await this.operational.accounts.takeChallenge(keyOf(given));
    if (taken && taken.endsAt > now) return taken.text;
    const detail = 'this took longer than 10 minutes, or was answered already: begin again';
    throw new RejectedError({ code: 'challenge-ended', detail });
  }
}

const keyOf = ({ purpose, cookie }: ChallengeFor): string => hashSecret(`${purpose} ${cookie}`);
