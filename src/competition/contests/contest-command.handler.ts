/** What the handlers of commands on one contest share: its aggregate, and the persons that a command names. */
import { Inject } from '@nestjs/common';
import type { ContestRef } from '../../domain/references.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import { type ContestCommand, contestAggregate } from '../aggregates/contest/contest.decider.js';
import { Competitors } from '../persons/competitors.js';

export abstract class ContestCommandHandler {
  constructor(
    @Inject(AGGREGATES) protected readonly aggregates: AggregateRuntime,
    @Inject(Competitors) protected readonly competitors: Competitors,
  ) {}

  /** Throws RejectedError when the contest refuses the command. */
  protected async run(
    contest: ContestRef,
    command: ContestCommand,
    context: CommandContext,
  ): Promise<Receipt> {
    const { position } = accepted(await this.aggregates.execute(contestAggregate, contest, command, context));
    return { position };
  }
}
