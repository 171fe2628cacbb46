/**
 * Merges persons in idempotent steps. From PersonMerging on, entries for `from` go to `into`, at other nodes once they have
 * heard of it, which the merge waits for. Then every round with results of `from` gets a CompetitorMerged, and at last
 * both persons' streams record the merge. A merge with a conflict does not begin. A conflict that comes up then cancels it as
 * long as no round was changed. A later one (a device entered a result meanwhile) leaves the merge open and names the
 * rounds; the merge continues when they are corrected.
 */

import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { roundCode } from '../../domain/attempts.js';
import type { RoundKey } from '../../domain/references.js';
import { RejectedError, type Rejection } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { EventFeed } from '../../foundation/aggregates/event-feed.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { EVENT_STORE, type EventStore, type Position } from '../../foundation/event-store/event-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { ReadModelUnavailableError } from '../../foundation/read-models/read-model-store.js';
import { Competitors } from '../aggregates/person/competitors.js';
import { type PersonState, personAggregate, personDecider } from '../aggregates/person/person.decider.js';
import { mergeConflict, roundAggregate } from '../aggregates/round/round.decider.js';
import type { PersonReceipt } from '../persons/person.commands.js';
import { ListRoundsOfPerson } from '../persons/person.queries.js';
import { PersonErasure } from '../persons/person-erasure.js';

/** How long to wait for the read models, which know the rounds of a person. */
const CATCH_UP_MS = 30_000;

const conflictIn = (rounds: readonly RoundKey[], from: number, into: number): RejectedError => {
  const names = rounds.map((round) => `${round.competitionId} ${roundCode(round)}`);
  const message = `persons ${from} and ${into} both have a result`;
  return new RejectedError({
    code: 'merge-conflict',
    detail: `${message} in ${names.join(', ')}`,
    errors: names.map((field) => ({ field, rule: 'merge-conflict', message })),
  });
};

export interface Merge {
  /** Becomes an alias of `into`. */
  readonly from: number;
  readonly into: number;
}

export interface MergePrecheck {
  /** Every round with a result of `from`. */
  readonly rounds: readonly RoundKey[];
  /** Rounds with results of both persons. */
  readonly conflicts: readonly RoundKey[];
  readonly refusal: Rejection | null;
}

@Injectable()
export class PersonMerges {
  /** Runs one merge at a time, because two merges may change the same person. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly feed: EventFeed,
    private readonly queries: QueryBus,
    private readonly competitors: Competitors,
    private readonly erasure: PersonErasure,
  ) {}

  /** Begins or resumes a merge. Throws RejectedError `merge-conflict`, `person-state`, `person-not-found`. */
  carryOut(merge: Merge, context: CommandContext): Promise<PersonReceipt> {
    return this.#inTurn(() => this.#merge(merge, context));
  }

  /** Resumes a merge of this person that was begun. Does nothing when none was begun. */
  complete(from: number, context: CommandContext): Promise<void> {
    return this.#inTurn(async () => {
      const { phase, into } = await this.#person(from);
      if (into === null) return;
      if (phase === 'merging') await this.#merge({ from, into }, context);
      // Skips the checks on `into`: the merge is already recorded in the stream of `from`.
      else if (phase === 'merged')
        await this.#record({ from, into }, await this.#causedByBeginning(from, context));
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  async #merge({ from, into }: Merge, context: CommandContext): Promise<PersonReceipt> {
    const goesOn = await this.#checkPair(from, into);
    const begin = { type: 'BeginMerge', into } as const;
    const decision = personDecider.decide(begin, await this.#person(from));
    // From its first event on, entries for `from` go to `into`, and stay there when the merge is cancelled.
    if (decision.ok && decision.events.length > 0) await this.#refuseConflicts(from, into);
    accepted(await this.aggregates.execute(personAggregate, from, begin, context));
    const caused = await this.#causedByBeginning(from, context);
    // Another process may have begun to merge `into` at the same moment. Then this merge is cancelled.
    const target = await this.#person(into);
    if (target.phase !== 'registered' && !goesOn) {
      await this.#cancel(from, into, caused);
      throw new RejectedError({ code: 'person-state', detail: `person ${into} is ${target.phase}` });
    }
    await this.feed.whenKnownElsewhere();
    await this.#mergeRounds(from, into, await this.events.head(), caused);
    const complete = { type: 'CompleteMerge', into } as const;
    accepted(await this.aggregates.execute(personAggregate, from, complete, caused));
    return this.#record({ from, into }, caused);
  }

  #causedByBeginning(from: number, context: CommandContext): Promise<CommandContext> {
    return this.aggregates.following(personAggregate, from, 'PersonMerging', context);
  }

