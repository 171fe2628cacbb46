/**
 * Query handlers of the entry desk. The round and its persons come from the read models, the history from the stream.
 */

import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import { categoryOf } from '../../domain/results.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import { definitionOf } from '../aggregates/space/space.events.js';
import { refuseRound, requireContest } from '../contests/contest.queries.handlers.js';
import { ListCompetitors, ListRoundHistory } from '../contests/contest.queries.js';
import { roundPage } from '../contests/contest-page.js';
import type { PersonView } from '../persons/person.queries.js';
import { PersonDirectory, personView } from '../persons/person-directory.js';
import type { EntryAuthors } from '../results/entry-authors.js';
import type { Author, HistoryStep } from '../results/round-history.js';
import { requireEvent } from '../spaces/known-events.js';
import { changeMakers } from './change-makers.js';
import { EntryAuthorsReader } from './entry-authors.reader.js';
import {
  type ChangeMaker,
  type CheckedResult,
  type EntrySheetView,
  GetEntrySheet,
  GetNamedHistory,
  type NamedStepView,
  type Typist,
} from './entry-sheet.queries.js';
import { spentElsewhere } from './spent-elsewhere.js';
import { standingValues } from './standing-values.js';

@QueryHandler(GetEntrySheet)
export class GetEntrySheetHandler implements IQueryHandler<GetEntrySheet> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
    private readonly queries: QueryBus,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly authors: EntryAuthorsReader,
  ) {}

  async execute({ round: key }: GetEntrySheet): Promise<EntrySheetView> {
    const checked = await this.#checked(key);
    const competitors = await this.queries.execute(new ListCompetitors(key));
    const authors = await this.authors.read(key);
    return this.readModels.snapshot(async (view) => {
      const contest = await requireContest(view, key, true);
      const event = definitionOf(await requireEvent(view, key.spaceId, key.eventId));
      const round = (await roundPage(view, contest, key, this.directory)) ?? refuseRound(key);
      const { competitionId, name: contestName, state } = contest;
      const spent = await spentElsewhere(view, key, { ...round, valueFormat: event.format });
      const standing = await standingValues(view, this.directory, {
        spaceId: key.spaceId,
        event,
        category: categoryOf(contest.type),
        format: round.format,
        date: round.date ?? contest.endDate,
        competitors: competitors.map(({ person }) => person),
      });
      const typists = await typistsOf(view, this.operational, authors);
      const cover = { competitionId, contestName, state, event };
      return { ...cover, round, competitors, spentElsewhere: spent, checked, standing, typists };
    });
  }

  /** Reads the round's own stream, as the history does: only entry desks need this, so no projection stores it. */
  async #checked(key: RoundKey): Promise<readonly CheckedResult[]> {
    const { state } = await this.aggregates.load(roundAggregate, key, { fresh: true });
    return state.results
      .toList()
      .filter(({ checked }) => checked)
      .map(({ resultId, attempts }) => ({ resultId, attempts }))
      .toArray();
  }
}

const typistsOf = async (
  view: ReadView,
  operational: OperationalStore,
  { results: entered }: EntryAuthors,
): Promise<readonly Typist[]> => {
  const typed = new Map<string, { author: Author; attempts: Map<string, number[]> }>();
  for (const [resultId, { authors }] of entered) {
    for (const [index, author] of authors.entries()) {
      if (author === null) continue;
      const { actor, keyId, accountId } = author;
      const name = `${actor} ${keyId} ${accountId}`;
      const { attempts } = typed.get(name) ?? { attempts: new Map<string, number[]>() };
      attempts.set(resultId, [...(attempts.get(resultId) ?? []), index + 1]);
      typed.set(name, { author, attempts });
    }
  }
  const authors = [...typed.values()];
  const makerOf = await changeMakers(
    view,
    operational,
    authors.map(({ author }) => author),
  );
  return authors.map(({ author, attempts }) => ({
    by: makerOf(author),
    typed: Array.from(attempts, ([resultId, attemptNumbers]) => ({ resultId, attemptNumbers })),
  }));
};

@QueryHandler(GetNamedHistory)
export class GetNamedHistoryHandler implements IQueryHandler<GetNamedHistory> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    private readonly directory: PersonDirectory,
    private readonly queries: QueryBus,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {}

  async execute({ round, resultId }: GetNamedHistory): Promise<readonly NamedStepView[]> {
    const all = await this.queries.execute(new ListRoundHistory(round));
    const steps =
      resultId === null ? all : all.filter((step) => step.kind === 'result' && step.resultId === resultId);
    return this.readModels.snapshot(async (view) => {
      const personIds = steps.flatMap((step) =>
        step.kind === 'result' ? step.personIds : step.competitors.flat(),
      );
      const persons = await this.directory.views(view, personIds);
      const named = (ids: readonly number[]): readonly PersonView[] =>
        ids.map((id) => persons.get(id) ?? personView(id, null, null));
      return namedSteps(steps, { named, makers: await changeMakers(view, this.operational, steps) });
    });
  }
}

/** Newest first. */
const namedSteps = (
  steps: readonly HistoryStep[],
  {
    named,
    makers,
  }: {
    readonly named: (personIds: readonly number[]) => readonly PersonView[];
    readonly makers: (step: HistoryStep) => ChangeMaker;
  },
): readonly NamedStepView[] => {
  const last = new Map(
    steps.flatMap((step) => (step.kind === 'result' ? [[step.resultId, step.number]] : [])),
  );
  const before = new Map<string, readonly number[]>();
  return steps
    .map((step): NamedStepView => {
      const by = makers(step);
      if (step.kind === 'round') {
        const { kind, change, byList, at, competitors } = step;
        return { kind, change, byList, at, competitors: competitors.map(named), by };
      }
      const { kind, resultId, number, change, attemptNumber, attempts, undoes, at, personIds } = step;
      const shown: NamedStepView = {
        kind,
        resultId,
        number,
        change,
        attemptNumber,
        attempts,
        undoes,
        at,
        persons: named(personIds),
        before: before.get(resultId) ?? [],
        by,
        last: last.get(resultId) === number,
      };
      before.set(resultId, attempts);
      return shown;
    })
    .reverse();
};

export const entrySheetHandlers = [GetEntrySheetHandler, GetNamedHistoryHandler];
