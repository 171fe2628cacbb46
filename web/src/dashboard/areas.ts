/**
 * The areas of the dashboard: where each is, who may see it, and its code, which comes when it is first entered. What an
 * account may do there is decided by the API; this only spares people doors that are closed to them.
 */
import type { ComponentType } from 'react';
import type { Account } from '../../../src/foundation/operational/account.js';

export interface Area {
  /** As wouter reads it: `:name` is a part, `/*?` whatever follows. */
  readonly path: string;
  /** In the navigation, and the title of the page until the area says another. */
  readonly title: string;
  /** Whether the navigation leads there; the others are reached from within. */
  readonly inNavigation: boolean;
  readonly canEnter: (account: Account) => boolean;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

const isAdmin = ({ role }: Account): boolean => role === 'admin';
const isAnyone = (): boolean => true;
const readsLogs = (account: Account): boolean => account.readsLogs;

/** The path of the own account: the one area for somebody who has to choose a password first. */
export const OWN_ACCOUNT_PATH = '/dashboard/account';

/** In the order of the navigation. The first whose path fits is shown. */
export const AREAS: readonly Area[] = [
  {
    path: '/dashboard',
    title: 'Contests',
    inNavigation: true,
    canEnter: isAnyone,
    load: () => import('./areas/contests/contest-list.js'),
  },
  {
    path: '/dashboard/new-contest',
    title: 'New contest',
    inNavigation: false,
    canEnter: isAdmin,
    load: () => import('./areas/contests/new-contest.js'),
  },
  {
    path: '/dashboard/import',
    title: 'Import contests',
    inNavigation: false,
    canEnter: isAdmin,
    load: () => import('./areas/contests/import-page.js'),
  },
  {
    path: '/dashboard/contests/:competitionId/*?',
    title: 'Contest',
    inNavigation: false,
    canEnter: isAnyone,
    load: () => import('./areas/contests/contest-frame.js'),
  },
  {
    path: '/dashboard/persons/:id?',
    title: 'Persons',
    inNavigation: true,
    canEnter: isAnyone,
    load: () => import('./areas/persons/persons.js'),
  },
  {
    path: '/dashboard/users',
    title: 'Users',
    inNavigation: true,
    canEnter: isAdmin,
    load: () => import('./areas/users/users.js'),
  },
  {
    path: '/dashboard/logs',
    title: 'Logs',
    inNavigation: true,
    canEnter: readsLogs,
    load: () => import('./areas/logs/explorer.js'),
  },
  {
    path: '/dashboard/logs/endpoints/*?',
    title: 'Saved endpoints',
    inNavigation: false,
    canEnter: readsLogs,
    load: () => import('./areas/logs/endpoints.js'),
  },
  {
    path: '/dashboard/logs/tokens',
    title: 'Access tokens',
    inNavigation: false,
    canEnter: readsLogs,
    load: () => import('./areas/logs/tokens.js'),
  },
  {
    path: OWN_ACCOUNT_PATH,
    title: 'Your account',
    inNavigation: false,
    canEnter: isAnyone,
    load: () => import('./areas/account/own-account.js'),
  },
];
