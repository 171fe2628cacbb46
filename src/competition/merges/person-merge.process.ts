/**
 * The process manager of merges. It resumes every merge that was begun and is not completed. A merge with a conflict
 * stays open: a moderator removes the conflict in the rounds, then repeats the command.
 */

import { Injectable } from '@nestjs/common';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { ProcessManager, type WorkChange } from '../../foundation/projections/process-manager.js';
import { ProcessServices } from '../../foundation/projections/process-services.js';
import { personStream } from '../aggregates/person/person.events.js';
import { ListMergingPersons } from '../persons/person.queries.js';
import { PersonMerges } from './person-merges.js';

/** The subject is the id of the person who is being merged. */
@Injectable()
export class PersonMergeProcess extends ProcessManager<number> {
  /** A merge may wait up to 30 s for the read models. */
  protected readonly graceMs = 45_000;
  protected readonly underWay = new ListMergingPersons();

  constructor(
    services: ProcessServices,
    private readonly merges: PersonMerges,
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

  protected complete(personId: number, context: CommandContext): Promise<unknown> {
    return this.merges.complete(personId, context);
  }

  protected override leftUndone(personId: number): string {
    return `the merge of person ${personId} was not completed`;
  }
}
