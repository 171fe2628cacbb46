/**
 * The competitor numbers of a contest. They are stored in the contest's own stream and read from its folded state. So
 * a number is visible as soon as its command is accepted.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { textOrder } from '../../domain/text-order.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { type Competitors, unknownPersons } from '../aggregates/person/competitors.js';
import { PersonDirectory, personView } from '../persons/person-directory.js';
import { persons } from '../persons/persons.projection.js';
import { results } from '../results/ranking-documents.js';
import { NumberCompetitors, TakeNumbers } from './contest.commands.js';
import { requireContest } from './contest.queries.handlers.js';
import { type CompetitorView, ListCompetitors } from './contest.queries.js';
import { ContestCommandHandler } from './contest-command.handler.js';

@CommandHandler(NumberCompetitors)
export class NumberCompetitorsHandler
  extends ContestCommandHandler
  implements ICommandHandler<NumberCompetitors>
{
  async execute({ contest, personIds, context }: NumberCompetitors): Promise<Receipt> {
    const known = await followMerges(this.competitors, contest, personIds);
    const command = { type: 'NumberCompetitors', personIds: known } as const;
    return this.run(contest, command, context);
  }
}

@CommandHandler(TakeNumbers)
export class TakeNumbersHandler extends ContestCommandHandler implements ICommandHandler<TakeNumbers> {
  async execute({ contest, competitors, context }: TakeNumbers): Promise<Receipt> {
    const requested = competitors.map(({ personId }) => personId);
    const known = await followMerges(this.competitors, contest, requested);
    const numbered = competitors.flatMap(({ number }, index) => {
      const personId = known[index];
      return personId === undefined ? [] : [{ personId, number }];
    });
    const command = { type: 'TakeNumbers', competitors: numbered } as const;
    return this.run(contest, command, context);
  }
}

/**
 * Resolves merged persons to the person that they became, in the same order. Throws RejectedError `person-not-found`.
 */
const followMerges = async (
  competitors: Competitors,
  { spaceId }: ContestRef,
  personIds: readonly number[],
): Promise<readonly number[]> => {
  const selectors = personIds.map((personId) => ({ by: 'personId' as const, personIds: [personId] }));
  const found = await competitors.resolve(spaceId, selectors);
  const errors = unknownPersons(found, (index) => `personIds[${index}]`);
  const [first] = errors;
  if (first) throw new RejectedError({ code: 'person-not-found', detail: first.message, errors });
  return found.flatMap((competitor) => ('unknown' in competitor ? [] : competitor.personIds));
};

@QueryHandler(ListCompetitors)
export class ListCompetitorsHandler implements IQueryHandler<ListCompetitors> {
  constructor(
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    private readonly directory: PersonDirectory,
  ) {}

  async execute({ contest }: ListCompetitors): Promise<readonly CompetitorView[]> {
    const { state } = await this.aggregates.load(contestAggregate, contest);
    return this.readModels.snapshot(async (view) => {
      await requireContest(view, contest, true);
      const numbered: Entry[] = [];
      const ownNumbers = new Map<number, number>();
      for (const [id, number] of state.competitorNumbers) {
        const personId = await currentId(view, id);
        const lowest = Math.min(number, ownNumbers.get(personId) ?? number);
        ownNumbers.set(personId, state.competitorNumbers.get(personId) ?? lowest);
        numbered.push({ number, personId });
      }
      const { spaceId, competitionId } = contest;
      const entered = await view.scan(results, { index: 'byRound', equals: { spaceId, competitionId } });
      const called = new Set(numbered.map(({ personId }) => personId));
      const others = new Set(entered.flatMap(({ personIds }) => personIds).filter((id) => !called.has(id)));
      const all = [...numbered, ...[...others].map((personId): Entry => ({ number: null, personId }))];
      const shown = await this.directory.views(
        view,
        all.map(({ personId }) => personId),
      );
      return all
        .map(({ number, personId }) => ({
          number,
          person: shown.get(personId) ?? personView(personId, null, null),
        }))
        .sort(byNumber(ownNumbers));
    });
  }
}

interface Entry {
  readonly number: number | null;
  readonly personId: number;
}

/** Follows merges as far as the read models have recorded them. */
const currentId = async (view: ReadView, personId: number): Promise<number> => {
  const person = await view.get(persons, String(personId));
  return person && person.mergedInto !== null ? currentId(view, person.mergedInto) : personId;
};

/** `own`: by person, the number of the person in the competitor list. */
const byNumber =
  (own: ReadonlyMap<number, number>) =>
  (a: CompetitorView, b: CompetitorView): number => {
    const ownOf = ({ person }: CompetitorView): number => own.get(person.id) ?? Number.MAX_SAFE_INTEGER;
    const placeOf = (view: CompetitorView): number => (view.number === ownOf(view) ? 0 : (view.number ?? 0));
    return (
      ownOf(a) - ownOf(b) ||
      placeOf(a) - placeOf(b) ||
      textOrder(a.person.name, b.person.name) ||
      a.person.id - b.person.id
    );
  };

export const competitorNumberHandlers = [
  NumberCompetitorsHandler,
  TakeNumbersHandler,
  ListCompetitorsHandler,
];
