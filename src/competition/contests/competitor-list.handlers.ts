/**
 * The competitor list of a contest: its commands, and the list as clients read it. It is read from the contest's stream, so
 * it shows each command as soon as that is accepted.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
  type LoadOptions,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import type { CompetitorListCommand } from '../aggregates/competitor-list/competitor-list.decider.js';
import { type CompetitorList, united } from '../aggregates/competitor-list/competitor-list.js';
import type { PersonIds } from '../aggregates/competitor-list/competitor-rows.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { requireFound } from '../aggregates/person/competitors.js';
import type { PersonView } from '../persons/person.queries.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { results } from '../results/ranking-documents.js';
import {
  type CompetitorListView,
  GetCompetitorList,
  ImportCompetitorList,
  type ListedCompetitorView,
  MarkCompetitor,
  RegisterCompetitors,
  ReplaceCompetitors,
  type RequestedCompetitor,
} from './competitor-list.commands.js';
import { requireContest } from './contest.queries.handlers.js';
import { ContestCommandHandler } from './contest-command.handler.js';
import { rostersFollow } from './roster-following.js';

// --- commands -------------------------------------------------------------------------------------------------------

abstract class ListCommandHandler extends ContestCommandHandler {
  /** Runs the command, then lets the rosters of open rounds follow. Throws RejectedError when the contest refuses the command. */
  protected async change(
    contest: ContestRef,
    command: CompetitorListCommand,
    context: CommandContext,
  ): Promise<Receipt> {
    const outcome = accepted(await this.aggregates.execute(contestAggregate, contest, command, context));
    const followed = await rostersFollow(this.aggregates, contest, context);
    return { position: Math.max(outcome.position, followed) };
  }

  /**
   * The rows with all ids of their persons. Throws RejectedError `person-not-found`. `fresh`: a person whose merge this node does
   * not know yet would keep the registration under the other id. A whole list names every person that stays, so it needs no more reads.
   */
  protected async identified<R extends RequestedCompetitor>(
    { spaceId }: ContestRef,
    rows: readonly R[],
    how: LoadOptions = {},
  ): Promise<readonly (R & { readonly personIds: PersonIds })[]> {
    const found = await this.competitors.resolve(
      spaceId,
      rows.map(({ selector }) => selector),
      how,
    );
    requireFound(found, (index) => `competitors[${index}].${rows[index]?.selector.by}`);
    const known: (R & { readonly personIds: PersonIds })[] = [];
    for (const [index, row] of rows.entries()) {
      const person = found[index];
      const [personId] = person === undefined || 'unknown' in person ? [] : person.personIds;
      if (personId !== undefined)
        known.push({ ...row, personIds: await this.competitors.idsOf(spaceId, personId, how) });
    }
    return known;
  }
}

@CommandHandler(ReplaceCompetitors)
export class ReplaceCompetitorsHandler
  extends ListCommandHandler
  implements ICommandHandler<ReplaceCompetitors>
{
  async execute({ contest, rows, seen, context }: ReplaceCompetitors): Promise<Receipt> {
    const identified = await this.identified(contest, rows);
    return this.change(contest, { type: 'ReplaceCompetitors', rows: identified, seen }, context);
  }
}

@CommandHandler(ImportCompetitorList)
export class ImportCompetitorListHandler
  extends ListCommandHandler
  implements ICommandHandler<ImportCompetitorList>
{
  async execute({ contest, rows, options, context }: ImportCompetitorList): Promise<Receipt> {
    const identified = await this.identified(contest, rows);
    return this.change(contest, { type: 'ImportCompetitors', rows: identified, ...options }, context);
  }
}

@CommandHandler(RegisterCompetitors)
export class RegisterCompetitorsHandler
  extends ListCommandHandler
  implements ICommandHandler<RegisterCompetitors>
{
  async execute({ contest, rows, context }: RegisterCompetitors): Promise<Receipt> {
    const identified = await this.identified(contest, rows, { fresh: true });
    return this.change(contest, { type: 'RegisterCompetitors', rows: identified }, context);
  }
}

@CommandHandler(MarkCompetitor)
export class MarkCompetitorHandler extends ListCommandHandler implements ICommandHandler<MarkCompetitor> {
  async execute({ contest, personId, mark, context }: MarkCompetitor): Promise<Receipt> {
    const selector = { by: 'personId', personIds: [personId] } as const;
    const rows = [{ selector, number: null, eventIds: [] }];
    const [row] = await this.identified(contest, rows, { fresh: true });
    return this.change(contest, { type: mark, personIds: row?.personIds ?? [] }, context);
  }
}

// --- query ----------------------------------------------------------------------------------------------------------

@QueryHandler(GetCompetitorList)
export class GetCompetitorListHandler implements IQueryHandler<GetCompetitorList> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    private readonly directory: PersonDirectory,
  ) {}

  /** Reads the stream's tail: the reply is cached until the next change, so it must not be older than this one. */
  async execute({ contest, includeHidden }: GetCompetitorList): Promise<CompetitorListView> {
    return this.readModels.snapshot(async (view) => {
      await requireContest(view, contest, includeHidden);
      const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
      const competitors = await listedIn(view, contest, { list: state, directory: this.directory });
      return { competitors, changes: state.listChanges };
    });
  }
}

const listedIn = async (
  view: ReadView,
  { spaceId, competitionId }: ContestRef,
  { list, directory }: { readonly list: CompetitorList; readonly directory: PersonDirectory },
): Promise<readonly ListedCompetitorView[]> => {
  const shown = await directory.views(view, list.registrations.keys());
  const idsOf = new Map<number, number[]>();
  for (const personId of list.registrations.keys()) {
    const id = shown.get(personId)?.id ?? personId;
    idsOf.set(id, [...(idsOf.get(id) ?? [id]), personId]);
  }
  const competing = list.registrations.some(({ state }) => state === 'dropped')
    ? await view.scan(results, { index: 'byRound', equals: { spaceId, competitionId } })
    : [];
  const withResults = new Set(competing.flatMap(({ personIds }) => personIds));
  const listed: ListedCompetitorView[] = [];
  for (const [id, ids] of idsOf) {
    const person = shown.get(ids[1] ?? id);
    const competitor = person && listedAs(list, person, ids);
    if (competitor && (!competitor.dropped || withResults.has(id))) listed.push(competitor);
  }
  return listed.sort((a, b) => a.number - b.number);
};

/** One person of the list. `ids`: all that the person has had. The present one's number counts, else the lowest. Null: not on the list. */
export const listedAs = (
  list: CompetitorList,
  person: PersonView,
  ids: readonly number[],
): ListedCompetitorView | null => {
  const registration = united(list, [...new Set(ids)]);
  const numbers = ids.flatMap((each) => list.competitorNumbers.get(each) ?? []);
  if (registration === null || numbers.length === 0) return null;
  const number = list.competitorNumbers.get(person.id) ?? Math.min(...numbers);
  const { eventIds, state } = registration;
  const isDropped = state === 'dropped';
  return { number, person, eventIds, state: isDropped ? 'withdrawn' : state, dropped: isDropped };
};

export const competitorListHandlers = [
  ReplaceCompetitorsHandler,
  ImportCompetitorListHandler,
  RegisterCompetitorsHandler,
  MarkCompetitorHandler,
  GetCompetitorListHandler,
];
