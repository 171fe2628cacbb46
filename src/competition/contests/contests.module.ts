/** Contests: their life, their list and their page. */
import { Module } from '@nestjs/common';
import { PersonsModule } from '../persons/persons.module.js';
import { competitorNumberHandlers } from './competitor-numbers.js';
import { contestCommandHandlers } from './contest.handlers.js';
import { contestQueryHandlers } from './contest.queries.handlers.js';
import { contestModerationHandlers } from './moderation.queries.handlers.js';
import { RetireRoundViews, RoundViews } from './round-views.js';

@Module({
  imports: [PersonsModule],
  providers: [
    RoundViews,
    RetireRoundViews,
    ...contestQueryHandlers,
    ...contestModerationHandlers,
    ...contestCommandHandlers,
    ...competitorNumberHandlers,
  ],
})
export class ContestsModule {}
