/**
 * Imports one contest: finds which parts are stored already and sends commands for the rest. Stored results are
 * replaced only when that was agreed, result by result. So later changes by devices or organisers are kept.
 */

import type { CommandBus } from '@nestjs/cqrs';
import type { RoundRef } from '../../../domain/attempts.js';
import type { ContestRef, RoundKey } from '../../../domain/references.js';
import { RejectedError } from '../../../domain/rejections.js';
import type { AggregateRuntime, CommandContext } from '../../../foundation/aggregates/aggregate.js';
import { AppendTooLargeError } from '../../../foundation/event-store/append-checks.js';
import { hasList } from '../../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../../aggregates/contest/contest.decider.js';
import type { ContestDetails, ContestState } from '../../aggregates/contest/contest.js';
import { roundAggregate } from '../../aggregates/round/round.decider.js';
import type { RoundState } from '../../aggregates/round/round.js';
import { ImportCompetitorList } from '../../contests/competitor-list.commands.js';
import {
  AnnounceContest,
  CreateContest,
  EndContest,
  KeepOpaqueParts,
  TakeNumbers,
} from '../../contests/contest.commands.js';
import { EnterResults, OpenRound } from '../../rounds/round.commands.js';
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
import { learnBests, unknownBests } from './earlier-bests.js';
import type { ContestMembers } from './identity.js';
import { choiceFaults, importActionOf, outcomeOf } from './import-action.js';
import { missingIn, requestedRows } from './list-comparison.js';
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
    return membersOf(this.#aggregates, this.#contest, await this.#state());
  }

  /** Those who are missing in the file's registrations and have results in any round of the contest. */
  async withResults({ before, list }: ContestComparison): Promise<ReadonlySet<number>> {
    const missing = missingIn(list);
    if (missing.length === 0) return new Set();
    const competing = await competingIn(this.#aggregates, this.#contest, before);
    return new Set(missing.filter((personId) => competing.has(personId)));
  }

  async compare(plan: ContestPlan): Promise<ContestComparison> {
    const before = await this.#state();
    const states = await Promise.all(this.#file.rounds.map((round) => this.#round(round)));
    const schedule = await this.#aggregates.load(scheduleAggregate, this.#contest, { fresh: true });
    const bests = await unknownBests(plan.bests(), plan.file.details, {
      aggregates: this.#aggregates,
      today: this.#options.today,
    });
    const stored = { before, states, schedule: schedule.state, bests };
    return compareContest(plan, stored, this.#options.overwriteList ?? false);
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
    await learnBests(comparison.bests, plan.file.details, { commands, context });
    if (comparison.opaque !== null)
      await commands.execute(new KeepOpaqueParts(this.#contest, comparison.opaque, context));
    if (comparison.numbers.length > 0)
      await commands.execute(new TakeNumbers(this.#contest, comparison.numbers, context));
    // With a list, only those on it are entered. Results of those who leave it come before.
    if (hasList(comparison.before)) await this.#list(comparison, { commands, context, keepsMissing: true });
    if (action === 'open' || action === 'finish')
      await allSettled(
        comparison.rounds.map((round) => this.#enterRound(round, plan, { commands, context })),
      );
    if (action === 'replace')
      await allSettled(
        (agreed?.rounds ?? []).map((round) => this.#replaceIn(round, plan, { commands, context })),
      );
    await this.#list(comparison, { commands, context, keepsMissing: false });
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
  async #list(
    { list }: ContestComparison,
    {
      commands,
      context,
      keepsMissing,
    }: Pick<EntryServices, 'commands' | 'context'> & { readonly keepsMissing: boolean },
  ): Promise<void> {
    if (list === null || list.differences.length === 0) return;
    const overwrite = this.#options.overwriteList ?? false;
    const rows = requestedRows(list.rows.map((row) => ({ ...row, number: null })));
    await commands.execute(
      new ImportCompetitorList(this.#contest, rows, { seen: null, overwrite, keepsMissing }, context),
    );
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

/** All persons with a result in a planned round. */
export const competingIn = async (
  aggregates: AggregateRuntime,
  contest: ContestRef,
  { rounds }: Pick<ContestState, 'rounds'>,
): Promise<ReadonlySet<number>> => {
  const states = await allSettled(
    [...rounds.values()].map(({ eventId, roundNumber }) =>
      aggregates.load(roundAggregate, { ...contest, eventId, roundNumber }, { fresh: true }),
    ),
  );
  const results = states.flatMap(({ state }) => [...state.results.values()]);
  return new Set(results.flatMap(({ personIds }) => personIds));
};

export const membersOf = async (
  aggregates: AggregateRuntime,
  contest: ContestRef,
  state: ContestState,
): Promise<ContestMembers> => {
  const competing = await competingIn(aggregates, contest, state);
  return {
    competing: new Set([...state.competitorNumbers.keys(), ...competing]),
    organizing: state.details?.organizerIds ?? [],
  };
};

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
