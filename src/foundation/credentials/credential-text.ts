/**
 * The text of a secret that Podium issues: `<prefix>_<id>_<secret><checksum>`. Scanners recognise a leaked one by its
 * prefix; the id names its stream, the secret has 190 bits, and the checksum finds a typing error without a look-up.
 * Only a hash of the secret is stored. A fast hash is enough, because a random secret is in no dictionary.
 */
import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Small letters and digits: ids are part of stream names, and people read them aloud. */
const ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;

export interface CredentialText {
  readonly id: string;
  readonly secret: string;
}

/** Letters and digits that readers do not confuse. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789';
const READABLE_GROUP = 5;

/** Of characters that are drawn evenly. */
const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** For people to read out or type: groups of five characters, about 24.8 bits each, such as `k7wq2-mmx4d`. */
export const readableText = (groups: number): string =>
  Array.from({ length: groups }, () => randomText(READABLE_GROUP, READABLE)).join('-');

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

  /** Null when the text has another shape or a wrong checksum. */
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
