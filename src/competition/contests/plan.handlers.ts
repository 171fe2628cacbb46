/**
 * The plan of a contest's rounds. An opened round decides by the rules in its own stream, so a changed plan is
 * written to two streams. The round is checked first: its entered results must comply with the new rules.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RoundRef, type RoundRules, roundCode } from '../../domain/attempts.js';
import type { RoundKey } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { contestAggregate, contestDecider } from '../aggregates/contest/contest.decider.js';
import type { PlannedRound } from '../aggregates/contest/contest.js';
import type { RoundPlan } from '../aggregates/contest/contest-rules.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import { eventIn, existingSpace } from '../aggregates/space/event-lookup.js';
import { PlanRound, RemoveRound } from './contest.commands.js';
import { namedRefusal } from './rules-refusal.js';

/**
 * Checks the contest, changes the round, then changes the contest. The round's rules are then changed once more,
 * because another command may have opened it with the old rules meanwhile.
 */
@CommandHandler(PlanRound)
export class PlanRoundHandler implements ICommandHandler<PlanRound> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {}

  async execute({ contest, round: planned, context }: PlanRound): Promise<Receipt> {
    const { spaceId, competitionId } = contest;
    const { eventId, roundNumber, rules } = planned;
    const space = await existingSpace(this.aggregates, spaceId);
    const plan: RoundPlan = { round: planned, valueFormat: eventIn(space, eventId).format };
    const command = { type: 'PlanRound', ...plan } as const;
    const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    const decision = contestDecider.decide(command, state);
    if (!decision.ok) throw new RejectedError(decision.rejection);
    const round: RoundKey = { spaceId, competitionId, eventId, roundNumber };
    await this.#changeRules(round, rules, context);
    const { position } = accepted(await this.aggregates.execute(contestAggregate, contest, command, context));
    return { position: Math.max(position, await this.#changeRules(round, rules, context)) };
  }

  async #changeRules(round: RoundKey, rules: RoundRules, context: CommandContext): Promise<Position> {
    const command = { type: 'ChangeRules', rules } as const;
    const changed = await this.aggregates.execute(roundAggregate, round, command, context);
    if (changed.ok) return changed.position;
    const { state } = await this.aggregates.load(roundAggregate, round);
    throw new RejectedError((await namedRefusal(rules, state, this.operational)) ?? changed.rejection);
  }
}

/**
 * Removes the round from the plan before its stream is closed. So an opening in progress either gets a conflict or is
 * detected. When it is detected, the round is put back into the plan.
 */
@CommandHandler(RemoveRound)
export class RemoveRoundHandler implements ICommandHandler<RemoveRound> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ contest, eventId, roundNumber, context }: RemoveRound): Promise<Receipt> {
    const { spaceId, competitionId } = contest;
    const ref: RoundRef = { eventId, roundNumber };
    const round: RoundKey = { spaceId, competitionId, ...ref };
    const space = await existingSpace(this.aggregates, spaceId);
    const planned = await this.#planned(round);
    const remove = { type: 'RemoveRound', ...ref } as const;
    const { position } = accepted(await this.aggregates.execute(contestAggregate, contest, remove, context));
    const withdraw = { type: 'WithdrawRound' } as const;
    const withdrawn = await this.aggregates.execute(roundAggregate, round, withdraw, context);
    if (withdrawn.ok) return { position: Math.max(position, withdrawn.position) };
    const restore = {
      type: 'PlanRound',
      round: planned,
      valueFormat: eventIn(space, eventId).format,
    } as const;
    accepted(await this.aggregates.execute(contestAggregate, contest, restore, context));
    throw new RejectedError(withdrawn.rejection);
  }

  /** Throws RejectedError when the round is not planned or was opened before. */
  async #planned(round: RoundKey): Promise<PlannedRound> {
    const { state } = await this.aggregates.load(contestAggregate, round, { fresh: true });
    const planned = state.rounds.get(roundCode(round));
    if (planned === undefined) {
      const detail = `contest ${round.competitionId} has no round ${roundCode(round)}`;
      throw new RejectedError({ code: 'round-not-found', detail });
    }
    const { state: opened } = await this.aggregates.load(roundAggregate, round, { fresh: true });
    const decision = roundAggregate.decider.decide({ type: 'WithdrawRound' }, opened);
    if (!decision.ok) throw new RejectedError(decision.rejection);
    return planned;
  }
}
