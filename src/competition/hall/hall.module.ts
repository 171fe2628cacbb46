/** What the hall sees: outlooks of rounds, and screens. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { GetOutlookHandler } from './outlook.queries.js';
import { ChangeScreensHandler } from './screens.handlers.js';
import { screensQueryHandlers } from './screens.queries.js';

@Module({
  imports: [PersonsModule],
  providers: [GetOutlookHandler, ChangeScreensHandler, ...screensQueryHandlers],
})
export class HallModule {}
