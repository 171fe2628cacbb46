/** Query handlers of advancement. What is decided on comes from the streams, the names from the read models. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Prospect, prospectsOf } from '../../domain/advancement.js';
import { roundCode } from '../../domain/attempts.js';
import { type RoundKey, roundAfter } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { isComplete } from '../../domain/scoring.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import {
  type AdvancementPlan,
  advancementPlan,
  CONFIRMATIONS,
  type PlacedResult,
  QUESTIONS,
  reservesOf,
} from '../aggregates/round/advancement-plan.js';
import { type CompetitorFacts, isKeptOut, presentOf } from '../aggregates/round/competitor-facts.js';
import { membersKey } from '../aggregates/round/competitor-key.js';
import { competitorFacts } from '../aggregates/round/competitor-lookup.js';
import { isGone, presentRoster } from '../aggregates/round/roster.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import { contestWith } from '../aggregates/round/round.handlers.js';
import type { RoundState } from '../aggregates/round/round.js';
import { advancingRounds } from '../contests/rosters.projection.js';
import { missingViews, progressOf } from '../contests/round-roster.js';
import type { PersonView } from '../persons/person.queries.js';
import { PersonDirectory } from '../persons/person-directory.js';
import {
  type AdvancementView,
  GetAdvancement,
  ListAdvancingRounds,
  type NextRoundView,
  type PlacedCompetitorView,
} from './advancement.queries.js';

type Named = (
  placed: readonly Pick<PlacedResult, 'resultId' | 'place' | 'personIds'>[],
) => readonly PlacedCompetitorView[];

@QueryHandler(GetAdvancement)
export class GetAdvancementHandler implements IQueryHandler<GetAdvancement> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    private readonly directory: PersonDirectory,
  ) {}

  async execute({ round }: GetAdvancement): Promise<AdvancementView> {
    const { aggregates } = this;
    const contest = await contestWith(aggregates, round);
    const { state } = await aggregates.load(roundAggregate, round, { fresh: true });
    const { setup } = state;
    if (setup === null)
      throw new RejectedError({ code: 'round-state', detail: 'the round was never opened' });
    const next = contest.rounds.has(roundCode(roundAfter(round)))
      ? (await aggregates.load(roundAggregate, roundAfter(round), { fresh: true })).state
      : null;
    const rosters = [state.roster, next?.roster ?? null];
    const facts = await competitorFacts(aggregates, round, { list: contest, rosters });
    const plan = advancementPlan({ round, state, setup, facts });
    const { placed, missing } = plan;
    const personIds = [...placed, ...missing].flatMap((each) => each.personIds);
    const persons = await this.readModels.snapshot((view) => this.directory.views(view, personIds));
    const attempts = placed.map((result) => result.attempts);
    const progress = state.roster && progressOf({ missing, attempts, ...setup });
    const prospects =
      progress &&
      prospectsOf({
        ...setup,
        results: attempts,
        absent: progress.expected - progress.entered,
        isOpen: state.phase === 'open',
      });
    const named = namedBy(
      persons,
      new Map(placed.map(({ resultId }, index) => [resultId, prospects?.[index]])),
    );
    return {
      progress,
      hasRule: setup.rules.advancement !== null,
      competitors: named(plan.competitors),
      leaving: named(plan.leaving),
      line: named(plan.line),
      places: plan.places,
      most: plan.most,
      toConfirm: CONFIRMATIONS.filter((rule) => plan.toConfirm.has(rule)).map((rule) => ({
        rule,
        message: QUESTIONS[rule],
      })),
      missing: missingViews(missing, persons),
      incomplete: placed
        .filter((result) => !isComplete(result.attempts, setup.rules))
        .flatMap(({ hasQuit, ...result }) => named([result]).map((view) => ({ ...view, hasQuit }))),
      next: next && nextRound(roundAfter(round), { plan, state, next, facts }, named),
    };
  }
}

/** `prospects`: by result id. */
const namedBy =
  (persons: ReadonlyMap<number, PersonView>, prospects: ReadonlyMap<string, Prospect | undefined>): Named =>
  (placed) =>
    placed.map(({ resultId, place, personIds }) => ({
      place,
      advancement: prospects.get(resultId) ?? null,
      persons: personIds.flatMap((id) => persons.get(id) ?? []),
    }));

interface Advanced {
  readonly plan: AdvancementPlan;
  readonly state: RoundState;
  /** The state of the next round. */
  readonly next: RoundState;
  readonly facts: CompetitorFacts;
}

const nextRound = (after: RoundKey, of: Advanced, named: Named): NextRoundView => {
  const { plan, next, facts } = of;
  const opened = next.setup !== null;
  const { roundNumber } = after;
  const canUndo = opened && next.results.size === 0;
  if (!opened || next.roster === null)
    return { roundNumber, opened, canUndo, notTaken: [], notAdvancing: [], reserves: [] };
  const roster = presentRoster(next.roster, presentOf(facts));
  const isTaken = ({ personIds }: PlacedResult): boolean => roster.has(membersKey(personIds));
  const taken = roster.count((entry) => !isGone(entry) && !isKeptOut(entry, after, facts));
  return {
    roundNumber,
    opened,
    canUndo,
    notTaken: named(plan.competitors.filter((result) => !isTaken(result))),
    notAdvancing: named(plan.placed.filter((result) => !result.advances && isTaken(result))),
    reserves: named(
      reservesOf(
        { places: placesOf(of), most: plan.most },
        { taken, line: plan.line.filter((result) => !isTaken(result)) },
      ),
    ),
  };
};

/** Without a rule there are as many places as a moderator has chosen competitors. */
const placesOf = ({ plan, state }: Advanced): number | null =>
  state.setup?.rules.advancement === null ? (state.advanced?.length ?? null) : plan.places;

@QueryHandler(ListAdvancingRounds)
export class ListAdvancingRoundsHandler implements IQueryHandler<ListAdvancingRounds> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<readonly RoundKey[]> {
    const found = await this.readModels.snapshot((view) =>
      view.scan(advancingRounds, { index: 'bySpace', equals: {} }),
    );
    return found.map(({ spaceId, competitionId, eventId, roundNumber }) => ({
      spaceId,
      competitionId,
      eventId,
      roundNumber,
    }));
  }
}

export const advancementQueryHandlers = [GetAdvancementHandler, ListAdvancingRoundsHandler];
