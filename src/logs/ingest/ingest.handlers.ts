/** Reads a body into entries and appends them. */
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FailureError } from '../../http/problems.js';
import { type AppendedEntries, LOG_STORE, type LogStore } from '../../logstore/log-store.js';
import { EntryReader } from './entry-reader.js';
import { IngestLogs } from './ingest.commands.js';
import { LARGEST_UNPACKED } from './log-body.js';

@CommandHandler(IngestLogs)
export class IngestLogsHandler implements ICommandHandler<IngestLogs> {
  constructor(
    private readonly reader: EntryReader,
    @Inject(LOG_STORE) private readonly store: LogStore,
  ) {}

  async execute({ source, body, onlyProject }: IngestLogs): Promise<AppendedEntries> {
    const packed = await this.reader.read({
      body,
      ground: { source, onlyProject, now: Date.now() * 1_000 },
      known: this.store.catalogue().sources[source],
    });
    if (packed) {
      const appended = await this.store.append(source, packed);
      this.reader.letGo(packed);
      return appended;
    }
    throw new FailureError({
      code: 'body-too-large',
      status: 413,
      detail: `A body may have at most ${LARGEST_UNPACKED} bytes when it is unpacked`,
    });
  }
}
