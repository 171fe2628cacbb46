/** Who is signed in, for every part of the dashboard, and where the API of their space is. */
import { createContext, type ReactNode, useContext } from 'react';
import type { SignedInAccount } from '../../../src/accounts/account.js';
import { DEFAULT_SPACE } from '../../../src/domain/ids.js';

const AccountContext = createContext<SignedInAccount | null>(null);

export const AccountProvider = ({
  account,
  children,
}: {
  readonly account: SignedInAccount;
  readonly children: ReactNode;
}) => <AccountContext value={account}>{children}</AccountContext>;

export const useAccount = (): SignedInAccount => {
  const account = useContext(AccountContext);
  if (account === null) throw new Error('nobody is signed in here');
  return account;
};

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
