/** Contests in and out: imports, exports, and what a first start has in it. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { FirstStart } from './first-start.js';
import { ImportContestsHandler } from './import-contests.handler.js';
import { ImportPlanner } from './import-planner.js';
import { PreviewImportHandler } from './preview-import.handler.js';

@Module({
  imports: [PersonsModule],
  providers: [ImportPlanner, ImportContestsHandler, PreviewImportHandler, FirstStart],
  exports: [FirstStart],
})
export class ExchangeModule {}
