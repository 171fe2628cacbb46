/** The component and the title of each public page. */
import type { PageModel } from '../../src/pages/page-models.js';
import { Frame } from './components/frame.js';
import { CompetitorPage, competitorTitle } from './pages/competitor.js';
import { CompetitorsPage } from './pages/competitors.js';
import { ContestPage } from './pages/contest.js';
import { ContestResultsPage } from './pages/contest-results.js';
import { ContestsPage } from './pages/contests.js';
import { DocsPage } from './pages/docs.js';
import { GroupsPage, groupsTitle } from './pages/groups.js';
import { HomePage } from './pages/home.js';
import { PersonPage } from './pages/person.js';
import { PersonsPage, personsTitle } from './pages/persons.js';
import { ProblemPage } from './pages/problem.js';
import { RankingsPage, rankingsTitle } from './pages/rankings.js';
import { RecentRecordsPage, recentRecordsTitle } from './pages/recent-records.js';
import { RecordPage, recordTitle } from './pages/record.js';
import { RecordsPage, recordsTitle } from './pages/records.js';
import { RoundPage, roundTitle } from './pages/round.js';
import { SchedulePage, scheduleTitle } from './pages/schedule.js';
import { ScoreCardsPage, scoreCardsTitle } from './pages/score-cards.js';
import { ScreenPage, screenTitle } from './pages/screen.js';

/** A screen in the venue has nothing around it. */
export const Page = ({ model }: { readonly model: PageModel }) =>
  model.page === 'screen' ? (
    <ScreenPage model={model} />
  ) : (
    <Frame base={model.base} current={model.page}>
      <Body model={model} />
    </Frame>
  );

const Body = ({ model }: { readonly model: Exclude<PageModel, { page: 'screen' }> }) => {
  switch (model.page) {
    case 'home':
      return <HomePage model={model} />;
    case 'rankings':
      return <RankingsPage model={model} />;
    case 'records':
      return <RecordsPage model={model} />;
    case 'recent-records':
      return <RecentRecordsPage model={model} />;
    case 'record':
      return <RecordPage model={model} />;
    case 'contests':
      return <ContestsPage model={model} />;
    case 'contest':
      return <ContestPage model={model} />;
    case 'round':
      return <RoundPage model={model} />;
    case 'contest-results':
      return <ContestResultsPage model={model} />;
    case 'competitors':
      return <CompetitorsPage model={model} />;
    case 'competitor':
      return <CompetitorPage model={model} />;
    case 'schedule':
      return <SchedulePage model={model} />;
    case 'groups':
      return <GroupsPage model={model} />;
    case 'persons':
      return <PersonsPage model={model} />;
    case 'person':
      return <PersonPage model={model} />;
    case 'score-cards':
      return <ScoreCardsPage model={model} />;
    case 'docs':
      return <DocsPage model={model} />;
    case 'problem':
      return <ProblemPage model={model} />;
    default:
      return model satisfies never;
  }
};

export const pageTitle = (model: PageModel): string => {
  switch (model.page) {
    case 'home':
      return 'Podium: contests, results and rankings';
    case 'rankings':
      return `${rankingsTitle(model)} · Podium`;
    case 'records':
      return `${recordsTitle(model)} · Podium`;
    case 'recent-records':
      return `${recentRecordsTitle(model)} · Podium`;
    case 'record':
      return `${recordTitle(model)} · Podium`;
    case 'contests':
      return 'Contests · Podium';
    case 'contest':
      return `${model.contest.name} · Podium`;
    case 'round':
      return `${roundTitle(model)} · Podium`;
    case 'contest-results':
      return `Results: ${model.contest.name} · Podium`;
    case 'competitors':
      return `Competitors: ${model.contest.name} · Podium`;
    case 'competitor':
      return `${competitorTitle(model)} · Podium`;
    case 'schedule':
      return `${scheduleTitle(model)} · Podium`;
    case 'groups':
      return `${groupsTitle(model)} · Podium`;
    case 'persons':
      return `${personsTitle(model)} · Podium`;
    case 'person':
      return `${model.person.name} · Podium`;
    case 'score-cards':
      return `${scoreCardsTitle(model)} · Podium`;
    case 'screen':
      return `${screenTitle(model)} · Podium`;
    case 'docs':
      return 'The API · Podium';
    case 'problem':
      return `${model.title} · Podium`;
    default:
      return model satisfies never;
  }
};
