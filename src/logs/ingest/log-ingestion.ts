/** Takes in the log entries of a request's body. */
import { Inject, Injectable } from '@nestjs/common';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { FailureError } from '../../http/problems/failure.js';
import { type AppendServices, appendBody, type BodyToAppend, type IngestedEntries } from './append-body.js';
import { MAX_UNPACKED_BYTES } from './body-codings.js';
import { EntryReader } from './entry-reader.js';
import { MAX_TEXT_BYTES } from './log-body.js';
import { QuotaMeter } from './quota-meter.js';
import { RefusedLog } from './refused-log.js';

@Injectable()
export class LogIngestion {
  constructor(
    private readonly reader: EntryReader,
    @Inject(LOG_STORE) private readonly store: LogStore,
    private readonly refused: RefusedLog,
    private readonly quotas: QuotaMeter,
  ) {}

  /**
   * Appends all entries of a body or none; of an export of OpenTelemetry and of a push to Loki all that keep the rules. They are on disk
   * when it resolves. Throws RejectedError `invalid-request`, `log-entries`, `token-project`; FailureError 413; LogStoreBusyError,
   * LogStoreUnavailableError.
   */
  async append(given: BodyToAppend): Promise<IngestedEntries> {
    const { reader, store, quotas } = this;
    const onRefused: AppendServices['onRefused'] = ({ listed }) => this.refused.note(listed, given);
    const appended = await appendBody({ reader, store, quotas, onRefused }, given);
    if (appended) return appended;
    throw new FailureError({
      code: 'body-too-large',
      status: 413,
      detail: `A body may have at most ${MAX_UNPACKED_BYTES} bytes when it is unpacked, and the texts of its entries ${MAX_TEXT_BYTES}: what entries of an export share counts for each`,
    });
  }
}
