/** Marks competitors of a round's roster, or adds them to it. */

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Receipt, receiptOf } from '../../foundation/aggregates/outcome.js';
import { requireFound } from '../aggregates/person/competitors.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import { factsOf } from '../contests/roster-following.js';
import { CompetitorCommandHandler } from '../persons/competitor-command.handler.js';
import { MarkRoster } from './round.commands.js';
import { contestWith } from './round.handlers.js';

@CommandHandler(MarkRoster)
export class MarkRosterHandler extends CompetitorCommandHandler implements ICommandHandler<MarkRoster> {
  async execute({ round, competitors, context }: MarkRoster): Promise<Receipt> {
    await contestWith(this.aggregates, round);
    const selectors = competitors.map(({ personIds }) => ({ by: 'personId', personIds }) as const);
    const found = await this.competitors.resolve(round.spaceId, selectors);
    requireFound(found, (index) => `competitors[${index}].personIds`);
    const marked = competitors.flatMap(({ mark }, index) => {
      const named = found[index];
      return named === undefined || 'unknown' in named ? [] : [{ personIds: named.personIds, mark }];
    });
    const command = async (): Promise<RoundCommand> => {
      const facts = await factsOf(this.aggregates, round);
      return { type: 'MarkRoster', competitors: marked, facts };
    };
    return receiptOf(await this.aggregates.execute(roundAggregate, round, command, context));
  }
}
