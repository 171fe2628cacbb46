/** The frame of the log areas: the tabs between them, and the title. */
import './logs.css';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useAccount } from '../../account.js';

const TOKENS = '/dashboard/logs/tokens';
const PAGES = [
  { path: '/dashboard/logs', name: 'Explorer' },
  { path: '/dashboard/logs/filters', name: 'Filters' },
  { path: '/dashboard/logs/endpoints', name: 'Endpoints' },
  { path: '/dashboard/logs/alerts', name: 'Alerts' },
  { path: '/dashboard/logs/drains', name: 'Drains' },
  { path: TOKENS, name: 'Tokens' },
];

export const LogsFrame = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const [location] = useLocation();
  const { managesTokens } = useAccount();
  const here = PAGES.findLast(({ path }) => location === path || location.startsWith(`${path}/`));
  return (
    <>
      <nav className="tabs" aria-label="Logs">
        {PAGES.filter(({ path }) => path !== TOKENS || managesTokens).map(({ path, name }) => (
          <Link key={path} href={path} aria-current={path === here?.path ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <h1>{title}</h1>
      {children}
    </>
  );
};
