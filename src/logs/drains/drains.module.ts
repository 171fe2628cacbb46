/** Drains of the logs. The server starts their timer. */
import { Module } from '@nestjs/common';
import { OutgoingObjects } from '../../http/outgoing/outgoing-objects.js';
import { AlertsModule } from '../alerts/alerts.module.js';
import { DownloadsModule } from '../downloads/downloads.module.js';
import { TailModule } from '../tail/tail.module.js';
import { DrainBook } from './drain-book.js';
import { DrainDestinations } from './drain-destinations.js';
import { DrainEntries } from './drain-entries.js';
import { DrainRuns } from './drain-runs.js';
import { Drains } from './drains.js';

@Module({
  // It has what is posted to users' URLs, and the rights of owners.
  imports: [AlertsModule, DownloadsModule, TailModule],
  providers: [OutgoingObjects, DrainBook, DrainDestinations, DrainEntries, DrainRuns, Drains],
  exports: [Drains, DrainBook, DrainEntries, DrainRuns],
})
export class DrainsModule {}
