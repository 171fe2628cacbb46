/**
 * The content of each page as plain JSON. The server renders it to HTML and sends it along; the browser
 * continues from it. The values are those of the public API, so pages and API always agree.
 */

import type { EventDefinition } from '../competition/aggregates/space/space.events.js';
import type {
  CompetitorInContestView,
  ListedCompetitorView,
} from '../competition/contests/competitor-list.commands.js';
import type {
  ContestOverviewView,
  ContestSummaryView,
  ContestView,
  OpaqueRoundView,
  PlannedRoundView,
  RoundView,
} from '../competition/contests/contest.queries.js';
import type { Competitor } from '../competition/contests/score-cards.js';
import type { ShownScreenView } from '../competition/hall/screens.queries.js';
import type { PersonView } from '../competition/persons/person.queries.js';
import type { PersonResultsView } from '../competition/persons/person-results.queries.js';
import type { RankingEntryView } from '../competition/rankings/ranking.queries.js';
import type { RecentRecordView } from '../competition/records/recent.queries.js';
import type { EventRecordsView, RecordHistoryView } from '../competition/records/record.queries.js';
import type { AppointmentView, GroupView, ScheduleView } from '../competition/schedule/schedule.queries.js';
import type { Category, RankingType, Show } from '../domain/rankings.js';

/** Whether score cards bear names. */
export const CARD_HOLDERS = ['competitors', 'nobody'] as const;
export type CardHolders = (typeof CARD_HOLDERS)[number];

/** The part that every page has. */
interface Frame {
  /** The prefix of a page's path: empty for the default space, `/SLUG` for another. */
  readonly base: string;
  /** The catalogue of the space, in display order. */
  readonly events: readonly EventDefinition[];
}

/** The number of records on the first page. */
export const TICKER_LENGTH = 5;

export interface HomePage extends Frame {
  readonly page: 'home';
  readonly ongoing: readonly ContestSummaryView[];
  readonly coming: readonly ContestSummaryView[];
  readonly recent: readonly ContestSummaryView[];
  /** The newest first. */
  readonly records: readonly RecentRecordView[];
}

export interface RankingsPage extends Frame {
  readonly page: 'rankings';
  readonly list: {
    readonly eventId: string;
    readonly type: RankingType;
    readonly category: Category;
    readonly show: Show;
    readonly region: string | null;
    readonly topN: number;
  };
  readonly entries: readonly RankingEntryView[];
}

export interface RecordsPage extends Frame {
  readonly page: 'records';
  readonly category: Category;
  readonly region: string | null;
  readonly records: readonly EventRecordsView[];
}

/** The newest records. */
export interface RecentRecordsPage extends Frame {
  readonly page: 'recent-records';
  readonly category: Category;
  readonly region: string | null;
  readonly records: readonly RecentRecordView[];
  /** Address of the list's first page; null on that page. */
  readonly first: string | null;
  /** Address of the next page of the list. */
  readonly next: string | null;
}

export interface RecordPage extends Frame {
  readonly page: 'record';
  readonly record: RecordHistoryView;
}

export interface ContestsPage extends Frame {
  readonly page: 'contests';
  readonly filter: { readonly eventId: string | null; readonly region: string | null };
  readonly contests: readonly ContestSummaryView[];
  readonly total: number;
  /** Address of the next page of the list. */
  readonly next: string | null;
}

/** What all pages of a contest show: its details, and the way to its rounds. */
export interface ContestCover extends Frame {
  readonly contest: Omit<ContestSummaryView, 'shortName' | 'participants' | 'eventIds'> & {
    readonly events: readonly {
      readonly eventId: string;
      readonly rounds: readonly Pick<PlannedRoundView, 'roundNumber' | 'roundTypeId'>[];
    }[];
  };
  readonly hasSchedule: boolean;
  /** Whether it has a competitor list. */
  readonly hasCompetitors: boolean;
}

/** Podiums, open rounds, and what goes on now. */
export interface ContestPage
  extends ContestCover,
    Pick<ContestOverviewView, 'organizers' | 'openRounds' | 'podiums'> {
  readonly page: 'contest';
  /** Null: nothing goes on, or there is none. */
  readonly schedule: ScheduleView | null;
}

export interface RoundPage extends ContestCover {
  readonly page: 'round';
  readonly eventId: string;
  /** Either this or `opaque` is there. */
  readonly round: RoundView | null;
  readonly opaque: OpaqueRoundView | null;
  /** Competitor numbers by person id. Only competitors on the list have a page in the contest. */
  readonly numbers: Readonly<Record<number, number>>;
}

