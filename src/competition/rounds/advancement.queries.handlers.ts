/** Query handlers of advancement. What is decided on comes from the streams, the names from the read models. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { type Prospect, prospectsOf } from '../../domain/advancement.js';
import {
  type AdvancementPlan,
  advancementPlan,
  CONFIRMATIONS,
  differencesIn,
  type NextRoundDifferences,
  NO_DIFFERENCES,
  type PlacedResult,
  QUESTIONS,
} from '../../domain/advancement-plan.js';
import { roundCode } from '../../domain/attempts.js';
import { type RoundKey, roundAfter } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { isComplete } from '../../domain/scoring.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import type { RoundSetup, RoundState } from '../aggregates/round/round.js';
import type { RoundProgress } from '../contests/contest.queries.js';
import { competitorFacts } from '../contests/roster-following.js';
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
import { contestWith } from './round.handlers.js';

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
    const { setup, advanced } = state;
    if (setup === null)
      throw new RejectedError({ code: 'round-state', detail: 'the round was never opened' });
    const after = roundAfter(round);
    const next = contest.rounds.has(roundCode(after))
      ? (await aggregates.load(roundAggregate, after, { fresh: true })).state
      : null;
    const rosters = [state.roster, next?.roster ?? null];
    const facts = await competitorFacts(aggregates, round, { list: contest, rosters });
    const plan = advancementPlan({ round, state, setup, facts });
    const { placed, missing } = plan;
    const differences = next?.roster
      ? differencesIn({ plan, advanced, next: after, roster: next.roster, facts })
      : NO_DIFFERENCES;
    const personIds = [...placed, ...missing].flatMap((each) => each.personIds);
    const persons = await this.readModels.snapshot((view) => this.directory.views(view, personIds));
    const attempts = placed.map((result) => result.attempts);
    const progress = state.roster && progressOf({ missing, attempts, ...setup });
    const named = namedBy(persons, prospectsIn(state.phase, setup, { placed, progress }));
    return {
      progress,
      hasRule: plan.hasRule,
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
      next: next && nextRoundView(after, next, { differences, named }),
    };
  }
}

/** By result id; empty without a roster or a rule. */
const prospectsIn = (
  phase: RoundState['phase'],
  setup: RoundSetup,
  { placed, progress }: Pick<AdvancementPlan, 'placed'> & { readonly progress: RoundProgress | null },
): ReadonlyMap<string, Prospect> => {
  if (progress === null) return new Map();
  const prospects = prospectsOf({
    ...setup,
    results: placed.map(({ attempts }) => attempts),
    absent: progress.expected - progress.entered,
    isOpen: phase === 'open',
  });
  return new Map(prospects?.map((prospect, index) => [placed[index]?.resultId ?? '', prospect]));
};

const nextRoundView = (
  { roundNumber }: RoundKey,
  { setup, results }: RoundState,
  { differences, named }: { readonly differences: NextRoundDifferences; readonly named: Named },
): NextRoundView => ({
  roundNumber,
  opened: setup !== null,
  canUndo: setup !== null && results.size === 0,
  notTaken: named(differences.notTaken),
  notAdvancing: named(differences.notAdvancing),
  reserves: named(differences.reserves),
});

const namedBy =
  (persons: ReadonlyMap<number, PersonView>, prospects: ReadonlyMap<string, Prospect>): Named =>
  (placed) =>
    placed.map(({ resultId, place, personIds }) => ({
      place,
      advancement: prospects.get(resultId) ?? null,
      persons: personIds.flatMap((id) => persons.get(id) ?? []),
    }));

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
