/**
 * Codes of authenticator apps (RFC 6238): six digits, a new one every 30 seconds, SHA-1, which is what all apps know.
 */
import { Secret, TOTP } from 'otpauth';

const SECRET_BYTES = 20;
/** A clock may be so many steps early or late. */
const DRIFT_STEPS = 1;
const CODE = /^\d{6}$/;

/** 160 bits in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an app reads from the QR code. */
export const secretUri = (secret: string, email: string): string =>
  new TOTP({ issuer: 'Podium', label: email, secret }).toString();

/** Returns the step whose code this is, or null. `now` in milliseconds since 1970. */
export const stepOf = (secret: string, code: string, now: number): number | null => {
  const token = code.replaceAll(/\s/g, '');
  // The library throws for six characters that are no digits.
  if (!CODE.test(token)) return null;
  const delta = TOTP.validate({
    token,
    secret: Secret.fromBase32(secret),
    timestamp: now,
    window: DRIFT_STEPS,
  });
  return delta === null ? null : TOTP.counter({ timestamp: now }) + delta;
};
