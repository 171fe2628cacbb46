/**
 * Merges persons in idempotent steps. From PersonMerging on, entries for `from` go to `into`, at other nodes once they have
 * heard of it, which the merge waits for. Then every round with results of `from` gets a CompetitorMerged, and at last
 * both persons' streams record the merge. A merge with a conflict does not begin. A conflict that comes up then cancels it as
 * long as no round was changed. A later one (a device entered a result meanwhile) leaves the merge open and names the
 * rounds; the merge continues when they are corrected.
 *
 * Another node may merge `into` at the same time, and no append spans both. What this merge has brought to `into` before that one's
 * PersonMerged is found by the search that comes after it. What it brings later it carries on itself, and PersonMerged names whom
 * `into` has become.
 */

import { Inject, Injectable } from '@nestjs/common';
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
import { Competitors } from '../aggregates/person/competitors.js';
import { personAggregate, personDecider } from '../aggregates/person/person.decider.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import type { PersonReceipt } from '../persons/person.commands.js';
import { PersonErasure } from '../persons/person-erasure.js';
import { MergingPersons, presentIn } from './merging-persons.js';

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
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly feed: EventFeed,
    private readonly persons: MergingPersons,
    private readonly competitors: Competitors,
    private readonly erasure: PersonErasure,
  ) {}

  /** Begins or resumes a merge. Throws RejectedError `merge-conflict`, `person-state`, `person-not-found`. */
  carryOut({ from, into }: Merge, context: CommandContext): Promise<PersonReceipt> {
    return this.#inTurn(async () => {
      if (!(await this.#hasBegun(from, into))) await this.#begin(from, into, context);
      return this.#carryOn(from, context);
    });
  }

  /** Resumes a merge of this person that was begun. Does nothing when none was begun. */
  complete(from: number, context: CommandContext): Promise<void> {
    return this.#inTurn(async () => {
      if ((await this.persons.person(from)).into !== null) await this.#carryOn(from, context);
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  async #begin(from: number, into: number, context: CommandContext): Promise<void> {
    const begin = { type: 'BeginMerge', into } as const;
    const decision = personDecider.decide(begin, await this.persons.person(from));
    // From its first event on, entries for `from` go to `into`, and stay there when the merge is cancelled.
    if (decision.ok) await this.#refuseConflicts(from, into);
    accepted(await this.aggregates.execute(personAggregate, from, begin, context));
    if ((await this.persons.person(into)).phase !== 'erased') return;
    await this.#cancel(from, into, context);
    throw new RejectedError({ code: 'person-state', detail: `person ${into} is erased` });
  }

  async #carryOn(from: number, context: CommandContext): Promise<PersonReceipt> {
    const caused = await this.aggregates.following(personAggregate, from, 'PersonMerging', context);
    if ((await this.persons.person(from)).phase === 'merging') {
      await this.#refuseCircle(from, caused);
      await this.feed.whenKnownElsewhere();
    }
    for (;;) {
      const { phase, into } = await this.persons.person(from);
      if (into === null)
        throw new RejectedError({
          code: 'person-state',
          detail: `the merge of person ${from} was cancelled`,
        });
      // Once more after PersonMerged: until then, a merge into `from` leaves what it has brought to this one.
      await this.#mergeRounds(from, into, caused);
      const chain = await this.persons.chainFrom(into);
      for (const alias of chain) {
        if (alias.phase !== 'merged' || alias.into === null) continue;
        await this.#mergeRounds(alias.personId, alias.into, caused);
        await this.#handOverAssocId(alias.personId, alias.into);
      }
      const now = presentIn(chain);
      const isRecorded = chain[0]?.absorbed.includes(from);
      if (!isRecorded && (phase === 'merging' || now !== into)) {
        const complete = { type: 'CompleteMerge', into, now } as const;
        accepted(await this.aggregates.execute(personAggregate, from, complete, caused));
        continue;
      }
      const position = await this.#record(from, into, caused);
      if (position !== null) return { personId: into, position };
    }
  }

  /**
   * Merges that began at the same moment may together lead back to `from`. The last of them is cancelled, and any other that
   * notices before it has changed a round.
   */
  async #refuseCircle(from: number, context: CommandContext): Promise<void> {
    const { into } = await this.persons.person(from);
    if (into === null || !(await this.persons.chainFrom(into)).some(({ personId }) => personId === from))
      return;
    // The other merge is the one that came last.
    if (await this.persons.wasMergedSomewhere(from, into)) return;
    await this.#cancel(from, into, context);
    const detail = `person ${into} is being merged into person ${from}`;
    throw new RejectedError({ code: 'person-state', detail });
  }

  /** Null: `into` was merged meanwhile. */
  async #record(from: number, into: number, context: CommandContext): Promise<Position | null> {
    await this.#handOverAssocId(from, into);
    // Here, too: its event ends the merge, and no process begins again what fails after it.
    if ((await this.persons.person(into)).phase === 'erased') await this.erasure.eraseProfiles(from);
    const absorb = { type: 'AbsorbPerson', personId: from } as const;
    const outcome = await this.aggregates.execute(personAggregate, into, absorb, context);
    if (!outcome.ok && (await this.persons.person(into)).phase === 'merged') return null;
    const { state, position } = accepted(outcome);
    if (state.phase === 'erased') await this.erasure.eraseProfiles(from);
    return position;
  }

  /** Returns why the merge would be refused, and the rounds in which both persons have a result. */
  async precheck({ from, into }: Merge): Promise<MergePrecheck> {
    const rounds = await this.persons.roundsOf(from);
    const conflicts = await this.persons.conflicts(rounds, from, into);
    const refusal = await this.#refusal({ from, into }, conflicts);
    return { rounds, conflicts, refusal };
  }

  async #refusal({ from, into }: Merge, conflicts: readonly RoundKey[]): Promise<Rejection | null> {
    try {
      if (!(await this.#hasBegun(from, into))) {
        const decision = personDecider.decide({ type: 'BeginMerge', into }, await this.persons.person(from));
        if (!decision.ok) return decision.rejection;
      }
    } catch (error) {
      if (error instanceof RejectedError) return error.rejection;
      throw error;
    }
    return conflicts.length > 0 ? conflictIn(conflicts, from, into).rejection : null;
  }

  /** A merge that has begun goes on, whatever has become of `into` since. Throws where it must not begin. */
  async #hasBegun(from: number, into: number): Promise<boolean> {
    const [one, other] = [await this.persons.person(from), await this.persons.person(into)];
    if (one.phase === 'none')
      throw new RejectedError({ code: 'person-not-found', detail: `there is no person ${from}` });
    if (other.phase === 'none' || one.spaceId !== other.spaceId) {
      const detail = `there is no person ${into} in the space of person ${from}`;
      throw new RejectedError({ code: 'person-not-found', detail });
    }
    const begun = from === into ? null : one.into;
    if (begun !== null && (begun === into || begun === presentIn(await this.persons.chainFrom(into))))
      return true;
    if (other.phase !== 'registered')
      throw new RejectedError({ code: 'person-state', detail: `person ${into} is ${other.phase}` });
    return false;
  }

  async #cancel(from: number, into: number, context: CommandContext): Promise<void> {
    const cancel = { type: 'CancelMerge', into } as const;
    accepted(await this.aggregates.execute(personAggregate, from, cancel, context));
  }

  async #refuseConflicts(from: number, into: number): Promise<void> {
    const rounds = await this.persons.roundsOf(from, await this.events.head());
    const conflicts = await this.persons.conflicts(rounds, from, into);
    if (conflicts.length > 0) throw conflictIn(conflicts, from, into);
  }

  /** Searches the rounds again until none is left, because an entry in progress may have made a result meanwhile. */
  async #mergeRounds(from: number, into: number, context: CommandContext): Promise<void> {
    let position = await this.events.head();
    let untouched = true;
    for (;;) {
      const rounds = await this.persons.roundsOf(from, position);
      if (rounds.length === 0) return;
      const chain = await this.persons.chainFrom(into);
      const stop = async (where: readonly RoundKey[], other: number): Promise<never> => {
        if (untouched && !(await this.persons.wasMergedSomewhere(from, into)))
          await this.#cancel(from, into, context);
        throw conflictIn(where, from, other);
      };
      for (const { personId } of chain) {
        const conflicts = personId === from ? [] : await this.persons.conflicts(rounds, from, personId);
        if (conflicts.length > 0) await stop(conflicts, personId);
      }
      const now = presentIn(chain);
      let merged = 0;
      for (const round of rounds) {
        const merge = { type: 'MergeCompetitor', from, into: now } as const;
        const outcome = await this.aggregates.execute(roundAggregate, round, merge, context);
        if (!outcome.ok) return stop([round], now);
        merged += outcome.events.length;
        untouched &&= outcome.events.length === 0;
        position = Math.max(position, outcome.position);
      }
      if (merged === 0) return;
    }
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
