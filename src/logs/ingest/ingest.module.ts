/** Ingestion of log entries. */
import { Module } from '@nestjs/common';
import { EntryReader } from './entry-reader.js';
import { IngestLogsHandler } from './ingest.handlers.js';
import { QuotaMeter } from './quota-meter.js';
import { ListRefusedEntriesHandler } from './refused-entries.handler.js';
import { RefusedLog } from './refused-log.js';

@Module({
  providers: [EntryReader, IngestLogsHandler, ListRefusedEntriesHandler, QuotaMeter, RefusedLog],
  exports: [EntryReader, RefusedLog],
})
export class IngestModule {}
