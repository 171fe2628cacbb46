/** The command that adds a source. */
import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { SourceView } from './source.queries.js';

export interface CreatedSource extends Receipt {
  readonly source: SourceView;
  /** False: it was there. */
  readonly isNew: boolean;
}

/**
 * Adds a source of the installation's own, for good. With `inLogsAll` also to the tables of `logs.all`. One that is there stays as
 * it is. Throws RejectedError `invalid-request`, `endpoint-not-found`, `endpoint-changed`, and LogStoreUnavailableError.
 */
export class CreateSource extends Command<CreatedSource> {
  constructor(
    readonly name: string,
    readonly inLogsAll: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}
