/** Reads a body into entries and appends them. */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { FailureError } from '../../http/problems/failure.js';
import { type AppendServices, appendBody, type IngestedEntries } from './append-body.js';
import { MAX_UNPACKED_BYTES } from './body-codings.js';
import { EntryReader } from './entry-reader.js';
import { IngestLogs } from './ingest.commands.js';
import { MAX_TEXT_BYTES } from './log-body.js';
import { QuotaMeter } from './quota-meter.js';
import { RefusedLog } from './refused-log.js';

@CommandHandler(IngestLogs)
export class IngestLogsHandler implements ICommandHandler<IngestLogs> {
  constructor(
    private readonly reader: EntryReader,
    @Inject(LOG_STORE) private readonly store: LogStore,
    private readonly refused: RefusedLog,
    private readonly quotas: QuotaMeter,
  ) {}

  async execute({ given }: IngestLogs): Promise<IngestedEntries> {
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
