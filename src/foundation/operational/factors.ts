/**
 * What a user signs in with besides the password: passkeys, an authenticator app, recovery codes. It is part of the
 * account, so copies, backups and erasures have it too.
 */

/** Recovery codes are none by themselves: they stand in for a lost one. */
export const FACTOR_KINDS = ['passkey', 'authenticator'] as const;
export type FactorKind = (typeof FACTOR_KINDS)[number];

export interface StoredPasskey {
  /** The credential id that the device chose, base64url. */
  readonly passkeyId: string;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** Signatures that the device has counted; 0 when it does not count. */
  readonly counter: number;
  /** How a browser reaches the device, such as `internal` or `usb`. */
  readonly transports: readonly string[];
  /** As the user calls it. */
  readonly name: string;
  /** Whether the device copies the key to others of its user. */
  readonly isSynced: boolean;
  /** Milliseconds since 1970, as all times here. */
  readonly createdAt: number;
  readonly usedAt: number | null;
}

export interface StoredAuthenticator {
  /** Base32. In plain text: the server computes codes with it. */
  readonly secret: string;
  /** The step of the last accepted code: this one and earlier ones are refused. */
  readonly lastStep: number;
  readonly createdAt: number;
}

export interface StoredFactors {
  /** Raised by every change and every use, so that two nodes cannot accept one code. */
  readonly revision: number;
  readonly passkeys: readonly StoredPasskey[];
  readonly authenticator: StoredAuthenticator | null;
  /** SHA-256 of each recovery code that is left, in hexadecimal digits. */
  readonly recoveryHashes: readonly string[];
}

export const NO_FACTORS: StoredFactors = {
  revision: 0,
  passkeys: [],
  authenticator: null,
  recoveryHashes: [],
};

/** What a browser must answer, or confirm, within minutes. */
export interface StoredChallenge {
  /** SHA-256 of the purpose and of the cookie that it is bound to, in hexadecimal digits. */
  readonly key: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}
