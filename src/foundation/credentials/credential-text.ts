/**
 * The text of a secret that Podium hands out: `<prefix>_<id>_<secret><checksum>`. The prefix lets scanners recognise a
 * leaked one and tells API keys and access tokens apart, the id names the stream that answers for it, the secret carries
 * 190 bits, and the checksum tells a typing error without any look-up. Only a hash of the secret is ever stored; a fast
 * hash is enough, since a random secret cannot be guessed from a dictionary.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Ids are in small letters and digits: they stand in stream names and are read aloud. */
const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;

export interface CredentialText {
  readonly id: string;
  readonly secret: string;
}

const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

const CHECKSUM_LENGTH = 6;

const checksum = (text: string): string => {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
};

export class CredentialFormat {
  readonly #prefix: string;
  readonly #text: RegExp;

  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#text = new RegExp(
      `^(${prefix}_([a-z0-9]{${ID_LENGTH}})_([A-Za-z0-9]{${SECRET_LENGTH}}))([A-Za-z0-9]{${CHECKSUM_LENGTH}})$`,
    );
  }

  make(): CredentialText {
    return { id: randomText(ID_LENGTH, ID_ALPHABET), secret: randomText(SECRET_LENGTH, ALPHABET) };
  }

  write({ id, secret }: CredentialText): string {
    const text = `${this.#prefix}_${id}_${secret}`;
    return text + checksum(text);
  }

  /** Null for what cannot be one of ours: another shape, or a typing error. */
  read(text: string): CredentialText | null {
    const [, body, id, secret, sum] = this.#text.exec(text) ?? [];
    if (body === undefined || id === undefined || secret === undefined) return null;
    return checksum(body) === sum ? { id, secret } : null;
  }
}

/** Of API keys: `podium_4f9k2mq7x01b_…`. */
export const API_KEY_TEXT = new CredentialFormat('podium');
/** Of access tokens: `podium_token_4f9k2mq7x01b_…`. */
export const ACCESS_TOKEN_TEXT = new CredentialFormat('podium_token');

/** SHA-256 of the secret, hex. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Takes as long for a wrong secret as for the right one. */
export const secretMatches = (secret: string, secretHash: string): boolean => {
  const expected = Buffer.from(secretHash, 'hex');
  const actual = createHash('sha256').update(secret).digest();
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};
