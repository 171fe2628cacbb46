/**
 * Marks a result as checked. The round itself compares the attempts, in turn with every entry. So a mark never
 * covers an attempt that a device has entered meanwhile.
 */

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Receipt, receiptOf } from '../../foundation/aggregates/outcome.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import { CompetitorCommandHandler } from '../persons/competitor-command.handler.js';
import { entrants, entryPreconditions } from './entry.handlers.js';
import { CheckResult } from './round.commands.js';

@CommandHandler(CheckResult)
export class CheckResultHandler extends CompetitorCommandHandler implements ICommandHandler<CheckResult> {
  async execute({ round, personIds, attempts, context }: CheckResult): Promise<Receipt> {
    await entryPreconditions(this.aggregates, round, context);
    const requested = [{ selector: { by: 'personId', personIds }, field: 'personIds' }] as const;
    const [competitor] = await entrants(this, round, requested);
    if (competitor === undefined) throw new Error('a check of one competitor found none');
    const command: RoundCommand = { type: 'CheckResult', competitor, attempts };
    return receiptOf(await this.aggregates.execute(roundAggregate, round, command, context));
  }
}
