/** One competitor of a contest: their registration, and their part of each round. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { hasList } from '../aggregates/contest/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { PersonDirectory } from '../persons/person-directory.js';
import {
  type CompetitorInContestView,
  GetCompetitor,
  GetCompetitorList,
  HasCompetitorList,
  type ListedCompetitorView,
} from './competitor-list.commands.js';
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

@QueryHandler(GetCompetitor)
export class GetCompetitorHandler implements IQueryHandler<GetCompetitor> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(QueryBus) private readonly queries: QueryBus,
    private readonly directory: PersonDirectory,
    private readonly roundViews: RoundViews,
  ) {}

  async execute({ contest, number }: GetCompetitor): Promise<CompetitorInContestView> {
    const plan = await this.queries.execute(new GetContestPlan(contest));
    const competitor = await this.#competitor(contest, number);
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

  /** Throws RejectedError `person-not-found`. */
  async #competitor(contest: ContestRef, number: number): Promise<ListedCompetitorView> {
    const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    const numbered = state.personsByNumber.get(number) ?? 0;
    const persons = await this.readModels.snapshot((view) => this.directory.views(view, [numbered]));
    const { competitors } = await this.queries.execute(new GetCompetitorList(contest));
    const found = competitors.find(({ person }) => person.id === persons.get(numbered)?.id);
    if (found) return found;
    const detail = `The contest has no competitor with the number ${number}.`;
    throw new RejectedError({ code: 'person-not-found', detail });
  }
}

export const competitorHandlers = [HasCompetitorListHandler, GetCompetitorHandler];
