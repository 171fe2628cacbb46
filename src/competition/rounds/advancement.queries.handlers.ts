/** Query handlers of advancement. What is decided on comes from the streams, the names from the read models. */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
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
  missingOf,
  QUESTIONS,
} from '../aggregates/round/advancement-plan.js';
import { membersKey } from '../aggregates/round/competitor-key.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import { contestWith } from '../aggregates/round/round.handlers.js';
import type { RoundState } from '../aggregates/round/round.js';
import { advancingRounds } from '../contests/rosters.projection.js';
import { missingView, progressOf } from '../contests/round-roster.js';
import type { PersonView } from '../persons/person.queries.js';
import { PersonDirectory } from '../persons/person-directory.js';
import {
  type AdvancementView,
  GetAdvancement,
  ListAdvancingRounds,
  type NextRoundView,
  type PlacedCompetitorView,
} from './advancement.queries.js';

interface Placed {
  readonly place: number;
  readonly personIds: readonly number[];
}

/** What is shown, with ids instead of names. */
type Named<T> = (placed: readonly T[]) => readonly PlacedCompetitorView[];

@QueryHandler(GetAdvancement)
export class GetAdvancementHandler implements IQueryHandler<GetAdvancement> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    private readonly directory: PersonDirectory,
  ) {}

  async execute({ round }: GetAdvancement): Promise<AdvancementView> {
    const contest = await contestWith(this.aggregates, round);
    const { state } = await this.aggregates.load(roundAggregate, round, { fresh: true });
    const { setup } = state;
    if (setup === null)
      throw new RejectedError({ code: 'round-state', detail: 'the round was never opened' });
    const plan = advancementPlan(state, setup, round.roundNumber);
    const missing = missingOf(state.roster, plan.placed);
    const next = contest.rounds.has(roundCode(roundAfter(round)))
      ? (await this.aggregates.load(roundAggregate, roundAfter(round), { fresh: true })).state
      : null;
    const shown = [...plan.placed, ...missing, ...(next?.roster?.values() ?? [])];
    const persons = await this.readModels.snapshot((view) =>
      this.directory.views(
        view,
        shown.flatMap(({ personIds }) => personIds),
      ),
    );
    const named = namedBy(persons);
    const attempts = plan.placed.map((result) => result.attempts);
    return {
      progress: state.roster && progressOf({ missing, attempts, ...setup }),
      competitors: named(plan.placed.filter(({ advances }) => advances)),
      toConfirm: CONFIRMATIONS.filter((rule) => plan.toConfirm.has(rule)).map((rule) => ({
        rule,
        message: QUESTIONS[rule],
      })),
      missing: missing.map((entry) => missingView(entry, persons)),
      incomplete: named(plan.placed.filter(({ attempts }) => !isComplete(attempts, setup.rules))),
      next: next && nextRound(roundAfter(round), { plan, advanced: state.advanced, next }, named),
    };
  }
}

const personsOf = (persons: ReadonlyMap<number, PersonView>, ids: readonly number[]): readonly PersonView[] =>
  ids.flatMap((id) => persons.get(id) ?? []);

const namedBy =
  (persons: ReadonlyMap<number, PersonView>): Named<Placed> =>
  (placed) =>
    placed.map(({ place, personIds }) => ({ place, persons: personsOf(persons, personIds) }));

interface Advanced {
  readonly plan: AdvancementPlan;
  readonly advanced: RoundState['advanced'];
  /** The state of the next round. */
  readonly next: RoundState;
}

const nextRound = ({ roundNumber }: RoundKey, of: Advanced, named: Named<Placed>): NextRoundView => {
  const { plan, next } = of;
  const opened = next.setup !== null;
  const roster = opened ? next.roster : null;
  if (roster === null)
    return {
      roundNumber,
      opened,
      canUndo: opened && next.results.size === 0,
      notTaken: [],
      notAdvancing: [],
      reserves: [],
    };
  const isTaken = ({ personIds }: Placed): boolean => roster.has(membersKey(personIds));
  const advances = plan.placed.filter((result) => result.advances);
  const out = plan.placed.filter((result) => !result.advances);
  return {
    roundNumber,
    opened,
    canUndo: next.results.size === 0,
    notTaken: named(advances.filter((result) => !isTaken(result))),
    notAdvancing: named(out.filter(isTaken)),
    reserves: named(reservesOf(of)),
  };
};

/** As many as places are free, best first; a tie for the last of them goes in whole. */
const reservesOf = ({ plan, advanced, next }: Advanced): readonly Placed[] => {
  const competing = next.roster?.count(({ mark }) => mark !== 'quit') ?? 0;
  const free = (advanced?.length ?? 0) - competing;
  const others = plan.placed.filter(
    ({ personIds, best }) => best > 0 && next.roster?.has(membersKey(personIds)) !== true,
  );
  const last = others[free - 1];
  return free <= 0 ? [] : others.filter(({ place }) => last === undefined || place <= last.place);
};

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
