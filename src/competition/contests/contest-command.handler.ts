/**
 * The base of the command handlers of a contest: it runs the command on the contest's aggregate and answers with a
 * receipt.
 */
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import { type Receipt, receiptOf } from '../../foundation/aggregates/outcome.js';
import { type ContestCommand, contestAggregate } from '../aggregates/contest/contest.decider.js';
import { CompetitorCommandHandler } from '../persons/competitor-command.handler.js';

export abstract class ContestCommandHandler extends CompetitorCommandHandler {
  /** Throws RejectedError when the contest refuses the command. */
  protected async run(
    contest: ContestRef,
    command: ContestCommand,
    context: CommandContext,
  ): Promise<Receipt> {
    return receiptOf(await this.aggregates.execute(contestAggregate, contest, command, context));
  }
}
