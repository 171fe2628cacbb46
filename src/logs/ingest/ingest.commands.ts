/** Writing log entries. */
import { Command } from '@nestjs/cqrs';
import type { BodyToAppend, IngestedEntries } from './append-body.js';

/**
 * Appends all entries of a body or none; of an export of OpenTelemetry and of a push to Loki all that keep the rules. They are on disk when the command
 * returns. Throws RejectedError `invalid-request`, `log-entries`, `token-project`; FailureError 413; LogStoreBusyError,
 * LogStoreUnavailableError.
 */
export class IngestLogs extends Command<IngestedEntries> {
  constructor(readonly given: BodyToAppend) {
    super();
  }
}
