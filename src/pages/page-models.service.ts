/** Builds the models of the pages from the queries of the API; contest-page-models.service.ts those of a contest. */

import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetCompetitorList } from '../competition/contests/competitor-list.commands.js';
import {
  GetContest,
  GetContestPlan,
  ListCompetitors,
  ListContests,
} from '../competition/contests/contest.queries.js';
import { competitorsFor, numbersOf } from '../competition/contests/score-cards.js';
import { GetScreen } from '../competition/hall/screens.queries.js';
import { type PersonView, SearchPersons } from '../competition/persons/person.queries.js';
import { GetPersonResults } from '../competition/persons/person-results.queries.js';
import { GetRankings, type RankingEntryView } from '../competition/rankings/ranking.queries.js';
import { ListRecentRecords } from '../competition/records/recent.queries.js';
import { placeText } from '../competition/records/recent-records.controller.js';
import type { RecentFilter, RecentPlace } from '../competition/records/recent-records.js';
import { GetRecordHistory, ListRecords, type RecordType } from '../competition/records/record.queries.js';
import { GetGroups, GetSchedule } from '../competition/schedule/schedule.queries.js';
import { seated, seatsIn } from '../competition/schedule/seats.js';
import { ListEvents } from '../competition/spaces/space.queries.js';
import { roundCode } from '../domain/attempts.js';
import type { RankingList, RecordList } from '../domain/rankings.js';
import type { ContestRef, RoundKey } from '../domain/references.js';
import { RejectedError } from '../domain/rejections.js';
import { baseOf } from '../http/message/space-segment.js';
import { PROBLEM_STATUSES } from '../http/problems/problems.js';
import { docsExamples } from './docs-examples.js';
import { type PageOf, TICKER_LENGTH } from './page-models.js';

/** The newest contests, from which the first page picks ongoing, coming and finished ones. */
const NEWEST = 60;
const SHOWN = 8;
const PAGE_LENGTH = 100;
const PERSONS_A_PAGE = 50;
const RECORDS_A_PAGE = 50;

/** Score cards of an A4 sheet. */
const CARDS_A_SHEET = 4;

/** Fills the last sheet with blank cards; one blank sheet when there are no competitors yet. */
const blankOnLastSheet = (cards: number): number =>
  cards === 0 ? CARDS_A_SHEET : (CARDS_A_SHEET - (cards % CARDS_A_SHEET)) % CARDS_A_SHEET;

@Injectable()
export class PageModels {
  constructor(private readonly queries: QueryBus) {}

  async home(spaceId: string): Promise<PageOf<'home'>> {
    const { items } = await this.queries.execute(new ListContests({ spaceId }, { limit: NEWEST }));
    const inState = (state: (typeof items)[number]['state']) =>
      items.filter((contest) => contest.state === state);
    return {
      page: 'home',
      ...(await this.frame(spaceId)),
      ongoing: inState('ongoing'),
      coming: inState('announced').toReversed().slice(0, SHOWN),
      recent: inState('finished').slice(0, SHOWN),
      records: await this.newestRecords(spaceId),
    };
  }

  private async newestRecords(spaceId: string): Promise<PageOf<'home'>['records']> {
    const filter = { spaceId, category: 'all', region: null } as const;
    const range = { since: 0, after: null, limit: TICKER_LENGTH };
    return (await this.queries.execute(new ListRecentRecords(filter, range))).items;
  }

  async rankings(list: RankingList, topN: number): Promise<PageOf<'rankings'>> {
    const { spaceId, ...shown } = list;
    const reply = await this.queries.execute(new GetRankings(list, topN));
    const entries: RankingEntryView[] = JSON.parse(reply.body.toString());
    return { page: 'rankings', ...(await this.frame(spaceId)), list: { ...shown, topN }, entries };
  }

  async records(list: Omit<RecordList, 'eventId'>): Promise<PageOf<'records'>> {
    const { spaceId, category, region } = list;
    const records = await this.queries.execute(new ListRecords(list));
    return { page: 'records', ...(await this.frame(spaceId)), category, region, records };
  }

