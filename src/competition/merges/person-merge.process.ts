/**
 * The process manager of merges. It resumes every merge that was begun and is not completed. A merge with a conflict
 * stays open: a moderator removes the conflict in the rounds, then repeats the command.
 */

import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RejectedError } from '../../domain/rejections.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import {
  ProcessManager,
  ProcessServices,
  type WorkChange,
} from '../../foundation/projections/process-manager.js';
import { personStream } from '../aggregates/person/person.events.js';
import { ListMergingPersons } from '../persons/person.queries.js';
import { PersonMerges } from './person-merges.js';

/** The subject is the id of the person who is being merged. */
@Injectable()
export class PersonMergeProcess extends ProcessManager<number> {
  /** A merge may wait up to 30 s for the read models. */
  protected readonly graceMs = 45_000;

  constructor(
    services: ProcessServices,
    @Inject(PersonMerges) private readonly merges: PersonMerges,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {
    super(services);
  }

  protected keyOf(personId: number): string {
    return this.names.of(personStream, personId);
  }

  protected workChangeIn({ type, stream, data }: RecordedEvent): WorkChange<number> | null {
    const personId = this.names.idIn(personStream, stream);
    if (personId === null) return null;
    if (type === 'PersonMerging') return { subject: personId, is: 'begun' };
    if (type === 'PersonMergeCancelled') return { subject: personId, is: 'ended' };
    return type === 'PersonAbsorbed' ? { subject: Number(Object(data).personId), is: 'ended' } : null;
  }

  protected underWay(): Promise<readonly number[]> {
    return this.queries.execute(new ListMergingPersons());
  }

  protected async complete(personId: number, context: CommandContext): Promise<void> {
    try {
      await this.merges.complete(personId, context);
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      this.logger.warn(`the merge of person ${personId} stays under way: ${error.message}`);
    }
  }
}
