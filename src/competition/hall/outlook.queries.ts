/** The outlook of an open round. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { refuseRound, requireContest } from '../contests/contest.queries.handlers.js';
import { roundPage } from '../contests/contest-page.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { results } from '../results/ranking-documents.js';
import { requireEvent } from '../spaces/known-events.js';
import { type OutlookView, outlooksIn } from './round-outlook.js';
import { standingsOf } from './standings.js';

/**
 * The competitors with open attempts, by place; empty for a round that is not open. Throws RejectedError `contest-not-found` (also
 * for drafts and deleted contests unless `includeHidden` is true), `round-not-found`.
 */
export class GetOutlook extends Query<readonly OutlookView[]> {
  constructor(
    readonly round: RoundKey,
    readonly includeHidden = false,
  ) {
    super();
  }
}

@QueryHandler(GetOutlook)
export class GetOutlookHandler implements IQueryHandler<GetOutlook> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
  ) {}

  execute({ round, includeHidden }: GetOutlook): Promise<readonly OutlookView[]> {
    return this.readModels.snapshot(async (view) => {
      const contest = await requireContest(view, round, includeHidden);
      const { spaceId, competitionId, eventId, roundNumber } = round;
      const shown = (await roundPage(view, contest, round, this.directory)) ?? refuseRound(round);
      if (!shown.open) return [];
      const event = await requireEvent(view, spaceId, eventId);
      const equals = { spaceId, competitionId, eventId, roundNumber };
      const entered = await view.scan(results, { index: 'byRound', equals });
      return outlooksIn(shown, event, await standingsOf(view, entered, event));
    });
  }
}
