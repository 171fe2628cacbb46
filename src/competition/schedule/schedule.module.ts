/** Schedules of contests. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { ChangeScheduleHandler } from './schedule.handlers.js';
import { scheduleQueryHandlers } from './schedule.queries.handlers.js';

@Module({
  imports: [PersonsModule],
  providers: [ChangeScheduleHandler, ...scheduleQueryHandlers],
})
export class ScheduleModule {}
