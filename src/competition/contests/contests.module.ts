/** Contests: their life, their list and their page. */

import { Global, Module } from '@nestjs/common';
import { CONTEST_EXISTS, type ContestExists } from '../../accounts/accounts.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { PersonsModule } from '../persons/persons.module.js';
import { competitorHandlers } from './competitor.handlers.js';
import { competitorListHandlers } from './competitor-list.handlers.js';
import { competitorNumberHandlers } from './competitor-numbers.js';
import { contestCommandHandlers } from './contest.handlers.js';
import { contestQueryHandlers } from './contest.queries.handlers.js';
import { contestOverviewHandlers } from './contest-overview.handlers.js';
import { contestModerationHandlers } from './moderation.queries.handlers.js';
import { InvalidateRoundViews, RoundViews } from './round-views.js';

const contestExists =
  (aggregates: AggregateRuntime): ContestExists =>
  async (contest) =>
    (await aggregates.load(contestAggregate, contest, { fresh: true })).state.phase !== 'none';

/** Global, because accounts are a lower layer than contests and check whether a contest exists. */
@Global()
@Module({
  imports: [PersonsModule],
  providers: [
    { provide: CONTEST_EXISTS, useFactory: contestExists, inject: [AGGREGATES] },
    RoundViews,
    InvalidateRoundViews,
    ...contestQueryHandlers,
    ...contestOverviewHandlers,
    ...competitorHandlers,
    ...contestModerationHandlers,
    ...contestCommandHandlers,
    ...competitorNumberHandlers,
    ...competitorListHandlers,
  ],
  exports: [CONTEST_EXISTS],
})
export class ContestsModule {}
