/**
 * Imports one contest: finds which parts are stored already and sends commands for the rest. Stored results are
 * replaced only when that was agreed, result by result. So later changes by devices or organisers are kept.
 */

import type { CommandBus } from '@nestjs/cqrs';
import type { RoundRef } from '../../../domain/attempts.js';
import type { ContestRef, RoundKey } from '../../../domain/references.js';
import { RejectedError } from '../../../domain/rejections.js';
import type { AggregateRuntime, CommandContext } from '../../../foundation/aggregates/aggregate.js';
import { AppendTooLargeError } from '../../../foundation/event-store/new-events.js';
import { hasList } from '../../aggregates/contest/competitor-list.js';
import { contestAggregate } from '../../aggregates/contest/contest.decider.js';
import type { ContestDetails, ContestState } from '../../aggregates/contest/contest.js';
import { EnterResults, OpenRound } from '../../aggregates/round/round.commands.js';
import { roundAggregate } from '../../aggregates/round/round.decider.js';
import type { RoundState } from '../../aggregates/round/round.js';
import { RegisterCompetitors } from '../../contests/competitor-list.commands.js';
import { AnnounceContest, CreateContest, EndContest, TakeNumbers } from '../../contests/contest.commands.js';
import { ChangeSchedule } from '../../schedule/schedule.commands.js';
import { scheduleAggregate } from '../../schedule/schedule.decider.js';
import type { ContestOutcome, ImportOptions } from '../exchange.commands.js';
import type { ContestFile } from '../formats/contest-file.js';
import {
  type ContestComparison,
  compareContest,
  contentOf,
  type RoundComparison,
  replacements,
} from './contest-comparison.js';
import type { ContestPlan } from './contest-plan.js';
import type { ContestMembers } from './identity.js';
import { choiceFaults, importActionOf, outcomeOf } from './import-action.js';
import { allSettled } from './settled.js';

interface EntryServices {
  readonly commands: CommandBus;
  readonly context: CommandContext;
  /** The comparison of the agreed preview. */
  readonly agreed?: ContestComparison | undefined;
}

export class ContestEntry {
  readonly #file: ContestFile;
  readonly #options: ImportOptions;
  readonly #aggregates: AggregateRuntime;
  readonly #contest: ContestRef;

  constructor(file: ContestFile, options: ImportOptions, aggregates: AggregateRuntime) {
    this.#file = file;
    this.#options = options;
    this.#aggregates = aggregates;
    this.#contest = { spaceId: options.spaceId, competitionId: file.competitionId };
  }

