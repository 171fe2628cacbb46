/** Writing log entries. */
import { Command } from '@nestjs/cqrs';
import type { AppendedEntries } from '../../foundation/log-store/log-store.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { LogBody } from './log-body.js';

/**
 * Appends all entries of a body or none. They are on disk when the command returns. Throws RejectedError
 * `invalid-request`, `log-entries`, `token-project`; FailureError 413; LogStoreBusyError, LogStoreUnavailableError.
 */
export class IngestLogs extends Command<AppendedEntries> {
  constructor(
    readonly source: LogSource,
    readonly body: LogBody,
    /** The only project that the sender may write into; null: any. */
    readonly onlyProject: string | null,
  ) {
    super();
  }
}
