/**
 * Who may sign in, and what each may do. Accounts are personal data and no events: they live in the operational store,
 * can be erased, and events name them by `accountId` alone.
 */

export const ROLES = ['admin', 'moderator'] as const;
/** An admin runs all of a space, a moderator the contests that they were given. */
export type Role = (typeof ROLES)[number];

export interface Account {
  /** UUID, never given twice; what events name. */
  readonly accountId: string;
  readonly spaceId: string;
  /** Unique in the whole database without regard to case, since one signs in with it. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Competition ids that a moderator may run. An admin's is empty: all of the space. */
  readonly contests: readonly string[];
  /** May use the log explorer, and manage saved endpoints and access tokens. */
  readonly readsLogs: boolean;
}

/** What the pages of whoever is signed in know. */
export interface SignedInAccount extends Account {
  /** The password was given for one time: nothing but changing it is allowed. */
  readonly passwordIsOneTime: boolean;
}

/** Whether the account may run this contest of its space. */
export const canManage = ({ role, contests }: Account, competitionId: string): boolean =>
  role === 'admin' || contests.includes(competitionId);
