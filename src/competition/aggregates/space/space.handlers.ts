/** Command handlers of spaces. Each needs only the stream of the space. */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES, type AggregateRuntime } from '../../../foundation/aggregates/aggregate.js';
import { type Receipt, receiptOf } from '../../../foundation/aggregates/outcome.js';
import { CreateSpace, DefineEvent } from './space.commands.js';
import { spaceAggregate } from './space.decider.js';

@CommandHandler(CreateSpace)
export class CreateSpaceHandler implements ICommandHandler<CreateSpace> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ spaceId, name, events, context }: CreateSpace): Promise<Receipt> {
    const command = { type: 'CreateSpace', spaceId, name, events } as const;
    return receiptOf(await this.aggregates.execute(spaceAggregate, spaceId, command, context));
  }
}

@CommandHandler(DefineEvent)
export class DefineEventHandler implements ICommandHandler<DefineEvent> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  async execute({ spaceId, event, context }: DefineEvent): Promise<Receipt> {
    const command = { type: 'DefineEvent', event } as const;
    return receiptOf(await this.aggregates.execute(spaceAggregate, spaceId, command, context));
  }
}

export const spaceCommandHandlers = [CreateSpaceHandler, DefineEventHandler];
