/**
 * The text of an API key: `podium_<keyId>_<secret><checksum>`. The prefix lets scanners recognise a leaked key, the id names the
 * stream that answers for it, the secret carries 190 bits, and the checksum tells a typing error without any look-up. Only a
 * hash of the secret is ever stored; a fast hash is enough, since a random secret cannot be guessed from a dictionary.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'podium';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const TEXT = new RegExp(
  `^(${PREFIX}_([a-z0-9]{${ID_LENGTH}})_([A-Za-z0-9]{${SECRET_LENGTH}}))([A-Za-z0-9]{${CHECKSUM_LENGTH}})$`,
);

export interface ApiKeyText {
  readonly keyId: string;
  readonly secret: string;
}

/** Ids are in small letters and digits: they stand in stream names and are read aloud. */
const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

const checksum = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
};

export const newApiKey = (): ApiKeyText => ({
  keyId: randomText(ID_LENGTH, ID_ALPHABET),
  secret: randomText(SECRET_LENGTH, ALPHABET),
});

export const formatApiKey = ({ keyId, secret }: ApiKeyText): string => {
  const text = `${PREFIX}_${keyId}_${secret}`;
  return text + checksum(text);
};

/** Null for what cannot be a key of ours: another shape, or a typing error. */
export const parseApiKey = (text: string): ApiKeyText | null => {
  const [, body, keyId, secret, sum] = TEXT.exec(text) ?? [];
  if (body === undefined || keyId === undefined || secret === undefined) return null;
  return checksum(body) === sum ? { keyId, secret } : null;
};

/** SHA-256 of the secret, hex. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Takes as long for a wrong secret as for the right one. */
export const secretMatches = (secret: string, secretHash: string): boolean => {
  const expected = Buffer.from(secretHash, 'hex');
  const actual = createHash('sha256').update(secret).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};
