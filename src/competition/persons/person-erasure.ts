/** Erases the profile of a person and of all persons merged into them, because they are the same human being. */
import { Inject, Injectable } from '@nestjs/common';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../../foundation/operational/operational-store.js';
import { Competitors } from '../aggregates/person/competitors.js';
import { personAggregate } from '../aggregates/person/person.decider.js';

@Injectable()
export class PersonErasure {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly competitors: Competitors,
  ) {}

  async eraseProfiles(personId: number, erased: Set<number> = new Set()): Promise<void> {
    if (erased.has(personId)) return;
    erased.add(personId);
    await this.operational.eraseProfile(personId);
    this.competitors.forget(personId);
    const { state } = await this.aggregates.load(personAggregate, personId, { fresh: true });
    for (const alias of state.absorbed) await this.eraseProfiles(alias, erased);
  }
}
