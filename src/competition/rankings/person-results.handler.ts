/** Answers the results of a person, from the results that the rankings projection stores by participation. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { boardsOfList } from '../../domain/rankings.js';
import { NO_TAGS } from '../../domain/record-tags.js';
import { contestKey } from '../../domain/references.js';
import { bestFirst, boardOf, rankedValue, type ValueKind } from '../../domain/results.js';
import { textOrder } from '../../domain/text-order.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { GetPerson } from '../persons/person.queries.js';
import { PersonDirectory } from '../persons/person-directory.js';
import {
  GetPersonResults,
  type PersonBestsView,
  type PersonBestView,
  type PersonResultsView,
  type PersonResultView,
} from '../persons/person-results.queries.js';
import type { ResultDocument } from '../results/ranking-documents.js';
import { recordTagsOf } from '../results/record-tags.js';
import type { CatalogueDocument } from '../spaces/events.projection.js';
import { eventsOf } from '../spaces/known-events.js';
import { Places } from './places.js';
import { resultsOf } from './ranked-values.js';
import { contextOf } from './ranking-list.js';

@QueryHandler(GetPersonResults)
export class GetPersonResultsHandler implements IQueryHandler<GetPersonResults> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly queries: QueryBus,
    private readonly directory: PersonDirectory,
    private readonly places: Places,
  ) {}

  async execute({ personId }: GetPersonResults): Promise<PersonResultsView> {
    const person = await this.queries.execute(new GetPerson(personId));
    const { events, taken, shown } = await this.readModels.snapshot(async (view) => {
      const found = await resultsOf(view, person.id);
      const catalogue = await eventsOf(view, person.spaceId);
      return {
        events: catalogue,
        taken: found,
        shown: await this.resultViews(view, found, catalogue),
      };
    });
    const inEvents = events.filter(({ eventId }) => taken.some((result) => result.eventId === eventId));
    const bests = inEvents.map((event) => this.bestsOf(event, taken));
    return { ...person, bests: await Promise.all(bests), results: shown };
  }

  private async bestsOf(
    event: CatalogueDocument,
    taken: readonly ResultDocument[],
  ): Promise<PersonBestsView> {
    return {
      eventId: event.eventId,
      single: await this.best(event, taken, 'single'),
      average: await this.best(event, taken, 'average'),
    };
  }

  private async best(
    event: CatalogueDocument,
    taken: readonly ResultDocument[],
    type: ValueKind,
  ): Promise<PersonBestView | null> {
    const { spaceId, eventId } = event;
    const boards = boardsOfList({ spaceId, eventId, type, category: 'all' }, event);
    const ranked = taken.filter((result) => boards.includes(boardOf(result, type) ?? ''));
    const [best] = ranked.sort(bestFirst(type));
    if (!best) return null;
    const { resultId, date, continent, regionCode } = best;
    const value = rankedValue(best, type);
    const regions = [...new Set([null, continent, regionCode])];
    const places = await this.places.of({ spaceId, eventId, type }, value, regions);
    return {
      resultId,
      value,
      date,
      places: regions.map((region, index) => ({ region, place: places[index] ?? 1 })),
    };
  }

  private async resultViews(
    view: ReadView,
    found: readonly ResultDocument[],
    events: readonly CatalogueDocument[],
  ): Promise<readonly PersonResultView[]> {
    const shown = found.toSorted(newestFirst);
    const { persons, contests } = await contextOf(view, this.directory, shown);
    const recordTags = await recordTagsOf(view, shown, events);
    return shown.flatMap((result, index) => {
      const contest = contests.get(contestKey(result));
      if (!contest?.listed) return [];
      const { resultId, competitionId, eventId, roundNumber, best, average, date } = result;
      return [
        {
          resultId,
          competitionId,
          contestName: contest.shortName,
          category: contest.category,
          eventId,
          roundNumber,
          persons: result.personIds.flatMap((id) => persons.get(id) ?? []),
          attempts: result.attempts.map((value) => ({ result: value })),
          best,
          average,
          date,
          recordTags: recordTags[index] ?? NO_TAGS,
        },
      ];
    });
  }
}

/** When a person is in several teams of one round, the id decides: the order of entry is not stored. */
const newestFirst = (a: ResultDocument, b: ResultDocument): number =>
  textOrder(b.date, a.date) ||
  textOrder(a.competitionId, b.competitionId) ||
  textOrder(a.eventId, b.eventId) ||
  b.roundNumber - a.roundNumber ||
  textOrder(a.id, b.id);
