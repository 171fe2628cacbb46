/**
 * Plans all rounds of one event together. Each step is a separate command on the contest or a round. So all decisions
 * are tried on the current states first, and nothing is appended when one of them is refused.
 */

import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RoundRules, roundCode, type ValueFormat } from '../../domain/attempts.js';
import { MAX_ROUND_NUMBER } from '../../domain/ids.js';
import { type FieldError, invalid, RejectedError, type Rejection } from '../../domain/rejections.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import {
  type ContestCommand,
  contestAggregate,
  contestDecider,
} from '../aggregates/contest/contest.decider.js';
import type { ContestState, PlannedRound } from '../aggregates/contest/contest.js';
import { roundAggregate, roundDecider } from '../aggregates/round/round.decider.js';
import type { RoundState } from '../aggregates/round/round.js';
import { eventIn, existingSpace } from '../aggregates/space/event-lookup.js';
import { PlanEvent, PlanRound, RemoveRound } from './contest.commands.js';
import { namedRefusal } from './rules-refusal.js';

@CommandHandler(PlanEvent)
export class PlanEventHandler implements ICommandHandler<PlanEvent> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly commands: CommandBus,
  ) {}

  async execute({ contest, eventId, rounds, context }: PlanEvent): Promise<Receipt> {
    const event = eventIn(await existingSpace(this.aggregates, contest.spaceId), eventId);
    const { state, position } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    const planned = rounds.map((rules, index): PlannedRound => ({ eventId, roundNumber: index + 1, rules }));
    const surplus = [...state.rounds.values()].filter(
      (round) => round.eventId === eventId && round.roundNumber > rounds.length,
    );
    const dryRun = new DryRun(state);
    if (rounds.length > MAX_ROUND_NUMBER) dryRun.tooMany();
    for (const round of planned) dryRun.plan(round, event.format);
    for (const round of surplus) dryRun.remove(round);
    for (const round of [...planned, ...surplus]) {
      const key = { ...contest, eventId, roundNumber: round.roundNumber };
      const { state: opened } = await this.aggregates.load(roundAggregate, key, { fresh: true });
      dryRun.inRound(round, await this.#refusalIn(opened, rounds[round.roundNumber - 1]));
    }
    dryRun.check();
    let last = position;
    for (const round of planned) {
      const receipt = await this.commands.execute(new PlanRound(contest, round, context));
      last = Math.max(last, receipt.position);
    }
    for (const { roundNumber } of surplus.toReversed()) {
      const receipt = await this.commands.execute(new RemoveRound(contest, eventId, roundNumber, context));
      last = Math.max(last, receipt.position);
    }
    return { position: last };
  }

  /** `rules` undefined: the round leaves the plan. */
  async #refusalIn(state: RoundState, rules: RoundRules | undefined): Promise<Rejection | null> {
    if (rules !== undefined) return namedRefusal(rules, state, this.operational);
    const withdrawn = roundDecider.decide({ type: 'WithdrawRound' }, state);
    return withdrawn.ok ? null : withdrawn.rejection;
  }
}

/** Tries the decisions of several commands in turn and collects all refusals. */
class DryRun {
  readonly #errors: FieldError[] = [];
  #refusal: Rejection | null = null;
  #state: ContestState;

  constructor(state: ContestState) {
    this.#state = state;
  }

  tooMany(): void {
    const message = `must be at most ${MAX_ROUND_NUMBER} rounds`;
    this.#refusal ??= invalid([{ field: 'rounds', rule: 'range', message }]);
  }

  plan(round: PlannedRound, valueFormat: ValueFormat): void {
    this.#decide({ type: 'PlanRound', round, valueFormat }, `rounds[${round.roundNumber - 1}]`);
  }

  remove({ eventId, roundNumber }: PlannedRound): void {
    this.#decide({ type: 'RemoveRound', eventId, roundNumber }, 'rounds');
  }

  inRound(round: PlannedRound, refusal: Rejection | null): void {
    if (refusal === null) return;
    const { code, detail, errors } = refusal;
    const field = `rounds[${round.roundNumber - 1}]`;
    const named = errors?.map((error) => ({ ...error, field: `${field}.${error.field}` })) ?? [
      { field, rule: code, message: detail },
    ];
    this.#errors.push(...named);
    this.#refusal ??= { code, detail: `${roundCode(round)}: ${detail}` };
  }

  /** Throws RejectedError with the first refusal and the fields of all refusals. */
  check(): void {
    if (this.#refusal === null) return;
    const { code, detail, errors = this.#errors } = this.#refusal;
    throw new RejectedError({ code, detail, errors: this.#errors.length > 0 ? this.#errors : errors });
  }

  #decide(command: ContestCommand, field: string): void {
    const decision = contestDecider.decide(command, this.#state);
    if (decision.ok) {
      this.#state = decision.events.reduce(contestDecider.evolve, this.#state);
      return;
    }
    const { code, detail, errors = [] } = decision.rejection;
    const named = errors.map((error) => ({ ...error, field: `${field}.${error.field}` }));
    this.#errors.push(...named);
    this.#refusal ??= named.length > 0 ? invalid(named) : { code, detail };
  }
}
