/** The queries of the contest page: the plan, the podiums with the open rounds, and one round. */

import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { NamingQueryHandler } from '../persons/naming-query.handler.js';
import { requireContest } from './contest.queries.handlers.js';
import {
  type ContestOverviewView,
  type ContestPlanView,
  FindRound,
  GetContestOverview,
  GetContestPlan,
  type OpenRoundView,
  type PlannedRoundView,
  type PodiumView,
  type RoundView,
} from './contest.queries.js';
import { contestPlan } from './contest-page.js';
import { decidingRound, leadersOf, opaquePodium, podiumOf } from './podiums.js';
import { progressIn } from './round-progress.js';
import { RoundViews } from './round-views.js';

@QueryHandler(GetContestPlan)
export class GetContestPlanHandler extends NamingQueryHandler implements IQueryHandler<GetContestPlan> {
  execute({ contest }: GetContestPlan): Promise<ContestPlanView> {
    return this.readModels.snapshot(async (view) =>
      contestPlan(view, await requireContest(view, contest, false), this.directory),
    );
  }
}

@QueryHandler(FindRound)
export class FindRoundHandler implements IQueryHandler<FindRound> {
  constructor(private readonly rounds: RoundViews) {}

  execute({ round }: FindRound): Promise<RoundView | null> {
    return this.rounds.get(round);
  }
}

type EventOfPlan = ContestPlanView['events'][number];

@QueryHandler(GetContestOverview)
export class GetContestOverviewHandler implements IQueryHandler<GetContestOverview> {
  constructor(
    private readonly queries: QueryBus,
    private readonly rounds: RoundViews,
  ) {}

  async execute({ contest }: GetContestOverview): Promise<ContestOverviewView> {
    const plan = await this.queries.execute(new GetContestPlan(contest));
    const openRounds: OpenRoundView[] = [];
    const podiums: PodiumView[] = [];
    for (const event of plan.events) {
      for (const { roundNumber } of event.rounds.filter(({ open }) => open)) {
        const round = await this.rounds.get({ ...contest, eventId: event.eventId, roundNumber });
        if (round) openRounds.push(openRound(event.eventId, round));
      }
      const podium = await this.#podium(contest, plan, event);
      if (podium) podiums.push(podium);
    }
    return { ...plan, openRounds, podiums };
  }

  async #podium(
    contest: ContestRef,
    { state, opaqueRounds }: ContestPlanView,
    { eventId, rounds }: EventOfPlan,
  ): Promise<PodiumView | null> {
    const last: PlannedRoundView | null = decidingRound(rounds, state);
    if (last === null || last.open) return null;
    const { roundNumber } = last;
    if (!last.opaque) {
      const round = await this.rounds.get({ ...contest, eventId, roundNumber });
      return round && podiumOf(eventId, round);
    }
    const opaque = opaqueRounds.find((one) => one.eventId === eventId && one.roundNumber === roundNumber);
    return opaque ? opaquePodium(opaque) : null;
  }
}

const openRound = (eventId: string, round: RoundView): OpenRoundView => ({
  eventId,
  roundNumber: round.roundNumber,
  roundTypeId: round.roundTypeId,
  format: round.format,
  entered: round.results.length,
  progress: round.roster && progressIn(round.roster),
  leaders: leadersOf(round),
});

export const contestOverviewHandlers = [GetContestPlanHandler, FindRoundHandler, GetContestOverviewHandler];
