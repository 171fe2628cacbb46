/** Contests in and out: imports, exports, and what a first start has in it. */
import { Module } from '@nestjs/common';
import { FirstStart } from '../../app/first-start.js';
import { PersonsModule } from '../persons/persons.module.js';
import { ImportContestsHandler } from './importing/import-contests.handler.js';
import { ImportPlanner } from './importing/import-planner.js';
import { PreviewImportHandler } from './importing/preview-import.handler.js';

@Module({
  imports: [PersonsModule],
  providers: [ImportPlanner, ImportContestsHandler, PreviewImportHandler, FirstStart],
  exports: [FirstStart],
})
export class ExchangeModule {}
