/** The signed-in account, for every component of the dashboard, and the paths of its space. */
import { createContext, type ReactNode, useContext, useState } from 'react';
import { DEFAULT_SPACE } from '../../../src/domain/ids.js';
import type { Role, SignedInAccount } from '../../../src/foundation/operational/account.js';

export const ROLE_NAMES: Readonly<Record<Role, string>> = { admin: 'Admin', moderator: 'Moderator' };

interface SignedIn {
  readonly account: SignedInAccount;
  /** Replaces the account, whose rights may have changed. */
  readonly update: (account: SignedInAccount) => void;
}

const SignedInContext = createContext<SignedIn | null>(null);

export const AccountProvider = ({
  account: first,
  children,
}: {
  readonly account: SignedInAccount;
  readonly children: ReactNode;
}) => {
  const [account, update] = useState(first);
  return <SignedInContext value={{ account, update }}>{children}</SignedInContext>;
};

/** Throws when it is called outside an AccountProvider. */
export const useSignedIn = (): SignedIn => {
  const signedIn = useContext(SignedInContext);
  if (signedIn === null) throw new Error('no AccountProvider above this component');
  return signedIn;
};

export const useAccount = (): SignedInAccount => useSignedIn().account;

/** The first part of the paths of the public pages of the account's space. Empty for the default space. */
export const usePublicBase = (): string => {
  const { spaceId } = useAccount();
  return spaceId === DEFAULT_SPACE ? '' : `/${spaceId}`;
};

/** Returns a function that makes API paths of the account's space: `moderation/users` as `/api/moderation/users`. */
export const useApiPath = (): ((path: string) => string) => {
  const { spaceId } = useAccount();
  return (path) => (spaceId === DEFAULT_SPACE ? `/api/${path}` : `/api/${spaceId}/${path}`);
};
