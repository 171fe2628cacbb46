/** Ingestion of log entries. */
import { Module } from '@nestjs/common';
import { EntryReader } from './entry-reader.js';
import { IngestLogsHandler } from './ingest.handlers.js';
import { ListRefusedEntriesHandler } from './refused-entries.handler.js';
import { RefusedLog } from './refused-log.js';

@Module({
  providers: [EntryReader, IngestLogsHandler, ListRefusedEntriesHandler, RefusedLog],
  exports: [EntryReader, RefusedLog],
})
export class IngestModule {}
