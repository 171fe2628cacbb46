/** The tabs between the accounts of the space and what was done with them. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

const PAGES = [
  { path: '/dashboard/users', name: 'Accounts' },
  { path: '/dashboard/users/audit', name: 'Audit trail' },
];

export const UsersFrame = ({ children }: { readonly children: ReactNode }) => {
  const [location] = useLocation();
  return (
    <>
      <nav className="tabs" aria-label="Users">
        {PAGES.map(({ path, name }) => (
          <Link key={path} href={path} aria-current={path === location ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      {children}
    </>
  );
};
