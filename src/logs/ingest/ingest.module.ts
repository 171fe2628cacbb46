/** Ingestion of log entries. */
import { Module } from '@nestjs/common';
import { EntryReader } from './entry-reader.js';
import { IngestLogsHandler } from './ingest.handlers.js';

@Module({ providers: [EntryReader, IngestLogsHandler], exports: [EntryReader] })
export class IngestModule {}