  async recentRecords(filter: RecentFilter, after: RecentPlace | null): Promise<PageOf<'recent-records'>> {
    const { spaceId, category, region } = filter;
    const range = { since: 0, after, limit: RECORDS_A_PAGE };
    const { items, next } = await this.queries.execute(new ListRecentRecords(filter, range));
    const addressOf = (query: Readonly<Record<string, string>>): string => {
      const given = new URLSearchParams({
        ...(category !== 'all' && { category }),
        ...(region && { region }),
        ...query,
      });
      return `${baseOf(spaceId)}/records/recent${given.size > 0 ? `?${given}` : ''}`;
    };
    return {
      page: 'recent-records',
      ...(await this.frame(spaceId)),
      category,
      region,
      records: items,
      first: after === null ? null : addressOf({}),
      next: next === null ? null : addressOf({ after: placeText(next) }),
    };
  }

  async record(list: RecordList, type: RecordType): Promise<PageOf<'record'>> {
    const record = await this.queries.execute(new GetRecordHistory(list, type));
    return { page: 'record', ...(await this.frame(list.spaceId)), record };
  }

  async contests(
    spaceId: string,
    filter: PageOf<'contests'>['filter'],
    after: string | null,
  ): Promise<PageOf<'contests'>> {
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

  async schedule(ref: ContestRef): Promise<PageOf<'schedule'>> {
    const { competitionId, name, state, startDate, endDate } = await this.queries.execute(
      new GetContestPlan(ref),
    );
    const contest = { competitionId, name, state, startDate, endDate };
    const schedule = await this.queries.execute(new GetSchedule(ref));
    return { page: 'schedule', ...(await this.frame(ref.spaceId)), contest, schedule };
  }

  /** `code`: of a round, an attempt or another activity. Throws RejectedError `activity-not-found`. */
  async groups(ref: ContestRef, code: string): Promise<PageOf<'groups'>> {
    const { competitionId, name } = await this.queries.execute(new GetContestPlan(ref));
    const groups = await this.queries.execute(new GetGroups(ref, code));
    if (groups.length === 0) {
      const detail = `The schedule of contest ${competitionId} has no activity ${code.slice(0, 100)}.`;
      throw new RejectedError({ code: 'activity-not-found', detail });
    }
    const frame = await this.frame(ref.spaceId);
    return { page: 'groups', ...frame, contest: { competitionId, name }, code, groups };
  }

  /** Throws RejectedError `screen-not-found`, and the errors of the contest page. */
  async screen(ref: ContestRef, name: string): Promise<PageOf<'screen'>> {
    const screen = await this.queries.execute(new GetScreen(ref, name));
    const { competitionId, name: ofContest, type } = await this.queries.execute(new GetContest(ref));
    const schedule = await this.queries.execute(new GetSchedule(ref));
    const contest = { competitionId, name: ofContest, type };
    return { page: 'screen', ...(await this.frame(ref.spaceId)), contest, screen, schedule };
  }

  /** Throws RejectedError `round-not-found`, and the errors of the contest page. */
  async scoreCards(
    key: RoundKey,
    { filter, origin }: Pick<PageOf<'score-cards'>, 'filter' | 'origin'>,
  ): Promise<PageOf<'score-cards'>> {
    const { spaceId, competitionId, eventId, roundNumber } = key;
    const frame = await this.frame(spaceId);
    const contest = await this.queries.execute(new GetContest({ spaceId, competitionId }));
    const found = contest.events
      .find((taken) => taken.eventId === eventId)
      ?.rounds.find((planned) => planned.roundNumber === roundNumber);
    const event = frame.events.find((known) => known.eventId === eventId);
    if (!found || !event) {
      const detail = `Contest ${competitionId} has no round ${roundNumber} of event ${eventId}.`;
      throw new RejectedError({ code: 'round-not-found', detail });
    }
    const { results: _, ...round } = found;
    const { participants } = event;
    const isBlank = filter.who === 'nobody';
    const listed = isBlank ? [] : await this.queries.execute(new ListCompetitors({ spaceId, competitionId }));
    const registered = isBlank ? null : await this.registeredFor({ spaceId, competitionId }, eventId);
    const competitors = isBlank
      ? []
      : competitorsFor(contest, { eventId, roundNumber }, { listed, registered, participants });
    const groups = isBlank
      ? []
      : await this.queries.execute(
          new GetGroups({ spaceId, competitionId }, roundCode({ eventId, roundNumber })),
        );
    const seats = seatsIn(groups);
    return {
      page: 'score-cards',
      ...frame,
      origin,
      contest: { competitionId, name: contest.name },
      event,
      round,
      competitors: seated(competitors, seats),
      numbers: Object.fromEntries(numbersOf(listed)),
      seats: Object.fromEntries([...seats].map(([personId, { text }]) => [personId, text])),
      filter,
      blank: filter.blank ?? blankOnLastSheet(competitors.length),
    };
  }

  /** Null: the contest has no competitor list. */
  private async registeredFor(contest: ContestRef, eventId: string): Promise<readonly PersonView[] | null> {
    const { competitors } = await this.queries.execute(new GetCompetitorList(contest));
    if (competitors.length === 0) return null;
    return competitors.flatMap(({ person, eventIds, state }) =>
      state !== 'withdrawn' && eventIds.includes(eventId) ? [person] : [],
    );
  }

  /** `after`: the last person of the page before; 0 for the first page. */
  async persons(spaceId: string, search: string, after: number): Promise<PageOf<'persons'>> {
    const frame = await this.frame(spaceId);
    const page = { limit: PERSONS_A_PAGE, ...(after > 0 && { after }) };
    const { items, next } = await this.queries.execute(new SearchPersons(spaceId, search, page));
    const addressOf = (query: Readonly<Record<string, string>>): string => {
      const given = new URLSearchParams({ ...(search !== '' && { search }), ...query });
      return `${baseOf(spaceId)}/persons${given.size > 0 ? `?${given}` : ''}`;
    };
    return {
      page: 'persons',
      ...frame,
      search,
      persons: items,
      first: after > 0 ? addressOf({}) : null,
      next: next === null ? null : addressOf({ after: String(next) }),
    };
  }

  async person(personId: number): Promise<PageOf<'person'>> {
    const person = await this.queries.execute(new GetPersonResults(personId));
    return { page: 'person', ...(await this.frame(person.spaceId)), person };
  }

  /** `origin`: the origin that the reader used. */
  async docs(spaceId: string, origin: string): Promise<PageOf<'docs'>> {
    const frame = await this.frame(spaceId);
    const { items } = await this.queries.execute(new ListContests({ spaceId }, { limit: NEWEST }));
    const ongoing = items.filter(({ state }) => state === 'ongoing');
    const shown = ongoing.find(({ participants }) => participants > 0) ?? ongoing[0] ?? items[0];
    const contest = shown
      ? await this.queries.execute(new GetContest({ spaceId, competitionId: shown.competitionId }))
      : null;
    const competitors = shown
      ? await this.queries.execute(new ListCompetitors({ spaceId, competitionId: shown.competitionId }))
      : [];
    return {
      page: 'docs',
      ...frame,
      origin,
      examples: docsExamples(spaceId, frame.events, { contest, numbers: numbersOf(competitors) }),
      problems: [...PROBLEM_STATUSES].map(([code, status]) => ({ code, status })),
    };
  }

  /** The first event of the catalogue: the default of the rankings. */
  async firstEvent(spaceId: string): Promise<string | null> {
    const [first] = await this.queries.execute(new ListEvents(spaceId));
    return first?.eventId ?? null;
  }

  private async frame(spaceId: string): Promise<Pick<PageOf<'home'>, 'base' | 'events'>> {
    return { base: baseOf(spaceId), events: await this.queries.execute(new ListEvents(spaceId)) };
  }
}
