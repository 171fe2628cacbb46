/** What the streams and the read models know of the persons of a merge. */

import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { RoundKey } from '../../domain/references.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { EVENT_STORE, type EventStore, type Position } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { ReadModelUnavailableError } from '../../foundation/read-models/read-model-store.js';
import { type PersonState, personAggregate } from '../aggregates/person/person.decider.js';
import { mergeConflict, roundAggregate } from '../aggregates/round/round.decider.js';
import { ListRoundsOfPerson } from '../persons/person.queries.js';

/** How long to wait for the read models, which know the rounds of a person. */
const CATCH_UP_MS = 30_000;

/** Who the first of a chain is by the merges that are done. */
export const presentIn = (chain: readonly PersonState[]): number => {
  const person = chain.find(({ phase }) => phase !== 'merged');
  if (person === undefined) throw new Error('a merged person is unknown');
  return person.personId;
};

@Injectable()
export class MergingPersons {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly queries: QueryBus,
  ) {}

  /** As its stream has it now. */
  async person(personId: number): Promise<PersonState> {
    return (await this.aggregates.load(personAggregate, personId, { fresh: true })).state;
  }

  /** The person, and those whom they become by merges that have begun, one after the other. */
  async chainFrom(personId: number): Promise<readonly PersonState[]> {
    const chain: PersonState[] = [];
    for (let id: number | null = personId; id !== null && !chain.some((known) => known.personId === id); ) {
      const state: PersonState = await this.person(id);
      chain.push(state);
      id = state.into;
    }
    return chain;
  }

  /** The rounds with a result of the person, by the read models. With `since`, these are waited for until they show it. */
  async roundsOf(personId: number, since?: Position): Promise<readonly RoundKey[]> {
    if (since !== undefined && !(await this.readModels.waitFor(since, CATCH_UP_MS)))
      throw new ReadModelUnavailableError('the read models have not caught up; give the command again');
    return this.queries.execute(new ListRoundsOfPerson(personId));
  }

  /** Those of the rounds in which the two cannot become one. */
  async conflicts(rounds: readonly RoundKey[], from: number, into: number): Promise<readonly RoundKey[]> {
    const conflicts: RoundKey[] = [];
    for (const round of rounds) {
      const { state } = await this.aggregates.load(roundAggregate, round, { fresh: true });
      if (mergeConflict(state, from, into)) conflicts.push(round);
    }
    return conflicts;
  }

  /** Returns whether an interrupted run has already changed a round: then the merge cannot be cancelled. */
  async wasMergedSomewhere(from: number, into: number): Promise<boolean> {
    const position = await this.events.head();
    for (const { personId } of await this.chainFrom(into)) {
      for (const round of await this.roundsOf(personId, position)) {
        const { state } = await this.aggregates.load(roundAggregate, round, { fresh: true });
        if (state.aliases.has(from)) return true;
      }
    }
    return false;
  }
}
