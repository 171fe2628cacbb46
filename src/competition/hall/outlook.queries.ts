/** The outlook of an open round: the round as its page shows it, and what is known of its competitors from outside it. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { KnownOfCompetitor } from '../../domain/outlook.js';
import { contestKey, membersKey, type RoundKey, roundId } from '../../domain/references.js';
import { type Result, withFacts } from '../../domain/results.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';

import type { EventDefinition } from '../aggregates/space/space.events.js';
import { refuseRound, requireContest } from '../contests/contest.queries.handlers.js';
import type { RoundView } from '../contests/contest.queries.js';
import { roundPage } from '../contests/contest-page.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { contestFacts, personFacts, results, roundFacts } from '../results/ranking-documents.js';
import { spentElsewhere } from '../rounds/spent-elsewhere.js';
import { requireEvent } from '../spaces/known-events.js';
import { awaitedIn, hallKey, type OutlookView, outlooksIn } from './round-outlook.js';
import { standingsOf } from './standings.js';

/**
 * The competitors with open attempts, by place, then those who are expected and have no result, by name; empty for a round that is
 * not open. Throws RejectedError `contest-not-found` (also for drafts and deleted contests unless `includeHidden` is true),
 * `round-not-found`.
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
      const shown = (await roundPage(view, contest, round, this.directory)) ?? refuseRound(round);
      if (!shown.open) return [];
      const event = await requireEvent(view, round.spaceId, round.eventId);
      return outlooksIn(shown, event, await knownOfCompetitors(view, { key: round, shown, event }));
    });
  }
}

interface OpenRound {
  readonly key: RoundKey;
  readonly shown: RoundView;
  readonly event: EventDefinition;
}

/** By `hallKey`. */
const knownOfCompetitors = async (
  view: ReadView,
  round: OpenRound,
): Promise<ReadonlyMap<string, KnownOfCompetitor>> => {
  const { key, shown, event } = round;
  const { spaceId, competitionId, eventId, roundNumber } = key;
  const equals = { spaceId, competitionId, eventId, roundNumber };
  const entered = await view.scan(results, { index: 'byRound', equals });
  const all = [...entered, ...(await awaitedResults(view, round))];
  const standings = await standingsOf(view, all, event);
  const spent = await spentElsewhere(view, key, { ...shown, valueFormat: event.format });
  const spentBy = new Map(spent.map(({ personIds, centiseconds }) => [membersKey(personIds), centiseconds]));
  return new Map(
    all.map(({ resultId, personIds }) => [
      resultId,
      {
        standings: standings.get(resultId) ?? null,
        spentElsewhere: spentBy.get(membersKey(personIds)) ?? 0,
      },
    ]),
  );
};

/** The results, without an attempt, that the awaited competitors would have: what their values would be compared with. */
const awaitedResults = async (
  view: ReadView,
  { key, shown, event }: OpenRound,
): Promise<readonly Result[]> => {
  const awaited = awaitedIn(shown, event);
  const contest = await view.get(contestFacts, contestKey(key));
  const round = await view.get(roundFacts, roundId(key));
  if (!contest || !round) return [];
  const ids = awaited.flatMap(({ personIds }) => personIds);
  const facts = await view.getMany(personFacts, ids.map(String));
  const timelines = new Map(ids.map((id, index) => [id, facts[index]?.timeline ?? null]));
  return awaited.map((competitor) => {
    const { personIds } = competitor;
    const resultId = hallKey(competitor);
    const none = { id: resultId, resultId, enteredFor: personIds, attempts: [], singleAt: 0, averageAt: 0 };
    return withFacts(
      { ...key, personIds, ...none },
      contest,
      round,
      personIds.map((id) => timelines.get(id) ?? null),
    );
  });
};
