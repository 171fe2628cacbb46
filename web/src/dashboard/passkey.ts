/** Asks the browser for a passkey, between two requests to the server. The library loads on the first use. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { AddedFactorDto } from '../../../src/accounts/factors/factors.dto.js';
import type { SignedInAccount } from '../../../src/foundation/operational/account.js';
import { Problem, send } from './api.js';

/** Throws Problem, also when the user cancels. */
export const signInWithPasskey = async (): Promise<SignedInAccount> => {
  const optionsJSON = await send<PublicKeyCredentialRequestOptionsJSON>(
    'POST',
    '/api/session/passkey/options',
  );
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const response = await orProblem(() => startAuthentication({ optionsJSON }));
  return send('POST', '/api/session/passkey', { response });
};

/** Throws Problem, also when the user cancels. */
export const addPasskey = async (name: string): Promise<AddedFactorDto> => {
  const path = '/api/session/factors/passkeys';
  const optionsJSON = await send<PublicKeyCredentialCreationOptionsJSON>('POST', `${path}/options`);
  const { startRegistration } = await import('@simplewebauthn/browser');
  const response = await orProblem(() => startRegistration({ optionsJSON }));
  return send('POST', path, { name, response });
};

/** By the name of the browser's error. */
const DETAILS: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device has a passkey of your account already.',
  NotSupportedError: 'This device cannot make a passkey that checks its user.',
};

const orProblem = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    const detail = DETAILS[name] ?? 'The browser gave no passkey. Try again, or go on without one.';
    throw new Problem({ code: 'passkey-missing', status: 0, detail, errors: [], position: null });
  }
};
