/**
 * An API key: issued for one contest, then revoked by an organiser or ended with its contest. A key that ended before
 * it was issued, because its contest ended meanwhile, can never be issued. Order: state, commands, fold, decisions.
 */

import { accept, type Decision, decideBy, reject } from '../../../domain/decider.js';
import { isName, nameRule } from '../../../domain/ids.js';
import { invalid } from '../../../domain/rejections.js';
import { type ApiKeyEvent, apiKeyStream } from './api-key.events.js';

/** `secretHash` is the SHA-256 of the key's secret, hex. */
export type IssuedApiKey = Extract<ApiKeyEvent, { type: 'ApiKeyIssued' }>['data'];

export interface ApiKeyState {
  readonly phase: 'none' | 'active' | 'revoked' | 'ended';
  /** Null: never issued. */
  readonly issued: IssuedApiKey | null;
}

export type ApiKeyCommand =
  | ({ readonly type: 'IssueApiKey' } & IssuedApiKey)
  | { readonly type: 'RevokeApiKey' }
  /** Idempotent; a revoked key stays revoked. */
  | { readonly type: 'EndApiKey'; readonly reason: 'finish' | 'delete' };

const initialApiKey: ApiKeyState = { phase: 'none', issued: null };

const evolve = (state: ApiKeyState, event: ApiKeyEvent): ApiKeyState => {
  switch (event.type) {
    case 'ApiKeyIssued':
      return { phase: 'active', issued: event.data };
    case 'ApiKeyRevoked':
      return { ...state, phase: 'revoked' };
    case 'ApiKeyEnded':
      return { ...state, phase: 'ended' };
    default:
      event satisfies never;
      return state;
  }
};

/** Returns why this is no valid name of a device, or null. */
export const deviceProblem = (device: string): string | null => (isName(device, 100) ? null : nameRule(100));

const issue = (
  { keyId, spaceId, competitionId, device, purpose = 'entry', secretHash }: IssuedApiKey,
  state: ApiKeyState,
): Decision<ApiKeyEvent> => {
  if (state.phase === 'ended' && state.issued === null)
    return reject({ code: 'contest-state', detail: 'the contest is being finished or deleted' });
  if (state.phase !== 'none')
    return reject({ code: 'already-exists', detail: `key ${keyId} was issued before` });
  const message = deviceProblem(device);
  if (message !== null) return reject(invalid([{ field: 'device', rule: 'name', message }]));
  const given = purpose === 'entry' ? {} : { purpose };
  return accept({
    type: 'ApiKeyIssued',
    data: { keyId, spaceId, competitionId, device, ...given, secretHash },
  });
};

const revoke = (state: ApiKeyState): Decision<ApiKeyEvent> => {
  if (state.issued === null) return reject({ code: 'key-not-found', detail: 'there is no such key' });
  return state.phase === 'active' ? accept({ type: 'ApiKeyRevoked', data: {} }) : accept();
};

const decide = decideBy<ApiKeyCommand, ApiKeyState, ApiKeyEvent>({
  IssueApiKey: issue,
  RevokeApiKey: (_, state) => revoke(state),
  EndApiKey: ({ reason }, { phase }) =>
    phase === 'revoked' || phase === 'ended' ? accept() : accept({ type: 'ApiKeyEnded', data: { reason } }),
});

export const apiKeyDecider = { initialState: initialApiKey, evolve, decide };

/** By the key's id. */
export const apiKeyAggregate = {
  stream: apiKeyStream,
  decider: apiKeyDecider,
  schema: 1,
  sizeOf: (): number => 500,
};
