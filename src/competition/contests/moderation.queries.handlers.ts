/** Query handlers for moderators. They read the contests projection, the keys and the results. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { ListKeys } from '../keys/key.queries.js';
import { keys } from '../keys/keys.projection.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { results } from '../results/ranking-documents.js';
import { requireSpace } from '../spaces/known-events.js';
import { HasCompetitorList } from './competitor-list.commands.js';
import { requireContest } from './contest.queries.handlers.js';
import type { Page, RoundView } from './contest.queries.js';
import { type ContestDocument, contests, type PlannedRoundDocument } from './contest-documents.js';
import { contestSummaries, organizersOf } from './contest-page.js';
import {
  type EndingView,
  GetContestEnding,
  GetModeratedContest,
  ListModeratedContests,
  type ModeratedContestView,
  type ModeratedRoundView,
  type ModeratedSummaryView,
  type RoundPhase,
} from './moderation.queries.js';
import { progressIn } from './round-progress.js';
import { RoundViews } from './round-views.js';

const summaries = async (
  view: ReadView,
  spaceId: string,
  found: readonly ContestDocument[],
): Promise<readonly ModeratedSummaryView[]> => {
  const shown = await contestSummaries(view, spaceId, found);
  return found.flatMap(({ ending, rounds }, index) => {
    const summary = shown[index];
    const openRounds = rounds.filter(({ open }) => open).length;
    return summary ? [{ ...summary, ending, plannedRounds: rounds.length, openRounds }] : [];
  });
};

/** Lower case without accents. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

@QueryHandler(ListModeratedContests)
export class ListModeratedContestsHandler implements IQueryHandler<ListModeratedContests> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  execute({ filter, page }: ListModeratedContests): Promise<Page<ModeratedSummaryView>> {
    return this.readModels.snapshot(async (view) => {
      await requireSpace(view, filter.spaceId);
      const all = await view.scan(contests, { index: 'bySpace', equals: { spaceId: filter.spaceId } });
      const matching = all.filter((contest) => isWanted(contest, filter));
      const { limit, after } = page;
      const start =
        after === null ? 0 : matching.findIndex(({ competitionId }) => competitionId === after) + 1;
      const shown = matching.slice(start, start + limit);
      const next = start + limit < matching.length ? (shown.at(-1)?.competitionId ?? null) : null;
      return { items: await summaries(view, filter.spaceId, shown), total: matching.length, next };
    });
  }
}

const isWanted = (
  contest: ContestDocument,
  { only, search, state }: ListModeratedContests['filter'],
): boolean => {
  if (only !== null && !only.includes(contest.competitionId)) return false;
  if (state === null ? contest.state === 'deleted' : contest.state !== state) return false;
  if (search === null) return true;
  const { name, shortName, competitionId, city } = contest;
  return [name, shortName, competitionId, city ?? ''].some((text) => plain(text).includes(plain(search)));
};

@QueryHandler(GetModeratedContest)
export class GetModeratedContestHandler implements IQueryHandler<GetModeratedContest> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
    private readonly views: RoundViews,
    private readonly queries: QueryBus,
  ) {}

  async execute({ contest: ref }: GetModeratedContest): Promise<ModeratedContestView> {
    const { contest, ...shown } = await this.readModels.snapshot((view) => this.#cover(view, ref));
    const { spaceId, competitionId } = ref;
    const rounds = await Promise.all(
      contest.rounds.map(async (round) => {
        const { eventId, roundNumber } = round;
        const entered = await this.views.get({ spaceId, competitionId, eventId, roundNumber });
        return { eventId, view: roundView(round, entered) };
      }),
    );
    const { summary, organizers, activeKeys } = shown;
    return {
      ...summary,
      hasCompetitorList: await this.queries.execute(new HasCompetitorList(ref)),
      organizers,
      events: summary.eventIds.map((eventId) => ({
        eventId,
        rounds: rounds.filter((round) => round.eventId === eventId).map(({ view }) => view),
      })),
      opaqueRounds: contest.opaqueRounds.map(({ eventId, roundNumber }) => ({ eventId, roundNumber })),
      activeKeys,
    };
  }

  /** All but the rounds, whose views are cached one by one. */
  async #cover(view: ReadView, { spaceId, competitionId }: ContestRef) {
    const contest = await requireContest(view, { spaceId, competitionId }, true);
    const [summary] = await summaries(view, spaceId, [contest]);
    if (!summary) throw new Error(`contest ${competitionId} has no summary`);
    const persons = await this.directory.views(view, contest.organizerIds);
    const issued = await view.scan(keys, { index: 'byContest', equals: { spaceId, competitionId } });
    const organizers = organizersOf(contest, persons).map(({ id, name }) => ({ personId: id, name }));
    const activeKeys = issued.filter(({ state }) => state === 'active').length;
    return { contest, summary, organizers, activeKeys };
  }
}

const resultsIn = (
  view: ReadView,
  { spaceId, competitionId }: ContestDocument,
  { eventId, roundNumber }: PlannedRoundDocument,
): Promise<number> => view.count(results, 'byRound', { spaceId, competitionId, eventId, roundNumber });

const phaseOf = ({ open, opened }: PlannedRoundDocument): RoundPhase => {
  if (open) return 'open';
  return opened ? 'closed' : 'unopened';
};

const roundView = (round: PlannedRoundDocument, shown: RoundView | null): ModeratedRoundView => {
  const { format, date, timeLimit, cutoff, advancement } = round.rules;
  const { roundNumber } = round;
  return {
    roundNumber,
    phase: phaseOf(round),
    format,
    date,
    timeLimit,
    cutoff,
    advancement,
    results: shown?.results.length ?? 0,
    progress: shown?.roster ? progressIn(shown.roster) : null,
  };
};

@QueryHandler(GetContestEnding)
export class GetContestEndingHandler implements IQueryHandler<GetContestEnding> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly queries: QueryBus,
  ) {}

  async execute({ contest: ref, ending }: GetContestEnding): Promise<EndingView> {
    const issued = await this.queries.execute(new ListKeys(ref));
    return this.readModels.snapshot(async (view) => {
      const contest = await requireContest(view, ref, true);
      const open = contest.rounds.filter((round) => round.open);
      return {
        ending,
        openRounds: await Promise.all(
          open.map(async (round) => ({
            eventId: round.eventId,
            roundNumber: round.roundNumber,
            results: await resultsIn(view, contest, round),
          })),
        ),
        keys: issued
          .filter(({ state }) => state === 'active')
          .map(({ keyId, device, lastUsedAt }) => ({ keyId, device, lastUsedAt })),
        vanishing: ending === 'delete' ? await vanishing(view, contest) : NOTHING_VANISHES,
      };
    });
  }
}

const NOTHING_VANISHES: EndingView['vanishing'] = { results: 0, persons: 0, eventIds: [] };

/**
 * Counts the results that a deletion would remove. A contest that is not public has none in rankings, but loses them
 * as well.
 */
const vanishing = async (
  view: ReadView,
  { spaceId, competitionId }: ContestDocument,
): Promise<EndingView['vanishing']> => {
  const entered = await view.scan(results, { index: 'byRound', equals: { spaceId, competitionId } });
  return {
    results: entered.length,
    persons: new Set(entered.flatMap(({ personIds }) => personIds)).size,
    eventIds: [...new Set(entered.map(({ eventId }) => eventId))],
  };
};

export const contestModerationHandlers = [
  ListModeratedContestsHandler,
  GetModeratedContestHandler,
  GetContestEndingHandler,
];
