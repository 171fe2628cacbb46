/** Query handlers of contests. They read the contests projection and the results. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type ContestRef, contestKey, type RoundKey } from '../../domain/references.js';
import { parseRegion } from '../../domain/regions.js';
import { RejectedError } from '../../domain/rejections.js';
import { StreamNames } from '../../domain/streams.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { EVENT_STORE, type EventStore } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { OpaqueParts } from '../aggregates/contest/contest.js';
import { roundStream } from '../aggregates/round/round.js';
import { NamingQueryHandler } from '../persons/naming-query.handler.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { type HistoryStep, roundHistory } from '../results/round-history.js';
import { requireEvent, requireSpace } from '../spaces/known-events.js';
import {
  type ContestSummaryView,
  type ContestView,
  GetContest,
  GetOpaqueParts,
  GetRound,
  ListContests,
  ListEndingContests,
  ListRosteredContests,
  ListRoundHistory,
  type Page,
  type RoundView,
} from './contest.queries.js';
import {
  ANY_EVENT,
  type ContestDocument,
  type ContestListing,
  contestId,
  contestListings,
  contests,
  listingId,
  listName,
} from './contest-documents.js';
import { contestCover, contestSummaries, roundPage } from './contest-page.js';
import { openRosters } from './rosters.projection.js';
import { RoundViews } from './round-views.js';

@QueryHandler(GetContest)
export class GetContestHandler implements IQueryHandler<GetContest> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
    private readonly rounds: RoundViews,
  ) {}

  async execute({ contest, includeHidden }: GetContest): Promise<ContestView> {
    const { shown, rounds } = await this.readModels.snapshot(async (view) =>
      contestCover(view, await requireContest(view, contest, includeHidden), this.directory),
    );
    const views = new Map<string, RoundView[]>(shown.eventIds.map((eventId) => [eventId, []]));
    for (const { eventId, roundNumber } of rounds) {
      const round = await this.rounds.get({ ...contest, eventId, roundNumber });
      if (round) views.get(eventId)?.push(round);
    }
    const { opaqueRounds, ...cover } = shown;
    const events = [...views].map(([eventId, ofEvent]) => ({ eventId, rounds: ofEvent }));
    return { ...cover, events, opaqueRounds };
  }
}

@QueryHandler(GetRound)
export class GetRoundHandler extends NamingQueryHandler implements IQueryHandler<GetRound> {
  execute({ round }: GetRound): Promise<RoundView> {
    return this.readModels.snapshot(async (view) => {
      const contest = await requireContest(view, round, false);
      return (await roundPage(view, contest, round, this.directory)) ?? refuseRound(round);
    });
  }
}

@QueryHandler(GetOpaqueParts)
export class GetOpaquePartsHandler implements IQueryHandler<GetOpaqueParts> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest }: GetOpaqueParts): Promise<OpaqueParts> {
    return (await this.aggregates.load(contestAggregate, contest, { fresh: true })).state.opaque;
  }
}

/** Throws RejectedError `round-not-found`. */
export const refuseRound = ({ competitionId, eventId, roundNumber }: RoundKey): never => {
  throw new RejectedError({
    code: 'round-not-found',
    detail: `Contest ${competitionId} has no round ${roundNumber} of event ${eventId}.`,
  });
};

/** Throws RejectedError `space-not-found`, `contest-not-found`. */
export const requireContest = async (
  view: ReadView,
  { spaceId, competitionId }: ContestRef,
  includeHidden: boolean,
): Promise<ContestDocument> => {
  const contest = await view.get(contests, contestId(spaceId, competitionId));
  if (contest && (includeHidden || !isHidden(contest))) return contest;
  await requireSpace(view, spaceId);
  throw new RejectedError({
    code: 'contest-not-found',
    detail: `There is no contest ${competitionId} in space ${spaceId}.`,
  });
};

const isHidden = ({ state }: ContestDocument): boolean => state === 'draft' || state === 'deleted';

@QueryHandler(ListContests)
export class ListContestsHandler implements IQueryHandler<ListContests> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  execute({ filter, page }: ListContests): Promise<Page<ContestSummaryView>> {
    return this.readModels.snapshot(async (view) => {
      const { spaceId, eventId } = filter;
      if (eventId === undefined) await requireSpace(view, spaceId);
      else await requireEvent(view, spaceId, eventId);
      const found = filter.includeHidden
        ? await allContests(view, filter, page)
        : await listedContests(view, filter, page);
      return { ...found, items: await contestSummaries(view, spaceId, found.items) };
    });
  }
}

type Filter = ListContests['filter'];
type PageRequest = ListContests['page'];
type FoundContests = Page<ContestDocument>;

