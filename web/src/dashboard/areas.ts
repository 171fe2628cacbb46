/**
 * The areas of the dashboard: the path of each, the accounts that can enter it, and its code, which loads on the first
 * visit. The API decides what an account may do; this list only hides areas that an account cannot use.
 */
import type { ComponentType } from 'react';
import type { Account } from '../../../src/foundation/operational/account.js';

export interface Area {
  /** A pattern of wouter: `:name` is one segment, `/*?` any rest. */
  readonly path: string;
  /** In the navigation, and the title of the page until the area sets another. */
  readonly title: string;
  /** Other areas link to those that are not in the navigation. */
  readonly inNavigation: boolean;
  readonly canEnter: (account: Account) => boolean;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

const isAdmin = ({ role }: Account): boolean => role === 'admin';
const always = (): boolean => true;
const canReadLogs = (account: Account): boolean => account.readsLogs;
const canManageTokens = (account: Account): boolean => account.managesTokens;

/** The user's own account: the only area while the user must change the password or add a second factor. */
export const OWN_ACCOUNT_PATH = '/dashboard/account';

/** In the order of the navigation. The first area whose path matches is shown. */
export const AREAS: readonly Area[] = [
  {
    path: '/dashboard',
    title: 'Contests',
    inNavigation: true,
    canEnter: always,
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
    canEnter: always,
    load: () => import('./areas/contests/contest-frame.js'),
  },
  {
    path: '/dashboard/persons/:id?',
    title: 'Persons',
    inNavigation: true,
    canEnter: always,
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
    path: '/dashboard/users/audit',
    title: 'Audit trail',
    inNavigation: false,
    canEnter: isAdmin,
    load: () => import('./areas/users/audit.js'),
  },
  {
    path: '/dashboard/logs',
    title: 'Logs',
    inNavigation: true,
    canEnter: canReadLogs,
    load: () => import('./areas/logs/explorer.js'),
  },
  {
    path: '/dashboard/logs/endpoints/*?',
    title: 'Endpoints',
    inNavigation: false,
    canEnter: canReadLogs,
    load: () => import('./areas/logs/endpoints.js'),
  },
  {
    path: '/dashboard/logs/filters',
    title: 'Saved filters',
    inNavigation: false,
    canEnter: canReadLogs,
    load: () => import('./areas/logs/saved-filters.js'),
  },
  {
    path: '/dashboard/logs/alerts/*?',
    title: 'Alerts',
    inNavigation: false,
    canEnter: canReadLogs,
    load: () => import('./areas/alerts/index.js'),
  },
  {
    path: '/dashboard/logs/drains/*?',
    title: 'Drains',
    inNavigation: false,
    canEnter: canReadLogs,
    load: () => import('./areas/drains/index.js'),
  },
  {
    path: '/dashboard/logs/tokens',
    title: 'Access tokens',
    inNavigation: false,
    canEnter: canManageTokens,
    load: () => import('./areas/logs/tokens.js'),
  },
  {
    path: OWN_ACCOUNT_PATH,
    title: 'Your account',
    inNavigation: false,
    canEnter: always,
    load: () => import('./areas/account/own-account.js'),
  },
];