  async #record({ from, into }: Merge, context: CommandContext): Promise<PersonReceipt> {
    await this.#handOverAssocId(from, into);
    const absorb = { type: 'AbsorbPerson', personId: from } as const;
    const outcome = await this.aggregates.execute(personAggregate, into, absorb, context);
    const { state, position } = accepted(outcome);
    if (state.phase === 'erased') await this.erasure.eraseProfiles(from);
    return { personId: into, position };
  }

  /** Returns why the merge would be refused, and the rounds in which both persons have a result. */
  async precheck({ from, into }: Merge): Promise<MergePrecheck> {
    const rounds = await this.queries.execute(new ListRoundsOfPerson(from));
    const conflicts = await this.#conflicts(rounds, from, into);
    const refusal = await this.#refusal({ from, into }, conflicts);
    return { rounds, conflicts, refusal };
  }

  async #refusal(merge: Merge, conflicts: readonly RoundKey[]): Promise<Rejection | null> {
    const { from, into } = merge;
    try {
      await this.#checkPair(from, into);
    } catch (error) {
      if (error instanceof RejectedError) return error.rejection;
      throw error;
    }
    const decision = personDecider.decide({ type: 'BeginMerge', into }, await this.#person(from));
    if (!decision.ok) return decision.rejection;
    return conflicts.length > 0 ? conflictIn(conflicts, from, into).rejection : null;
  }

  async #person(personId: number): Promise<PersonState> {
    return (await this.aggregates.load(personAggregate, personId, { fresh: true })).state;
  }

  /** Returns whether a merge into a person who was erased meanwhile continues. */
  async #checkPair(from: number, into: number): Promise<boolean> {
    const [one, other] = [await this.#person(from), await this.#person(into)];
    if (one.phase === 'none')
      throw new RejectedError({ code: 'person-not-found', detail: `there is no person ${from}` });
    if (other.phase === 'none' || one.spaceId !== other.spaceId) {
      const detail = `there is no person ${into} in the space of person ${from}`;
      throw new RejectedError({ code: 'person-not-found', detail });
    }
    // When `into` was erased during the merge, the merge still continues: both records are that person.
    const goesOn = other.phase === 'erased' && one.phase === 'merging' && one.into === into;
    if (other.phase !== 'registered' && !goesOn)
      throw new RejectedError({ code: 'person-state', detail: `person ${into} is ${other.phase}` });
    return goesOn;
  }

  async #cancel(from: number, into: number, context: CommandContext): Promise<void> {
    const cancel = { type: 'CancelMerge', into } as const;
    accepted(await this.aggregates.execute(personAggregate, from, cancel, context));
  }

  async #refuseConflicts(from: number, into: number): Promise<void> {
    const conflicts = await this.#conflicts(await this.#roundsOf(from, await this.events.head()), from, into);
    if (conflicts.length > 0) throw conflictIn(conflicts, from, into);
  }

  /** Searches the rounds again until none is left, because an entry in progress may have made a result meanwhile. */
  async #mergeRounds(from: number, into: number, since: Position, context: CommandContext): Promise<void> {
    let position = since;
    let untouched = true;
    for (;;) {
      const rounds = await this.#roundsOf(from, position);
      if (rounds.length === 0) return;
      const conflicts = await this.#conflicts(rounds, from, into);
      if (conflicts.length > 0) {
        if (untouched && !(await this.#wasMergedSomewhere(from, into)))
          await this.#cancel(from, into, context);
        throw conflictIn(conflicts, from, into);
      }
      let merged = 0;
      for (const round of rounds) {
        const merge = { type: 'MergeCompetitor', from, into } as const;
        const outcome = await this.aggregates.execute(roundAggregate, round, merge, context);
        if (!outcome.ok) throw conflictIn([round], from, into);
        merged += outcome.events.length;
        position = Math.max(position, outcome.position);
      }
      if (merged === 0) return;
      untouched = false;
    }
  }

  async #roundsOf(personId: number, since: Position): Promise<readonly RoundKey[]> {
    if (!(await this.readModels.waitFor(since, CATCH_UP_MS)))
      throw new ReadModelUnavailableError('the read models have not caught up; give the command again');
    return this.queries.execute(new ListRoundsOfPerson(personId));
  }

  async #conflicts(rounds: readonly RoundKey[], from: number, into: number): Promise<readonly RoundKey[]> {
    const conflicts: RoundKey[] = [];
    for (const round of rounds) {
      const { state } = await this.aggregates.load(roundAggregate, round, { fresh: true });
      if (mergeConflict(state, from, into)) conflicts.push(round);
    }
    return conflicts;
  }

  /** Returns whether an interrupted run has already changed a round: then the merge cannot be cancelled. */
  async #wasMergedSomewhere(from: number, into: number): Promise<boolean> {
    for (const round of await this.queries.execute(new ListRoundsOfPerson(into))) {
      const { state } = await this.aggregates.load(roundAggregate, round);
      if (state.aliases.has(from)) return true;
    }
    return false;
  }

  /**
   * Moves the association id to `into` when `into` has none. Otherwise the id stays with `from` and still leads to
   * `into`.
   */
  async #handOverAssocId(from: number, into: number): Promise<void> {
    if (!(await this.operational.handOverAssocId(from, into))) return;
    this.competitors.forget(from);
    this.competitors.forget(into);
  }
}
