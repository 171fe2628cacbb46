/** Answers what a person has reached, from the results that the rankings projection keeps by participation. */
import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetPerson } from '../persons/person.queries.js';
import { PersonDirectory, personView } from '../persons/person-directory.js';
import {
  GetPersonResults,
  type PersonResultsView,
  type PersonResultView,
} from '../persons/person-results.queries.js';
import { READ_MODELS, type ReadModels } from '../projections/read-models.js';
import type { ReadView } from '../readmodel/read-model-store.js';
import {
  contestFacts,
  contestKey,
  participations,
  type ResultDocument,
  results,
} from './ranking-documents.js';

@QueryHandler(GetPersonResults)
export class GetPersonResultsHandler implements IQueryHandler<GetPersonResults> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly queries: QueryBus,
    private readonly directory: PersonDirectory,
  ) {}

  async execute({ personId }: GetPersonResults): Promise<PersonResultsView> {
    const person = await this.queries.execute(new GetPerson(personId));
    const shown = await this.readModels.snapshot((view) => resultViews(view, person.id, this.directory));
    return { ...person, results: shown };
  }
}

const resultViews = async (
  view: ReadView,
  personId: number,
  directory: PersonDirectory,
): Promise<readonly PersonResultView[]> => {
  const taken = await view.scan(participations, { index: 'byPerson', equals: { personId } });
  const ids = taken.flatMap((participation) => participation.results);
  const found = (await view.getMany(results, ids)).filter((result) => result !== null);
  const contests = [...new Set(found.map(contestKey))];
  const facts = new Map((await view.getMany(contestFacts, contests)).map((fact) => [fact?.id, fact]));
  const persons = await directory.views(
    view,
    found.flatMap((result) => result.personIds),
  );
  return found.sort(newestFirst).flatMap((result) => {
    const contest = facts.get(contestKey(result));
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
        persons: result.personIds.map((id) => persons.get(id) ?? personView(id, null, null)),
        attempts: result.attempts.map((value) => ({ result: value })),
        best,
        average,
        date,
      },
    ];
  });
};

const newestFirst = (a: ResultDocument, b: ResultDocument): number => {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  if (a.competitionId !== b.competitionId) return a.competitionId < b.competitionId ? -1 : 1;
  if (a.eventId !== b.eventId) return a.eventId < b.eventId ? -1 : 1;
  return b.roundNumber - a.roundNumber;
};
