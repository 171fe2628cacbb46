/**
 * One contest's way in: what of it is there already, and the commands for the rest. Rounds with results are never
 * touched again, so what devices or organisers did after an import stays as it is.
 */
import type { CommandBus } from '@nestjs/cqrs';
import { AnnounceContest, CreateContest, EndContest } from '../contests/contest.commands.js';
import { type ContestState, contestAggregate } from '../contests/contest.decider.js';
import { type RoundRef, roundCode } from '../domain/attempts.js';
import { sameData } from '../domain/equality.js';
import type { AggregateRuntime } from '../eventstore/aggregate.js';
import type { ContestRef } from '../eventstore/streams.js';
import { EnterResults, OpenRound } from '../rounds/round.commands.js';
import { roundAggregate } from '../rounds/round.decider.js';
import { type RoundState } from '../rounds/round.state.js';
import type { ContestFile, Fault, FileRound } from './contest-file.js';
import { type ContestPlan, compareRound } from './contest-plan.js';
import type { ContestOutcome, ImportContests } from './exchange.commands.js';
import { allSettled } from './settled.js';

interface EntryServices {
  readonly commands: CommandBus;
  readonly aggregates: AggregateRuntime;
}

export class ContestEntry {
  readonly #file: ContestFile;
  readonly #command: ImportContests;
  readonly #services: EntryServices;
  readonly #contest: ContestRef;

  constructor(file: ContestFile, command: ImportContests, services: EntryServices) {
    this.#file = file;
    this.#command = command;
    this.#services = services;
    this.#contest = { spaceId: command.options.spaceId, competitionId: file.competitionId };
  }

  /** Who has a result in this contest already. */
  async present(): Promise<ReadonlySet<number>> {
    if ((await this.#state()).phase === 'none') return new Set();
    const states = await Promise.all(this.#file.rounds.map((round) => this.#round(round)));
    return new Set(
      states.flatMap(({ results }) => [...results.values()].flatMap(({ personIds }) => personIds)),
    );
  }

  /** Why the file cannot go in beside what is there: empty for a new contest, the same one, or a part of it. */
  async conflicts(plan: ContestPlan): Promise<readonly Fault[]> {
    const state = await this.#state();
    const { competitionId } = this.#file;
    const place = {
      file: this.#file.place.file,
      line: this.#file.place.line,
      column: this.#file.place.column,
    };
    if (state.phase === 'none') return [];
    if (state.phase === 'deleted' || state.ending === 'delete')
      return [{ ...place, reason: `contest ${competitionId} was deleted` }];
    if (!isPlanned(plan, state)) {
      return [{ ...place, reason: `contest ${competitionId} is there with other details or rounds` }];
    }
    const faults: Fault[] = [];
    for (const round of this.#file.rounds) {
      const difference = compareRound(round, await this.#round(round), plan);
      const stale = difference === 'empty' && isOver(state);
      if (difference !== 'other' && !stale) continue;
      const { file, line, column } = round.place;
      faults.push({ file, line, column, reason: `round ${roundCode(round)} is there with other results` });
    }
    return faults;
  }

  /** Enters what is missing. The plan's persons are registered by now. */
  async enter(plan: ContestPlan): Promise<ContestOutcome['outcome']> {
    const before = await this.#state();
    const rounds = await Promise.all(
      this.#file.rounds.map(async (round) => ({ round, state: await this.#round(round) })),
    );
    if (before.phase === 'ending') return this.#end('completed');
    if (isOver(before) || (before.phase === 'ongoing' && this.#isAsWanted(rounds, plan))) return 'unchanged';
    const { commands } = this.#services;
    const { options, context } = this.#command;
    const planned = plan.rounds().map(({ round }) => round);
    await commands.execute(new CreateContest(this.#contest, plan.details(), planned, context));
    await commands.execute(new AnnounceContest(this.#contest, context));
    const held = this.#file.rounds.some(({ results }) => results.length > 0);
    if (options.open || held)
      await allSettled(rounds.map(({ round, state }) => this.#enterRound(round, state, plan)));
    // A contest that nobody has competed in yet is not over.
    if (!options.open && !held) return isNew(before) ? begun(before) : 'unchanged';
    return options.open ? begun(before) : this.#end(begun(before));
  }

  async #end(outcome: ContestOutcome['outcome']): Promise<ContestOutcome['outcome']> {
    await this.#services.commands.execute(new EndContest(this.#contest, 'finish', this.#command.context));
    return outcome;
  }

  /** With `open`, ongoing is all that is wanted; a closed round tells that organisers have taken over. */
  #isAsWanted(
    rounds: readonly { readonly round: FileRound; readonly state: RoundState }[],
    plan: ContestPlan,
  ): boolean {
    if (rounds.some(({ state }) => state.phase === 'closed')) return true;
    const complete = rounds.every(
      ({ round, state }) => state.phase === 'open' && compareRound(round, state, plan) === 'same',
    );
    return this.#command.options.open === true && complete;
  }

  async #enterRound(round: FileRound, state: RoundState, plan: ContestPlan): Promise<void> {
    const { commands } = this.#services;
    const { options, context } = this.#command;
    const key = { ...this.#contest, eventId: round.eventId, roundNumber: round.roundNumber };
    if (!options.open && round.results.length === 0) return;
    await commands.execute(new OpenRound(key, context));
    if (compareRound(round, state, plan) !== 'empty') return;
    const competitors = plan.personIds(round);
    const rows = round.results.map(({ attempts }, index) => ({
      competitor: { by: 'personId', personIds: competitors[index] ?? [] } as const,
      attempts,
    }));
    await commands.execute(new EnterResults(key, rows, context));
  }

  async #state(): Promise<ContestState> {
    return (await this.#services.aggregates.load(contestAggregate, this.#contest, { fresh: true })).state;
  }

  async #round({ eventId, roundNumber }: RoundRef): Promise<RoundState> {
    const key = { ...this.#contest, eventId, roundNumber };
    return (await this.#services.aggregates.load(roundAggregate, key, { fresh: true })).state;
  }
}

const isOver = ({ phase }: ContestState): boolean => phase === 'finished' || phase === 'ending';

/** Not announced yet. */
const isNew = ({ phase }: ContestState): boolean => phase === 'none' || phase === 'draft';

const begun = ({ phase }: ContestState): ContestOutcome['outcome'] =>
  phase === 'none' ? 'imported' : 'completed';

const isPlanned = (plan: ContestPlan, state: ContestState): boolean => {
  const planned = plan.rounds();
  return (
    sameData(state.details, plan.details()) &&
    state.rounds.size === planned.length &&
    planned.every(({ round }) => sameData(state.rounds.get(roundCode(round)), round))
  );
};
