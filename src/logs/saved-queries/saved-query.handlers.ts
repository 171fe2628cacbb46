/** Saving, removing and listing the queries of the log explorer. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { invalid, RejectedError } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { type Receipt, receiptOf } from '../../foundation/aggregates/outcome.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { savedQueries } from './saved-queries.projection.js';
import {
  ListSavedLogQueries,
  RemoveSavedLogQuery,
  type SavedQueryView,
  SaveLogQuery,
} from './saved-query.commands.js';
import { isSavedQueryName, type SavedQueryCommand, savedQueryAggregate } from './saved-query.decider.js';

@Injectable()
class SavedQueryHandler {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  /** Throws RejectedError `invalid-request`. */
  protected async run(name: string, command: SavedQueryCommand, context: CommandContext): Promise<Receipt> {
    if (!isSavedQueryName(name)) {
      const message = 'must be 1 to 100 letters, digits, ., _ or -, and begin with a letter or digit';
      throw new RejectedError(invalid([{ field: 'name', rule: 'pattern', message }]));
    }
    return receiptOf(await this.aggregates.execute(savedQueryAggregate, name, command, context));
  }
}

@CommandHandler(SaveLogQuery)
export class SaveLogQueryHandler extends SavedQueryHandler implements ICommandHandler<SaveLogQuery> {
  execute({ name, address, context }: SaveLogQuery): Promise<Receipt> {
    return this.run(name, { type: 'SaveLogQuery', address }, context);
  }
}

@CommandHandler(RemoveSavedLogQuery)
export class RemoveSavedLogQueryHandler
  extends SavedQueryHandler
  implements ICommandHandler<RemoveSavedLogQuery>
{
  execute({ name, context }: RemoveSavedLogQuery): Promise<Receipt> {
    return this.run(name, { type: 'RemoveSavedLogQuery' }, context);
  }
}

@QueryHandler(ListSavedLogQueries)
export class ListSavedLogQueriesHandler implements IQueryHandler<ListSavedLogQueries> {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async execute(): Promise<readonly SavedQueryView[]> {
    const all = await this.readModels.snapshot((view) =>
      view.scan(savedQueries, { index: 'byName', equals: {} }),
    );
    return all.map(({ name, address }) => ({ name, address }));
  }
}

export const savedQueryHandlers = [
  SaveLogQueryHandler,
  RemoveSavedLogQueryHandler,
  ListSavedLogQueriesHandler,
];
