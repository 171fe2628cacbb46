/** The frame of every public page: the link past the navigation, the navigation itself, and the footer. */
import type { ReactNode } from 'react';
import type { PageModel } from '../../../src/pages/page-models.js';
import { Brand, SkipLink } from './brand.js';

interface FrameProps {
  readonly base: string;
  readonly current: PageModel['page'];
  readonly children: ReactNode;
}

const PAGES = [
  { path: '/rankings', name: 'Rankings', pages: ['rankings'] },
  { path: '/records', name: 'Records', pages: ['records', 'record', 'recent-records'] },
  {
    path: '/contests',
    name: 'Contests',
    pages: [
      ...['contests', 'contest', 'round', 'contest-results', 'competitors', 'competitor'],
      ...['schedule', 'groups', 'score-cards'],
    ],
  },
  { path: '/persons', name: 'Persons', pages: ['persons', 'person'] },
] as const;

export const Frame = ({ base, current, children }: FrameProps) => (
  <>
    <SkipLink />
    <header className="top">
      <Brand href={base === '' ? '/' : base} />
      <nav aria-label="Pages">
        {PAGES.map(({ path, name, pages }) => (
          <a
            key={path}
            href={base + path}
            aria-current={pages.some((page) => page === current) ? 'page' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
    </header>
    <main id="main">{children}</main>
    <footer className="bottom">
      <a href={`${base}/docs`}>API</a>
      <a href="/sign-in">Sign in</a>
    </footer>
  </>
);