/** Reads one range of an index, whatever the filters are. */
const listedContests = async (
  view: ReadView,
  { spaceId, eventId = ANY_EVENT, region }: Filter,
  { limit, after }: PageRequest,
): Promise<FoundContests> => {
  const { index, equals } = listingRange(listName(spaceId, eventId), region);
  const behind = after === undefined ? null : await placeIn(view, { spaceId, competitionId: after }, eventId);
  const listings = await view.scan(contestListings, {
    index,
    equals,
    ...(behind && { after: behind }),
    ...(limit !== undefined && { limit: limit + 1 }),
  });
  const shown = limit === undefined ? listings : listings.slice(0, limit);
  const ids = shown.map(({ competitionId }) => contestId(spaceId, competitionId));
  const items = (await view.getMany(contests, ids)).filter((contest) => contest !== null);
  const total = await view.count(contestListings, index, equals);
  return { items, total, next: listings.length > shown.length ? lastOf(shown) : null };
};

/**
 * Returns where to continue, also for a contest that was deleted meanwhile. Throws RejectedError `contest-not-found`.
 */
const placeIn = async (view: ReadView, ref: ContestRef, eventId: string): Promise<ContestListing> => {
  const { id, newness, competitionId, regionCode, continent } = await requireContest(view, ref, true);
  const list = listName(ref.spaceId, eventId);
  return { id: listingId(id, eventId), list, newness, competitionId, regionCode, continent };
};

const listingRange = (
  list: string,
  region: string | undefined,
): { readonly index: string; readonly equals: Partial<ContestListing> } => {
  if (region === undefined) return { index: 'world', equals: { list } };
  return parseRegion(region)?.kind === 'continent'
    ? { index: 'continent', equals: { list, continent: region } }
    : { index: 'country', equals: { list, regionCode: region } };
};

/**
 * Includes drafts and deleted contests. Filters are applied in memory: only organisers ask for this list, and they
 * have few contests.
 */
const allContests = async (
  view: ReadView,
  { spaceId, eventId, region }: Filter,
  { limit, after }: PageRequest,
): Promise<FoundContests> => {
  const all = await view.scan(contests, { index: 'bySpace', equals: { spaceId } });
  const matching = all.filter(
    (contest) =>
      (eventId === undefined || contest.rounds.some((round) => round.eventId === eventId)) &&
      (region === undefined || contest.regionCode === region || contest.continent === region),
  );
  const start =
    after === undefined ? 0 : matching.findIndex((contest) => contest.competitionId === after) + 1;
  const end = limit === undefined ? matching.length : start + limit;
  const items = matching.slice(start, end);
  return { items, total: matching.length, next: end < matching.length ? lastOf(items) : null };
};

const lastOf = (page: readonly ContestRef[] | readonly ContestListing[]): string | null =>
  page.at(-1)?.competitionId ?? null;

@QueryHandler(ListEndingContests)
export class ListEndingContestsHandler implements IQueryHandler<ListEndingContests> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<readonly (ContestRef & { readonly ending: 'finish' | 'delete' })[]> {
    const found = await this.readModels.snapshot((view) =>
      view.scan(contests, { index: 'ending', equals: {} }),
    );
    return found.flatMap(({ spaceId, competitionId, ending }) =>
      ending ? [{ spaceId, competitionId, ending }] : [],
    );
  }
}

@QueryHandler(ListRosteredContests)
export class ListRosteredContestsHandler implements IQueryHandler<ListRosteredContests> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<readonly ContestRef[]> {
    const found = await this.readModels.snapshot((view) =>
      view.scan(openRosters, { index: 'bySpace', equals: {} }),
    );
    const rostered = found.map(({ spaceId, competitionId }): ContestRef => ({ spaceId, competitionId }));
    return [...new Map(rostered.map((contest) => [contestKey(contest), contest])).values()];
  }
}

@QueryHandler(ListRoundHistory)
export class ListRoundHistoryHandler implements IQueryHandler<ListRoundHistory> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(EVENT_STORE) private readonly events: Pick<EventStore, 'readStream'>,
    private readonly names: StreamNames,
  ) {}

  async execute({ round }: ListRoundHistory): Promise<readonly HistoryStep[]> {
    const { eventId, roundNumber } = round;
    const { rounds } = await this.readModels.snapshot((view) => requireContest(view, round, true));
    if (!rounds.some((known) => known.eventId === eventId && known.roundNumber === roundNumber))
      refuseRound(round);
    return roundHistory((await this.events.readStream(this.names.of(roundStream, round))) ?? []);
  }
}

export const contestQueryHandlers = [
  GetContestHandler,
  GetOpaquePartsHandler,
  GetRoundHandler,
  ListContestsHandler,
  ListEndingContestsHandler,
  ListRosteredContestsHandler,
  ListRoundHistoryHandler,
];