  async present(): Promise<ContestMembers> {
    const { phase, details, competitorNumbers } = await this.#state();
    if (phase === 'none') return { competing: new Set(), organizing: [] };
    const states = await Promise.all(this.#file.rounds.map((round) => this.#round(round)));
    const competing = states.flatMap(({ results }) =>
      [...results.values()].flatMap(({ personIds }) => personIds),
    );
    return {
      competing: new Set([...competitorNumbers.keys(), ...competing]),
      organizing: details?.organizerIds ?? [],
    };
  }

  async compare(plan: ContestPlan): Promise<ContestComparison> {
    const before = await this.#state();
    const rounds = await Promise.all(this.#file.rounds.map((round) => this.#round(round)));
    const schedule = await this.#aggregates.load(scheduleAggregate, this.#contest, { fresh: true });
    return compareContest(plan, before, { rounds, schedule: schedule.state });
  }

  /**
   * Enters what is missing. The persons of the plan are already registered. Replaces results as in `agreed`, and
   * refuses those that changed since.
   */
  async enter(
    plan: ContestPlan,
    { commands, context, agreed }: EntryServices,
  ): Promise<ContestOutcome['outcome']> {
    const comparison = await this.compare(plan);
    // Agreeing to replace results does not include any other change, such as finishing the contest.
    const isReplacing = agreed !== undefined && importActionOf(agreed, this.#options) === 'replace';
    const action = isReplacing ? 'replace' : importActionOf(comparison, this.#options);
    const [undecided] = choiceFaults(this.#file, comparison, this.#options);
    if (undecided) throw new RejectedError({ code: 'contest-state', detail: undecided.reason });
    if (action !== 'leave' && action !== 'end' && action !== 'replace') {
      const planned = plan.rounds().map(({ round }) => round);
      await commands.execute(
        new CreateContest(this.#contest, detailsFor(plan, comparison), planned, context, action),
      );
      await commands.execute(new AnnounceContest(this.#contest, context));
    }
    if (comparison.numbers.length > 0)
      await commands.execute(new TakeNumbers(this.#contest, comparison.numbers, context));
    const register = (): Promise<unknown> => this.#register(comparison, { commands, context });
    // On a new list, the results of the file come first: with the list, only those on it are entered.
    const isListed = hasList(comparison.before);
    if (isListed) await register();
    if (action === 'open' || action === 'finish')
      await allSettled(
        comparison.rounds.map((round) => this.#enterRound(round, plan, { commands, context })),
      );
    if (action === 'replace')
      await allSettled(
        (agreed?.rounds ?? []).map((round) => this.#replaceIn(round, plan, { commands, context })),
      );
    if (!isListed) await register();
    const schedule = comparison.isScheduleNew ? plan.schedule() : null;
    if (schedule !== null)
      await commands.execute(
        new ChangeSchedule(this.#contest, { type: 'ReplaceSchedule', ...schedule }, context),
      );
    if (action === 'end' || action === 'finish')
      await commands.execute(new EndContest(this.#contest, 'finish', context));
    return outcomeOf(action, comparison);
  }

  /** Their numbers are taken already. */
  async #register({ registrations }: ContestComparison, services: EntryServices): Promise<void> {
    if (registrations.length === 0) return;
    const rows = registrations.map(({ personId, eventIds }) => ({
      selector: { by: 'personId', personIds: [personId] } as const,
      number: null,
      eventIds,
    }));
    await services.commands.execute(new RegisterCompetitors(this.#contest, rows, services.context));
  }

  async #enterRound(compared: RoundComparison, plan: ContestPlan, services: EntryServices): Promise<void> {
    const { commands, context } = services;
    const { round } = compared;
    const isEmpty = round.results.length === 0;
    if (compared.state.phase === 'closed' || (isEmpty && this.#options.choice !== 'open')) return;
    const roster = plan.rosterOf(round);
    // Who competes in a later round is known when it is opened from the round before.
    if (roster !== null && round.roundNumber > 1 && isEmpty) return;
    const key = this.#key(round);
    await commands.execute(new OpenRound(key, context, roster ?? undefined));
    if (contentOf(compared) !== 'empty') return;
    const competitors = plan.personIds(round);
    const rows = round.results.map(({ attempts }, index) => ({
      competitor: { by: 'personId', personIds: competitors[index] ?? [] } as const,
      attempts,
    }));
    await enterAll(commands, key, rows, context);
  }

  async #replaceIn(agreed: RoundComparison, plan: ContestPlan, services: EntryServices): Promise<void> {
    const { commands, context } = services;
    const { round } = agreed;
    const competitors = plan.personIds(round);
    const rows = replacements(agreed).map(({ inFile, seen }) => ({
      competitor: { by: 'personId', personIds: competitors[round.results.indexOf(inFile)] ?? [] } as const,
      attempts: inFile.attempts,
      seen,
    }));
    await enterAll(commands, this.#key(round), rows, context);
  }

  #key({ eventId, roundNumber }: RoundRef): RoundKey {
    return { ...this.#contest, eventId, roundNumber };
  }

  async #state(): Promise<ContestState> {
    return (await this.#aggregates.load(contestAggregate, this.#contest, { fresh: true })).state;
  }

  async #round(round: RoundRef): Promise<RoundState> {
    return (await this.#aggregates.load(roundAggregate, this.#key(round), { fresh: true })).state;
  }
}

type Rows = EnterResults['results'];

/** Enters the rows at once, or in halves where they are more than one append takes. */
const enterAll = async (
  commands: CommandBus,
  round: RoundKey,
  rows: Rows,
  context: CommandContext,
): Promise<void> => {
  if (rows.length === 0) return;
  try {
    await commands.execute(new EnterResults(round, rows, context));
  } catch (error) {
    if (!(error instanceof AppendTooLargeError) || rows.length === 1) throw error;
    const half = Math.ceil(rows.length / 2);
    await enterAll(commands, round, rows.slice(0, half), context);
    await enterAll(commands, round, rows.slice(half), context);
  }
};

/** Keeps the stored organizers when they are the same persons, in another order or under ids from before a merge. */
const detailsFor = (plan: ContestPlan, { before, details }: ContestComparison): ContestDetails =>
  before.details !== null && details.length === 0 ? before.details : plan.details();
