/**
 * A device with passkeys, in software: it answers the options of a server as an authenticator and its browser would, or
 * as one that was tampered with.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_KEY = 64;

export interface Answer {
  /** The page that the browser shows. */
  readonly origin: string;
  /** By default that of the options, or of `origin`. */
  readonly domain?: string;
  /** Default true: the user gave the PIN. */
  readonly isVerified?: boolean;
  /** What the device says it has signed so far. Default: it counts by one. */
  readonly counter?: number;
  /** The challenge to sign, for one that is not of these options. */
  readonly challenge?: string;
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const clientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

export class PasskeyDevice {
  readonly credentialId = base64url(randomBytes(32));
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } = generateKeyPairSync(
    'ec',
    { namedCurve: 'P-256' },
  );
  #userHandle = '';
  #counter = 0;

  /** The answer to the options of a registration; `json` as the server sent it. */
  create(json: unknown, answer: Answer): object {
    const options = json as Options;
    this.#userHandle = options.user?.id ?? '';
    const { challenge = options.challenge, domain = options.rp?.id ?? '' } = answer;
    const authData = Buffer.concat([
      this.#head(domain, HAS_KEY, answer),
      Buffer.alloc(16),
      Buffer.from([0, 32]),
      Buffer.from(this.credentialId, 'base64url'),
      this.#coseKey(),
    ]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    );
    return this.#credential({
      clientDataJSON: base64url(clientData('webauthn.create', challenge, answer.origin)),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    });
  }

  /** The answer to the options of a sign-in. */
  get(json: unknown, answer: Answer): object {
    const options = json as Options;
    const { challenge = options.challenge, domain = options.rpId ?? '' } = answer;
    const authenticatorData = this.#head(domain, 0, answer);
    const data = clientData('webauthn.get', challenge, answer.origin);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), this.#keys.privateKey);
    return this.#credential({
      clientDataJSON: base64url(data),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: this.#userHandle,
    });
  }

  #head(domain: string, flags: number, { isVerified = true, counter }: Answer): Buffer {
    this.#counter = counter ?? this.#counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#counter);
    const all = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(domain), Buffer.from([all]), count]);
  }

  #coseKey(): Uint8Array {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    );
  }

  #credential(response: object): object {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
