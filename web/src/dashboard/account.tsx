/** Who is signed in, for every part of the dashboard, and where the API of their space is. */
import { createContext, type ReactNode, useContext, useState } from 'react';
import { DEFAULT_SPACE } from '../../../src/domain/ids.js';
import type { Role, SignedInAccount } from '../../../src/foundation/operational/account.js';

export const ROLE_NAMES: Readonly<Record<Role, string>> = { admin: 'Admin', moderator: 'Moderator' };

interface SignedIn {
  readonly account: SignedInAccount;
  /** It may do something else by now. */
  readonly update: (account: SignedInAccount) => void;
}

const AccountContext = createContext<SignedIn | null>(null);

export const AccountProvider = ({
  account: first,
  children,
}: {
  readonly account: SignedInAccount;
  readonly children: ReactNode;
}) => {
  const [account, update] = useState(first);
  return <AccountContext value={{ account, update }}>{children}</AccountContext>;
};

export const useSignedIn = (): SignedIn => {
  const holder = useContext(AccountContext);
  if (holder === null) throw new Error('nobody is signed in here');
  return holder;
};

export const useAccount = (): SignedInAccount => useSignedIn().account;

/** What the public pages' paths of the account's space begin with: nothing in the default space. */
export const usePublicBase = (): string => {
  const { spaceId } = useAccount();
  return spaceId === DEFAULT_SPACE ? '' : `/${spaceId}`;
};

/** Makes paths of the API of the account's space: `moderation/users` is `/api/moderation/users` in the default space. */
export const useApiPath = (): ((path: string) => string) => {
  const { spaceId } = useAccount();
  return (path) => (spaceId === DEFAULT_SPACE ? `/api/${path}` : `/api/${spaceId}/${path}`);
};
