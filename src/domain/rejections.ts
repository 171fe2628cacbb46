/**
 * Every reason for which Podium refuses a command or a query, as a value with a code. The code is public: it is
 * the last segment of a problem document's `type`. Its kind alone decides the HTTP status
 * (src/http/problems/problems.ts).
 */

/** Refusal codes and the kind each belongs to. */
export const REJECTION_KINDS = {
  'invalid-request': 'invalid',
  'key-missing': 'unauthenticated',
  'key-unknown': 'unauthenticated',
  'key-revoked': 'unauthenticated',
  'key-ended': 'unauthenticated',
  'key-of-another-contest': 'unauthenticated',
  'token-missing': 'unauthenticated',
  'token-unknown': 'unauthenticated',
  'token-revoked': 'unauthenticated',
  'session-missing': 'unauthenticated',
  'sign-in-refused': 'unauthenticated',
  'one-time-password-ended': 'unauthenticated',
  'second-factor-missing': 'unauthenticated',
  'second-factor-refused': 'unauthenticated',
  'passkey-refused': 'unauthenticated',
  'account-not-allowed': 'forbidden',
  'cross-site': 'forbidden',
  'password-to-change': 'forbidden',
  'second-factor-to-set-up': 'forbidden',
  'sign-in-too-old': 'forbidden',
  'token-scope': 'forbidden',
  'key-purpose': 'forbidden',
  'token-project': 'forbidden',
  'space-not-found': 'not-found',
  'event-not-found': 'not-found',
  'contest-not-found': 'not-found',
  'round-not-found': 'not-found',
  'person-not-found': 'not-found',
  'result-not-found': 'not-found',
  'change-not-found': 'not-found',
  'venue-not-found': 'not-found',
  'room-not-found': 'not-found',
  'activity-not-found': 'not-found',
  'screen-not-found': 'not-found',
  'key-not-found': 'not-found',
  'token-not-found': 'not-found',
  'endpoint-not-found': 'not-found',
  'query-not-found': 'not-found',
  'alert-not-found': 'not-found',
  'drain-not-found': 'not-found',
  'filter-not-found': 'not-found',
  'account-not-found': 'not-found',
  'device-not-found': 'not-found',
  'factor-not-found': 'not-found',
  'already-exists': 'conflict',
  'assoc-id-taken': 'conflict',
  'email-taken': 'conflict',
  'endpoint-name-taken': 'conflict',
  'source-name-taken': 'conflict',
  'endpoint-changed': 'conflict',
  'endpoint-in-use': 'conflict',
  'alert-changed': 'conflict',
  'drain-changed': 'conflict',
  'filter-changed': 'conflict',
  'result-changed': 'conflict',
  'import-changed': 'conflict',
  'to-confirm': 'conflict',
  'competitors-changed': 'precondition',
  'contest-not-ongoing': 'unprocessable',
  'contest-state': 'unprocessable',
  'round-not-open': 'unprocessable',
  'round-state': 'unprocessable',
  'attempt-number-above-format': 'unprocessable',
  'attempt-value': 'unprocessable',
  'too-many-moves': 'unprocessable',
  'cutoff-not-met': 'unprocessable',
  'time-limit-exceeded': 'unprocessable',
  'team-size': 'unprocessable',
  'competitor-repeated': 'unprocessable',
  'competitor-contradiction': 'unprocessable',
  'competitor-list': 'unprocessable',
  'not-registered': 'unprocessable',
  'not-expected': 'unprocessable',
  roster: 'unprocessable',
  schedule: 'unprocessable',
  screens: 'unprocessable',
  'person-in-two-teams': 'unprocessable',
  'rules-conflict': 'unprocessable',
  'merge-conflict': 'unprocessable',
  'person-state': 'unprocessable',
  'last-admin': 'unprocessable',
  'challenge-ended': 'unprocessable',
  'passkey-site': 'unprocessable',
  'too-many-passkeys': 'unprocessable',
  'too-many-alerts': 'unprocessable',
  'too-many-drains': 'unprocessable',
  'too-many-filters': 'unprocessable',
  'idempotency-key-reused': 'unprocessable',
  'beyond-format': 'unprocessable',
  'log-entries': 'unprocessable',
  'parameter-value': 'unprocessable',
} as const satisfies Record<string, RejectionKind>;

export type RejectionKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'unprocessable';
export type RejectionCode = keyof typeof REJECTION_KINDS;

/** One offending field: its path in the request (`results[3].attempts[2].result`), the rule and a sentence. */
export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

export interface Rejection {
  readonly code: RejectionCode;
  /** One sentence for a person, naming the field and the rule. */
  readonly detail: string;
  readonly errors?: readonly FieldError[];
}

/** Carries a refusal through code that returns something else: from handlers to controllers and to the CLI. */
export class RejectedError extends Error {
  constructor(readonly rejection: Rejection) {
    super(rejection.detail);
    this.name = 'RejectedError';
  }
}

/** Some messages name their field themselves. */
const sentenceOf = ({ field, message }: FieldError): string =>
  message.startsWith(`${field} `) ? message : `${field}: ${message}`;

/** Returns the refusal that tells every wrong field. */
export const refusalOf = (code: RejectionCode, errors: readonly FieldError[]): Rejection => ({
  code,
  detail: errors.map(sentenceOf).join('; '),
  errors,
});

/** Returns the refusal of an invalid request, with every wrong field. */
export const invalid = (errors: readonly FieldError[]): Rejection => refusalOf('invalid-request', errors);
