/** Imports and exports of contests. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { competitorImportHandlers } from './importing/competitor-import.handlers.js';
import { CompetitorImportPlanner } from './importing/competitor-import-planner.js';
import { ImportContestsHandler } from './importing/import-contests.handler.js';
import { ImportPlanner } from './importing/import-planner.js';
import { ImportScheduleHandler } from './importing/import-schedule.handler.js';
import { ImportTurns } from './importing/import-turns.js';
import { PreviewImportHandler } from './importing/preview-import.handler.js';

@Module({
  imports: [PersonsModule],
  providers: [
    ImportPlanner,
    ImportTurns,
    ImportContestsHandler,
    ImportScheduleHandler,
    PreviewImportHandler,
    CompetitorImportPlanner,
    ...competitorImportHandlers,
  ],
})
export class ExchangeModule {}
