/**
 * The audit trail of accounts and credentials: who did what and when, for admins who look into a misuse. Entries name accounts,
 * keys, tokens and persons by id only, so they name no one once an account or person is erased. Entries are only added
 * to, and removed by age.
 */

export const AUDIT_ACTIONS = [
  'signed-in',
  'signed-out',
  'device-signed-out',
  'sign-in-failed',
  'password-changed',
  'password-reset',
  'factors-changed',
  'factors-reset',
  'account-created',
  'account-changed',
  'account-removed',
  'key-issued',
  'key-revoked',
  'key-ended',
  'key-failed',
  'token-issued',
  'token-revoked',
  'token-handed-over',
  'token-failed',
  'person-erased',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  /** Orders entries by time; those of failures begin with their minute. */
  readonly entryId: string;
  /** Milliseconds since 1970; of failures the start of their minute. */
  readonly at: number;
  /** Null: it concerns no space, such as an access token or an unknown key. */
  readonly spaceId: string | null;
  readonly action: AuditAction;
  /** The account that did it; null: the command line, or not known. */
  readonly accountId: string | null;
  /** The account, key, token or person that it was done to; null: none, or not known. */
  readonly subject: string | null;
  /** A keyed hash of the client's network; null: the command line, or many networks. */
  readonly network: string | null;
  /** More than 1: failures of one minute. */
  readonly count: number;
  /** What changed, such as `role=admin`; never a name or an email. */
  readonly details: readonly string[];
}

export interface AuditQuery {
  /** Shows the entries of this space, and those that concern none. */
  readonly spaceId: string;
  readonly action?: AuditAction;
  /** Of the account that did it, or that it was done to. */
  readonly accountId?: string;
  readonly network?: string;
  /** The last entry of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface AuditStore {
  /** The secret of the hashes of networks. Made by the first call of all processes. */
  secret(): Promise<string>;
  /** Adds entries. The count of a failure that is there already grows; an act is there once, also when its answer was lost. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. */
  page(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** Removes the entries from before this time, in milliseconds since 1970. */
  removeBefore(at: number): Promise<void>;
}

/** The part of an entry's id that orders it. */
export const auditTime = (at: number): string => at.toString(16).padStart(12, '0');

/** Its entries have ids that several nodes share, and are added up. */
export const isFailure = ({ action }: Pick<AuditEntry, 'action'>): boolean => action.endsWith('-failed');
