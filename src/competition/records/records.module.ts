/** Records: present and former record holders, and the newest records. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { ListRecentRecordsHandler } from './recent.queries.js';
import { recordQueryHandlers } from './record.queries.js';
import { GetRecordFeedHandler } from './record-feed.queries.js';

@Module({
  imports: [PersonsModule],
  providers: [...recordQueryHandlers, ListRecentRecordsHandler, GetRecordFeedHandler],
})
export class RecordsModule {}
