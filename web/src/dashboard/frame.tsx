/** The frame of every area: the navigation to the areas of the account, its name, and the sign-out. */
import { useMutation } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { Brand, SkipLink } from '../components/brand.js';
import { ROLE_NAMES, useAccount } from './account.js';
import { send } from './api.js';
import { AREAS, type Area, OWN_ACCOUNT_PATH } from './areas.js';
import { Button } from './parts/button.js';
import { lazyPart } from './parts/lazy-part.js';
import { Loading } from './parts/loading.js';
import { Notice, ProblemNotice } from './parts/notice.js';
import { usePageTitle } from './parts/page-title.js';
import { ServerUnavailable } from './server-unavailable.js';
import { SignInAgain } from './sign-in-again.js';

const PAGES = AREAS.map((area) => ({ ...area, Page: lazyPart(area.load) }));

export const Dashboard = () => {
  const account = useAccount();
  const open =
    account.passwordIsOneTime || account.needsSecondFactor
      ? PAGES.filter(({ path }) => path === OWN_ACCOUNT_PATH)
      : PAGES.filter(({ canEnter }) => canEnter(account));
  return (
    <>
      <SkipLink />
      <header className="top dashboard-top">
        <Brand href="/" />
        <nav aria-label="Dashboard">
          {open
            .filter(({ inNavigation }) => inNavigation)
            .map((area) => (
              <AreaLink key={area.path} area={area} />
            ))}
        </nav>
        <SignedInUser />
      </header>
      <Main>
        <Switch>
          {open.map(({ path, title, Page }) => (
            <Route key={path} path={path}>
              <Titled title={title}>
                <Suspense fallback={<Loading />}>
                  <Page />
                </Suspense>
              </Titled>
            </Route>
          ))}
          <Route path="/dashboard">
            <Redirect to={open[0]?.path ?? OWN_ACCOUNT_PATH} replace />
          </Route>
          <Route>
            <PageNotFound />
          </Route>
        </Switch>
      </Main>
      <ServerUnavailable />
      <SignInAgain />
    </>
  );
};

/** The fixed part of an area's path: `/dashboard/contests` of `/dashboard/contests/:id/*?`. */
const beginningOf = (path: string): string => path.replace(/\/[:*].*$/, '');

/** The pages that belong to the list of contests, although their paths are not below its path. */
const CONTEST_PAGES = /^\/dashboard\/(contests\/|new-contest$|import$)/;

const AreaLink = ({ area }: { readonly area: Area }) => {
  const [location] = useLocation();
  const to = beginningOf(area.path);
  const isHere =
    location === to || (to === '/dashboard' ? CONTEST_PAGES.test(location) : location.startsWith(`${to}/`));
  return (
    <Link href={to} aria-current={isHere ? 'page' : undefined}>
      {area.title}
    </Link>
  );
};

const SignedInUser = () => {
  const { name, role } = useAccount();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => send('DELETE', '/api/session'),
    onSuccess: () => location.assign('/sign-in'),
  });
  return (
    <div className="signed-in">
      <Link href={OWN_ACCOUNT_PATH} title="Your account">
        {name}
      </Link>
      <span className="badge">{ROLE_NAMES[role]}</span>
      <Button isQuiet isPending={isPending} onPress={() => mutate()}>
        Sign out
      </Button>
      {error && <ProblemNotice problem={error} />}
    </div>
  );
};

/** The part of a path that names the area. */
const areaOf = (location: string): string => location.split('/').slice(0, 3).join('/');

/**
 * Moves the focus to the top of a new area, and of a new page that has taken away what had the focus. So keyboard and screen
 * reader users start there.
 */
const Main = ({ children }: { readonly children: ReactNode }) => {
  const [location] = useLocation();
  const area = areaOf(location);
  const main = useRef<HTMLElement>(null);
  const before = useRef(location);
  useEffect(() => {
    if (before.current === location) return;
    if (areaOf(before.current) !== areaOf(location) || document.activeElement === document.body)
      main.current?.focus();
    before.current = location;
  }, [location]);
  return (
    <main id="main" className="dashboard" ref={main} tabIndex={-1}>
      <Guard key={area} at={location}>
        {children}
      </Guard>
    </main>
  );
};

const Titled = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  usePageTitle(title);
  return children;
};

const PageNotFound = () => {
  usePageTitle('Not found');
  return (
    <>
      <h1>Page not found</h1>
      <p>
        The address is wrong, or your account may not open it.{' '}
        <Link href="/dashboard">Go to the dashboard</Link>
      </p>
    </>
  );
};

interface GuardProps {
  /** The path. A new path gets another chance to render. */
  readonly at: string;
  readonly children: ReactNode;
}

/** Keeps the navigation when an area fails: its code did not load, or threw. */
class Guard extends Component<GuardProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate({ at }: GuardProps): void {
    if (this.state.failed && at !== this.props.at) this.setState({ failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice kind="problem">
        <p>This page could not be shown.</p>
        <Button onPress={() => location.reload()}>Reload</Button>
      </Notice>
    );
  }
}