/** Every round on one page, to be printed. */
export interface ContestResultsPage extends ContestCover, Pick<ContestView, 'opaqueRounds'> {
  readonly page: 'contest-results';
  readonly results: ContestView['events'];
}

export interface CompetitorsPage extends ContestCover {
  readonly page: 'competitors';
  /** `search`: a part of a name, or a number. */
  readonly filter: { readonly search: string; readonly eventId: string | null };
  /** By number. Those of the event, not yet filtered by name. */
  readonly competitors: readonly ListedCompetitorView[];
}

export interface CompetitorPage extends ContestCover, Pick<CompetitorInContestView, 'competitor' | 'rounds'> {
  readonly page: 'competitor';
  /** Groups and duties, by expected start. */
  readonly appointments: readonly AppointmentView[];
}

type ContestName = Pick<ContestView, 'competitionId' | 'name'>;

export interface SchedulePage extends Frame {
  readonly page: 'schedule';
  readonly contest: ContestName & Pick<ContestView, 'state' | 'startDate' | 'endDate'>;
  readonly schedule: ScheduleView;
}

/** The groups of a round or of an attempt, to be looked up or printed. */
export interface GroupsPage extends Frame {
  readonly page: 'groups';
  readonly contest: ContestName;
  /** Such as `333-r1`. */
  readonly code: string;
  readonly groups: readonly GroupView[];
}

export interface PersonPage extends Frame {
  readonly page: 'person';
  readonly person: PersonResultsView;
}

/** Persons by name, with a search. */
export interface PersonsPage extends Frame {
  readonly page: 'persons';
  /** Part of a name or association id, or a person's id; empty: all persons. */
  readonly search: string;
  readonly persons: readonly PersonView[];
  /** Address of the list's first page; null on that page. */
  readonly first: string | null;
  /** Address of the next page of the list. */
  readonly next: string | null;
}

/** Cards for one round, to be printed. */
export interface ScoreCardsPage extends Frame {
  readonly page: 'score-cards';
  /** The origin that the reader used: the codes on the cards lead there. */
  readonly origin: string;
  readonly contest: ContestName;
  readonly event: EventDefinition;
  readonly round: Omit<RoundView, 'results'>;
  /** Empty when only blank cards are wanted. */
  readonly competitors: readonly Competitor[];
  /** Competitor numbers by person id, for those who have one. */
  readonly numbers: Readonly<Record<number, number>>;
  /** By person id, for those who are assigned: such as `Group 2 · Station 7`. */
  readonly seats: Readonly<Record<number, string>>;
  /** What the form shows. */
  readonly filter: { readonly who: CardHolders; readonly blank: number | null };
  /** Cards without a name, after the others. */
  readonly blank: number;
}

/** Example bodies and ids that work on this server. */
export interface DocsExamples {
  /** False: there is no contest, and the ids are made up. */
  readonly hasContest: boolean;
  readonly eventId: string;
  readonly competitionId: string;
  readonly roundNumber: number;
  readonly attempt: Readonly<Record<string, unknown>>;
  /** An attempt of a competitor who is named by number. */
  readonly numbered: Readonly<Record<string, unknown>>;
  readonly results: Readonly<Record<string, unknown>>;
}

export interface DocsPage extends Frame {
  readonly page: 'docs';
  /** The origin that the reader used, such as `https://results.example.org`. */
  readonly origin: string;
  readonly examples: DocsExamples;
  /** Every code of a problem document, with its HTTP status. */
  readonly problems: readonly { readonly code: string; readonly status: number }[];
}

/** A screen in the venue, which goes on by itself: it reads its rounds, and asks what it shows, again and again. */
export interface ScreenPage extends Frame {
  readonly page: 'screen';
  readonly contest: ContestName & Pick<ContestView, 'type'>;
  readonly screen: ShownScreenView;
  readonly schedule: ScheduleView;
}

/** A page that could not be shown, with the texts of the problem document. */
export interface ProblemPage {
  readonly page: 'problem';
  readonly base: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

export type PageModel =
  | HomePage
  | RankingsPage
  | RecordsPage
  | RecentRecordsPage
  | RecordPage
  | ContestsPage
  | ContestPage
  | RoundPage
  | ContestResultsPage
  | CompetitorsPage
  | CompetitorPage
  | SchedulePage
  | GroupsPage
  | PersonsPage
  | PersonPage
  | ScoreCardsPage
  | ScreenPage
  | DocsPage
  | ProblemPage;

/** The model of one kind of page: `PageOf<'home'>`. */
export type PageOf<Kind extends PageModel['page']> = Extract<PageModel, { readonly page: Kind }>;
