/** One competitor of a contest: their registration, and their part of each round. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { hasList } from '../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { persons } from '../persons/persons.projection.js';
import { results } from '../results/ranking-documents.js';
import {
  type CompetitorInContestView,
  FindCompetitor,
  type FoundCompetitor,
  GetCompetitor,
  HasCompetitorList,
} from './competitor-list.commands.js';
import { listedAs } from './competitor-list.handlers.js';
import { requireContest } from './contest.queries.handlers.js';
import { GetContestPlan, type RoundView } from './contest.queries.js';
import { ownPartOf } from './own-part.js';
import { RoundViews } from './round-views.js';

@QueryHandler(HasCompetitorList)
export class HasCompetitorListHandler implements IQueryHandler<HasCompetitorList> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest }: HasCompetitorList): Promise<boolean> {
    return hasList((await this.aggregates.load(contestAggregate, contest, { fresh: true })).state);
  }
}

@QueryHandler(FindCompetitor)
export class FindCompetitorHandler implements IQueryHandler<FindCompetitor> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    private readonly directory: PersonDirectory,
  ) {}

  /** Reads one person, not the whole list: many competitors look at their own pages. */
  async execute({ contest, number, includeHidden }: FindCompetitor): Promise<FoundCompetitor> {
    return this.readModels.snapshot(async (view) => {
      await requireContest(view, contest, includeHidden);
      const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
      const numbered = state.personsByNumber.get(number) ?? 0;
      const person = (await this.directory.views(view, [numbered])).get(numbered);
      if (person === undefined) return refuseNumber(number);
      const aliases = (await view.get(persons, String(person.id)))?.aliases ?? [];
      const personIds = new Set([person.id, ...aliases]);
      const competitor = listedAs(state, person, [...personIds]);
      if (competitor === null) return refuseNumber(number);
      if (competitor.dropped && !(await hasResult(view, contest, personIds))) return refuseNumber(number);
      return { competitor, personIds };
    });
  }
}

const refuseNumber = (number: number): never => {
  const detail = `The contest has no competitor with the number ${number}.`;
  throw new RejectedError({ code: 'person-not-found', detail });
};

const hasResult = async (
  view: ReadView,
  { spaceId, competitionId }: ContestRef,
  ids: ReadonlySet<number>,
): Promise<boolean> => {
  const entered = await view.scan(results, { index: 'byRound', equals: { spaceId, competitionId } });
  return entered.some(({ personIds }) => personIds.some((id) => ids.has(id)));
};

@QueryHandler(GetCompetitor)
export class GetCompetitorHandler implements IQueryHandler<GetCompetitor> {
  constructor(
    private readonly queries: QueryBus,
    private readonly roundViews: RoundViews,
  ) {}

  async execute({ contest, number }: GetCompetitor): Promise<CompetitorInContestView> {
    const { competitor } = await this.queries.execute(new FindCompetitor(contest, number));
    const plan = await this.queries.execute(new GetContestPlan(contest));
    const rounds: { readonly eventId: string; readonly round: RoundView }[] = [];
    const watchedEventIds = new Set(competitor.eventIds);
    for (const { eventId, rounds: planned } of plan.events) {
      for (const { roundNumber } of planned.filter(({ opened, opaque }) => opened && !opaque)) {
        const whole = await this.roundViews.get({ ...contest, eventId, roundNumber });
        const round = whole && ownPartOf(whole, competitor.person.id);
        if (round) rounds.push({ eventId, round });
        // A round without a roster takes everybody.
        if (round || whole?.roster === null) watchedEventIds.add(eventId);
      }
    }
    return { competitor, rounds, watchedEventIds: [...watchedEventIds] };
  }
}

export const competitorHandlers = [HasCompetitorListHandler, FindCompetitorHandler, GetCompetitorHandler];
