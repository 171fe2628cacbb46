/** Writing log entries. */
import { Command } from '@nestjs/cqrs';
import type { AppendedEntries } from '../../foundation/log-store/log-store.js';
import type { BodyToAppend } from './append-body.js';

/**
 * Appends all entries of a body or none. They are on disk when the command returns. Throws RejectedError
 * `invalid-request`, `log-entries`, `token-project`; FailureError 413; LogStoreBusyError, LogStoreUnavailableError.
 */
export class IngestLogs extends Command<AppendedEntries> {
  constructor(readonly given: BodyToAppend) {
    super();
  }
}
