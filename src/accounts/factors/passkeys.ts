/**
 * Passkeys (WebAuthn). A passkey checks its user by fingerprint, face or PIN, so it signs in without a password. It is
 * bound to one site: that of PODIUM_ORIGIN.
 */
import { Inject, Injectable } from '@nestjs/common';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import { RejectedError } from '../../domain/rejections.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import type { StoredAccount } from '../../foundation/operational/account-store.js';
import type { StoredPasskey } from '../../foundation/operational/factors.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { CHALLENGE_MS, type ChallengeFor, Challenges } from './challenges.js';
import { factorsOf, withPasskeyUsed } from './factors.js';

/** A request of a browser, and the challenge that it is about. */
export interface PasskeyRequest {
  readonly request: FastifyRequest;
  readonly challenge: ChallengeFor;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Verifying certificates of devices would make the server follow addresses in them. Podium judges no devices. */
const ATTESTATIONS: readonly unknown[] = ['none', 'packed'];

/** Large, and not needed before the first passkey. */
const webauthn = () => import('@simplewebauthn/server');
const webauthnHelpers = () => import('@simplewebauthn/server/helpers');

@Injectable()
export class Passkeys {
  constructor(
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'origin'>,
    private readonly challenges: Challenges,
  ) {}

  /** What a browser needs to make a passkey. Throws RejectedError `passkey-site`. */
  async creationOptions(
    account: StoredAccount,
    { request, challenge, now }: PasskeyRequest,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { hostname } = this.siteFor(request);
    const { generateRegistrationOptions } = await webauthn();
    const options = await generateRegistrationOptions({
      rpName: 'Podium',
      rpID: hostname,
      userID: new TextEncoder().encode(account.accountId),
      userName: account.email,
      userDisplayName: account.name,
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      excludeCredentials: factorsOf(account).passkeys.map(({ passkeyId, transports }) => ({
        id: passkeyId,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await this.challenges.keep(challenge, options.challenge, now);
    return options;
  }

  /** The passkey that the browser has made. Throws RejectedError `challenge-ended`, `passkey-refused`. */
  async created(
    { name, response }: { readonly name: string; readonly response: object },
    { request, challenge, now }: PasskeyRequest,
  ): Promise<StoredPasskey> {
    const { origin, hostname } = this.siteFor(request);
    const expectedChallenge = await this.challenges.take(challenge, now);
    const { verifyRegistrationResponse } = await webauthn();
    const { registrationInfo } = await orRefused(async () => {
      // The library checks every field of it.
      const given = response as RegistrationResponseJSON;
      if (!ATTESTATIONS.includes(await attestationOf(given))) throw new Error('another attestation');
      return verifyRegistrationResponse({
        response: given,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: hostname,
        requireUserVerification: true,
      });
    });
    if (!registrationInfo) throw refused();
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      passkeyId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports,
      name,
      isSynced: registrationInfo.credentialBackedUp,
      createdAt: now,
      usedAt: null,
    };
  }

  /** What a browser needs to sign in with any passkey of this site. Throws RejectedError `passkey-site`. */
  async requestOptions({
    request,
    challenge,
    now,
  }: PasskeyRequest): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { hostname } = this.siteFor(request);
    const { generateAuthenticationOptions } = await webauthn();
    const options = await generateAuthenticationOptions({
      rpID: hostname,
      timeout: CHALLENGE_MS,
      userVerification: 'required',
    });
    await this.challenges.keep(challenge, options.challenge, now);
    return options;
  }

  /** The account whose passkey has signed the challenge. Throws RejectedError `challenge-ended`, `passkey-refused`. */
  async accountOf(response: object, { request, challenge, now }: PasskeyRequest): Promise<StoredAccount> {
    const { origin, hostname } = this.siteFor(request);
    const expectedChallenge = await this.challenges.take(challenge, now);
    const { verifyAuthenticationResponse } = await webauthn();
    // The library checks every field of it.
    const given = response as AuthenticationResponseJSON;
    const { accounts } = this.operational;
    for (;;) {
      const account = await accounts.byId(userHandleOf(given));
      const passkey = account && factorsOf(account).passkeys.find(({ passkeyId }) => passkeyId === given.id);
      if (!account || !passkey) throw refused();
      const { passkeyId, publicKey, counter, transports } = passkey;
      const { verified, authenticationInfo } = await orRefused(() =>
        verifyAuthenticationResponse({
          response: given,
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: hostname,
          requireUserVerification: true,
          credential: {
            id: passkeyId,
            publicKey: Buffer.from(publicKey, 'base64url'),
            counter,
            transports: [...transports],
          },
        }),
      );
      if (!verified) throw refused();
      const { newCounter, credentialBackedUp } = authenticationInfo;
      const use = { counter: newCounter, isSynced: credentialBackedUp, usedAt: now };
      const used = await accounts.replaceFactors(
        account,
        withPasskeyUsed(factorsOf(account), passkeyId, use),
      );
      if (used) return used;
      // Another request used or changed a factor in between: the counter is checked again.
    }
  }

  /** Throws RejectedError `passkey-site` for a browser that is elsewhere: it would refuse without a reason. */
  private siteFor({ socket, headers }: FastifyRequest): URL {
    const site = this.config.origin ?? new URL(`http://localhost:${socket.localPort}`);
    if (headers.origin === undefined || headers.origin === site.origin) return site;
    const detail = `passkeys of this server work at ${site.origin} only: open that address`;
    throw new RejectedError({ code: 'passkey-site', detail });
  }
}

const attestationOf = async ({ response }: RegistrationResponseJSON): Promise<unknown> => {
  const { decodeAttestationObject, isoBase64URL } = await webauthnHelpers();
  return decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get('fmt');
};

/** The account id, which the passkey carries since its creation. */
const userHandleOf = ({ response }: AuthenticationResponseJSON): string => {
  const { userHandle } = Object(response);
  return typeof userHandle === 'string' ? Buffer.from(userHandle, 'base64url').toString() : '';
};

const orRefused = async <T>(verify: () => Promise<T>): Promise<T> => {
  try {
    return await verify();
  } catch {
    throw refused();
  }
};

const refused = (): RejectedError =>
  new RejectedError({
    code: 'passkey-refused',
    detail: 'the passkey is not known here, was removed, or its answer is wrong',
  });
