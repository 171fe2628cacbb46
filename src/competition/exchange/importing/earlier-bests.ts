/**
 * The bests that the competitors of a file had before its contest. They are learned from files with results and from those
 * that bring registrations only. The previews and the imports use the same comparison, so they agree.
 */
import type { CommandBus } from '@nestjs/cqrs';
import { isNews, type KnownBest } from '../../../domain/known-bests.js';
import type { AggregateRuntime, CommandContext } from '../../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../../foundation/aggregates/outcome.js';
import type { ContestDetails } from '../../aggregates/contest/contest.js';
import { personAggregate } from '../../aggregates/person/person.decider.js';
import { LearnBests } from '../../persons/person.commands.js';
import { allSettled } from './settled.js';

export interface PersonBests {
  /** Negative until the person is registered. */
  readonly personId: number;
  readonly bests: readonly KnownBest[];
}

type Dates = Pick<ContestDetails, 'startDate' | 'endDate'>;

/**
 * Returns the persons who had better bests before the contest than the space knows of. Returns none once the contest is over,
 * because a file then has its results among the bests. Of a person who is not registered yet nothing is known.
 */
export const unknownBests = async (
  inFile: readonly PersonBests[],
  { startDate, endDate }: Dates,
  { aggregates, today }: { readonly aggregates: AggregateRuntime; readonly today: string },
): Promise<readonly PersonBests[]> => {
  if (endDate < today) return [];
  const on = dayBefore(startDate);
  const compared = await allSettled(
    inFile.map(async ({ personId, bests }) => {
      const known = personId > 0 ? await aggregates.load(personAggregate, personId) : null;
      return { personId, bests: bests.filter((best) => isNews(known?.state.bests ?? [], on, best)) };
    }),
  );
  return compared.filter(({ bests }) => bests.length > 0);
};

/** The persons are registered. */
export const learnBests = (
  unknown: readonly PersonBests[],
  { startDate }: Dates,
  { commands, context }: { readonly commands: CommandBus; readonly context: CommandContext },
): Promise<readonly Receipt[]> =>
  allSettled(
    unknown.map(({ personId, bests }) =>
      commands.execute(new LearnBests(personId, dayBefore(startDate), bests, context)),
    ),
  );

/** YYYY-MM-DD */
const dayBefore = (date: string): string =>
  new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);
