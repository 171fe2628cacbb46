/** Puts together what each page shows, by the same queries that the API answers with. */
import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type ContestSummaryView, GetContest, ListContests } from '../contests/contest.queries.js';
import { DEFAULT_SPACE } from '../domain/ids.js';
import type { ContestRef } from '../eventstore/streams.js';
import { PROBLEM_STATUSES } from '../http/problems.js';
import { GetPersonResults } from '../persons/person-results.queries.js';
import type { RankingList } from '../projections/tags.js';
import { GetRankings, type RankingEntryView } from '../rankings/ranking.queries.js';
import { ListEvents } from '../spaces/space.queries.js';
import { docsExamples } from './docs-examples.js';
import type {
  ContestPage,
  ContestsPage,
  DocsPage,
  HomePage,
  PersonPage,
  RankingsPage,
} from './page-models.js';

/** Contests looked through for the first page: the newest, of which some are over and some to come. */
const NEWEST = 60;
const SHOWN = 8;
const PAGE_LENGTH = 100;

export const baseOf = (spaceId: string): string => (spaceId === DEFAULT_SPACE ? '' : `/${spaceId}`);

@Injectable()
export class PageModels {
  constructor(private readonly queries: QueryBus) {}

  async home(spaceId: string): Promise<HomePage> {
    const { items } = await this.queries.execute(new ListContests({ spaceId }, { limit: NEWEST }));
    const inState = (state: ContestSummaryView['state']): readonly ContestSummaryView[] =>
      items.filter((contest) => contest.state === state);
    return {
      page: 'home',
      ...(await this.frame(spaceId)),
      ongoing: inState('ongoing'),
      coming: inState('announced').toReversed().slice(0, SHOWN),
      recent: inState('finished').slice(0, SHOWN),
    };
  }

  async rankings(list: RankingList, topN: number): Promise<RankingsPage> {
    const { spaceId, ...shown } = list;
    const reply = await this.queries.execute(new GetRankings(list, topN));
    const entries: RankingEntryView[] = JSON.parse(reply.body.toString());
    return { page: 'rankings', ...(await this.frame(spaceId)), list: { ...shown, topN }, entries };
  }

  async contests(
    spaceId: string,
    filter: ContestsPage['filter'],
    after: string | null,
  ): Promise<ContestsPage> {
    const { eventId, region } = filter;
    const wanted = { spaceId, ...(eventId && { eventId }), ...(region && { region }) };
    const page = { limit: PAGE_LENGTH, ...(after && { after }) };
    const { items, total, next } = await this.queries.execute(new ListContests(wanted, page));
    const query = new URLSearchParams({
      ...(eventId && { eventId }),
      ...(region && { region }),
      ...(next && { after: next }),
    });
    return {
      page: 'contests',
      ...(await this.frame(spaceId)),
      filter,
      contests: items,
      total,
      next: next === null ? null : `${baseOf(spaceId)}/contests?${query}`,
    };
  }

  async contest(ref: ContestRef): Promise<ContestPage> {
    const contest = await this.queries.execute(new GetContest(ref));
    return { page: 'contest', ...(await this.frame(ref.spaceId)), contest };
  }

  async person(personId: number): Promise<PersonPage> {
    const person = await this.queries.execute(new GetPersonResults(personId));
    return { page: 'person', ...(await this.frame(person.spaceId)), person };
  }

  /** `origin`: where the reader reached this server. */
  async docs(spaceId: string, origin: string): Promise<DocsPage> {
    const frame = await this.frame(spaceId);
    const { items } = await this.queries.execute(new ListContests({ spaceId }, { limit: NEWEST }));
    const ongoing = items.filter(({ state }) => state === 'ongoing');
    const shown = ongoing.find(({ participants }) => participants > 0) ?? ongoing[0] ?? items[0];
    const contest = shown
      ? await this.queries.execute(new GetContest({ spaceId, competitionId: shown.competitionId }))
      : null;
    return {
      page: 'docs',
      ...frame,
      origin,
      examples: docsExamples(spaceId, frame.events, contest),
      problems: [...PROBLEM_STATUSES].map(([code, status]) => ({ code, status })),
    };
  }

  /** The first event of the catalogue: where rankings start. */
  async firstEvent(spaceId: string): Promise<string | null> {
    const [first] = await this.queries.execute(new ListEvents(spaceId));
    return first?.eventId ?? null;
  }

  private async frame(spaceId: string): Promise<Pick<HomePage, 'base' | 'events'>> {
    return { base: baseOf(spaceId), events: await this.queries.execute(new ListEvents(spaceId)) };
  }
}
