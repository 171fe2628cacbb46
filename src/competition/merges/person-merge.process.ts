/**
 * The process manager of merges. It resumes every merge that was begun and is not completed. A merge with a conflict
 * stays open: a moderator removes the conflict in the rounds, then repeats the command.
 */

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { RejectedError } from '../../domain/rejections.js';
import { StreamNames } from '../../domain/streams.js';
import { EventFeed } from '../../foundation/aggregates/event-feed.js';
import {
  EVENT_STORE,
  type EventStore,
  type RecordedEvent,
} from '../../foundation/event-store/event-store.js';
import { ProcessManager, type WorkChange } from '../../foundation/projections/process-manager.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { personStream } from '../aggregates/person/person.events.js';
import { ListMergingPersons } from '../persons/person.queries.js';
import { PersonMerges } from './person-merges.js';

/** The subject is the id of the person who is being merged. */
@Injectable()
export class PersonMergeProcess extends ProcessManager<number> {
  /** A merge may wait up to 30 s for the read models. */
  protected readonly graceMs = 45_000;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(EventFeed) feed: EventFeed,
    @Inject(READ_MODELS) readModels: ReadModels,
    @Inject(PersonMerges) private readonly merges: PersonMerges,
    @Inject(StreamNames) private readonly names: StreamNames,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {
    super({ store, feed, readModels });
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

  protected async complete(personId: number): Promise<void> {
    try {
      await this.merges.complete(personId, { actor: 'system', correlationId: randomUUID() });
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      this.logger.warn(`the merge of person ${personId} stays under way: ${error.message}`);
    }
  }
}
