/** What an administrator of a server of events has granted to the user of the nodes. */
export interface GrantedRights {
  readonly user: string;
  /** False: the user was there, and has the password now. */
  readonly created: boolean;
  /** Only this user and the administrators may use streams that have no access list of their own. */
  readonly isAlone: boolean;
}
