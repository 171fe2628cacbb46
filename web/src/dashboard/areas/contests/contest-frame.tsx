/** The frame of one contest: its name and state, the link to its public page, and its tabs. */
import { type ComponentType, Suspense } from 'react';
import { Link, Route, Switch, useLocation, useParams } from 'wouter';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { dateRangeText } from '../../../format.js';
import { usePublicBase } from '../../account.js';
import { lazyPart } from '../../parts/lazy-part.js';
import { Loading } from '../../parts/loading.js';
import { NotFound } from '../../parts/not-found.js';
import { usePageTitle } from '../../parts/page-title.js';
import { StateBadge } from './contest-state.js';
import { useContest } from './use-contest.js';
import './contests.css';

interface Tab {
  /** After the contest's own path. */
  readonly path: string;
  /** The pattern of the tab's own parameters. */
  readonly parameters?: string;
  readonly title: string;
  readonly Content: ComponentType;
}

const TABS: readonly Tab[] = [
  { path: '', title: 'Overview', Content: lazyPart(() => import('./overview.js')) },
  {
    path: '/competitors',
    parameters: '/:view?',
    title: 'Competitors',
    Content: lazyPart(() => import('./competitors.js')),
  },
  {
    path: '/rounds',
    parameters: '/:eventId?/:roundNumber?',
    title: 'Rounds',
    Content: lazyPart(() => import('./rounds.js')),
  },
  {
    path: '/entry',
    parameters: '/:eventId?/:roundNumber?',
    title: 'Entry',
    Content: lazyPart(() => import('../entry/index.js')),
  },
  {
    path: '/schedule',
    parameters: '/:code?',
    title: 'Schedule',
    Content: lazyPart(() => import('../schedule/index.js')),
  },
  { path: '/screens', title: 'Screens', Content: lazyPart(() => import('../screens/index.js')) },
  { path: '/keys', title: 'Keys', Content: lazyPart(() => import('../keys/index.js')) },
  { path: '/exchange', title: 'Import and export', Content: lazyPart(() => import('./exchange.js')) },
];

const isBelow = (path: string, location: string): boolean =>
  location === path || location.startsWith(`${path}/`);

const ROOT = '/dashboard/contests/:competitionId';

const ContestFrame = () => {
  const { competitionId = '' } = useParams<{ competitionId?: string }>();
  const { data: contest, error } = useContest(competitionId);
  const [location] = useLocation();
  const [, ...others] = TABS;
  const tab = others.find(({ path }) => isBelow(`/dashboard/contests/${competitionId}${path}`, location));
  const name = contest?.name ?? 'Contest';
  usePageTitle(tab === undefined ? name : `${tab.title} · ${name}`);
  if (!contest && error)
    return <NotFound title="Contest" problem={error} listHref="/dashboard" listName="Contests" />;
  if (!contest) return <Loading />;
  return (
    <>
      <Head contest={contest} />
      <Suspense fallback={<Loading />}>
        <Switch>
          {TABS.map(({ path, parameters = '', Content }) => (
            <Route key={path} path={`${ROOT}${path}${parameters}`}>
              <Content />
            </Route>
          ))}
          <Route>
            <p>A contest has no such page.</p>
          </Route>
        </Switch>
      </Suspense>
    </>
  );
};

export default ContestFrame;

const Head = ({ contest }: { readonly contest: ModeratedContestView }) => {
  const base = usePublicBase();
  const [location] = useLocation();
  const { competitionId, name, state, startDate, endDate } = contest;
  const root = `/dashboard/contests/${competitionId}`;
  const isHere = (path: string): boolean =>
    path === '' ? location === root : isBelow(root + path, location);
  return (
    <>
      <p className="way-back">
        <Link href="/dashboard">Contests</Link>
      </p>
      <h1>
        {name} <StateBadge state={state} />
      </h1>
      <p className="about">
        <span>{dateRangeText(startDate, endDate)}</span>
        {state !== 'draft' && state !== 'deleted' && (
          <a href={`${base}/contests/${competitionId}`}>Public page</a>
        )}
      </p>
      <nav className="tabs" aria-label="Contest">
        {TABS.map(({ path, title }) => (
          <Link key={path} href={root + path} aria-current={isHere(path) ? 'page' : undefined}>
            {title}
          </Link>
        ))}
      </nav>
    </>
  );
};
