/**
 * Accounts, and what each may do. Accounts are personal data, so they are no events: they live in the operational store
 * and can be erased. Events name them by `accountId` only.
 */

import type { FactorKind } from './factors.js';

export const ROLES = ['admin', 'moderator'] as const;
/** An admin runs all of a space, a moderator the contests in `contests`. */
export type Role = (typeof ROLES)[number];

export interface Account {
  /** UUID, never used twice; events name it. */
  readonly accountId: string;
  readonly spaceId: string;
  /** Unique in the whole database without regard to case, because it is the login name. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Competition ids that a moderator may run. Empty for an admin, who runs all of the space. */
  readonly contests: readonly string[];
  /** May use the log explorer, and manage saved endpoints. */
  readonly readsLogs: boolean;
  /** May issue, list and revoke access tokens, which outlive a session. Only together with `readsLogs`. */
  readonly managesTokens: boolean;
}

/** As admins see it. */
export interface ListedAccount extends Account {
  /** What it signs in with besides the password. */
  readonly factors: readonly FactorKind[];
}

/** The signed-in account, as the pages see it. */
export interface SignedInAccount extends Account {
  /** Whether the password is valid for one sign-in: then only a change of the password is allowed. */
  readonly passwordIsOneTime: boolean;
  /** Whether the account must first get a passkey or an authenticator app: then only that is allowed. */
  readonly needsSecondFactor: boolean;
}

/** Whether the account may run this contest of its space. */
export const canManage = ({ role, contests }: Account, competitionId: string): boolean =>
  role === 'admin' || contests.includes(competitionId);
