/** Commands and the query on saved queries, as the buses carry them. */
import { Command, Query } from '@nestjs/cqrs';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';

/** Saves or replaces. Throws RejectedError `invalid-request`. */
export class SaveLogQuery extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly address: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Idempotent. Throws RejectedError `invalid-request`. */
export class RemoveSavedLogQuery extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

export interface SavedQueryView {
  readonly name: string;
  /** The query as the address of the explorer has it. */
  readonly address: string;
}

/** Ordered by name. */
export class ListSavedLogQueries extends Query<readonly SavedQueryView[]> {}
