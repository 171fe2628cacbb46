/**
 * An access token: issued with its scopes, optionally tied to one project, handed over to another account, and revoked for
 * good. From top to bottom: state, commands, fold, decisions.
 */

import { accept, type Decider, type Decision, decideBy, reject } from '../../domain/decider.js';
import { isName, nameRule } from '../../domain/ids.js';
import { type FieldError, invalid, type Rejection } from '../../domain/rejections.js';
import type { Aggregate } from '../../foundation/aggregates/aggregate.js';
import { type AccessTokenEvent, accessTokenStream } from './access-token.events.js';
import { SCOPES_ALLOWED } from './token-scope.js';

export type IssuedAccessToken = Extract<AccessTokenEvent, { type: 'AccessTokenIssued' }>['data'];

export interface AccessTokenState {
  readonly phase: 'none' | 'active' | 'revoked';
  /** Null: never issued. */
  readonly issued: IssuedAccessToken | null;
  /** The account that it was handed over to last; null: to none. */
  readonly handedTo: string | null;
}

export type AccessTokenCommand =
  | ({ readonly type: 'IssueAccessToken' } & IssuedAccessToken)
  /** Idempotent. */
  | { readonly type: 'RevokeAccessToken' }
  /** Idempotent. Has no effect on a revoked token. */
  | { readonly type: 'HandOverAccessToken'; readonly accountId: string };

const initialAccessToken: AccessTokenState = { phase: 'none', issued: null, handedTo: null };

const evolve = (state: AccessTokenState, event: AccessTokenEvent): AccessTokenState => {
  switch (event.type) {
    case 'AccessTokenIssued':
      return { ...state, phase: 'active', issued: event.data };
    case 'AccessTokenRevoked':
      return { ...state, phase: 'revoked' };
    case 'AccessTokenHandedOver':
      return { ...state, handedTo: event.data.accountId };
    default:
      event satisfies never;
      return state;
  }
};

const MAX_SCOPES = 100;

const errorsIn = ({ name, scopes, project }: IssuedAccessToken): readonly FieldError[] => {
  const errors: FieldError[] = [];
  const check = (holds: boolean, field: string, rule: string, message: string): void => {
    if (!holds) errors.push({ field, rule, message });
  };
  check(isName(name, 100), 'name', 'name', nameRule(100));
  check(
    scopes.length >= 1 && scopes.length <= MAX_SCOPES,
    'scopes',
    'count',
    `must be 1 to ${MAX_SCOPES}, of ${SCOPES_ALLOWED}`,
  );
  check(
    project === null || isName(project, 200),
    'project',
    'name',
    'must be a project of at most 200 characters',
  );
  check(
    project === null || !scopes.includes('admin'),
    'project',
    'scope',
    'cannot be given with admin: endpoints belong to no project',
  );
  return errors;
};

const issue = (token: IssuedAccessToken, state: AccessTokenState): Decision<AccessTokenEvent> => {
  const { tokenId, name, scopes, project, secretHash, node } = token;
  if (state.phase !== 'none')
    return reject({ code: 'already-exists', detail: `token ${tokenId} was issued before` });
  const errors = errorsIn(token);
  if (errors.length > 0) return reject(invalid(errors));
  const data = {
    tokenId,
    name,
    scopes: [...new Set(scopes)],
    project,
    secretHash,
    ...(node === undefined ? {} : { node }),
  };
  return accept({ type: 'AccessTokenIssued', data });
};

const NOT_FOUND: Rejection = { code: 'token-not-found', detail: 'there is no such token' };

const decide = decideBy<AccessTokenCommand, AccessTokenState, AccessTokenEvent>({
  IssueAccessToken: issue,
  RevokeAccessToken: (_, { phase }) => {
    if (phase === 'none') return reject(NOT_FOUND);
    return phase === 'active' ? accept({ type: 'AccessTokenRevoked', data: {} }) : accept();
  },
  HandOverAccessToken: ({ accountId }, { phase, handedTo }) => {
    if (phase === 'none') return reject(NOT_FOUND);
    if (phase === 'revoked' || handedTo === accountId) return accept();
    return accept({ type: 'AccessTokenHandedOver', data: { accountId } });
  },
});

export const accessTokenDecider: Decider<AccessTokenState, AccessTokenCommand, AccessTokenEvent> = {
  initialState: initialAccessToken,
  evolve,
  decide,
};

/** Keyed by the token's id. */
export const accessTokenAggregate: Aggregate<string, AccessTokenState, AccessTokenCommand, AccessTokenEvent> =
  {
    stream: accessTokenStream,
    decider: accessTokenDecider,
    schema: 1,
    sizeOf: () => 500,
  };
