/**
 * The process manager of contest endings. It resumes every ending that was begun and is not recorded as completed.
 */

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import { StreamNames } from '../../domain/streams.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { EventFeed } from '../../foundation/aggregates/event-feed.js';
import {
  EVENT_STORE,
  type EventStore,
  type RecordedEvent,
} from '../../foundation/event-store/event-store.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import { ProcessManager, type WorkChange } from '../../foundation/projections/process-manager.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { contestStream } from '../aggregates/contest/contest.js';
import { ListEndingContests } from './contest.queries.js';
import { completeEnding } from './contest-ending.js';

const ENDED: ReadonlySet<string> = new Set(['ContestFinished', 'ContestDeleted']);

@Injectable()
export class ContestEndingProcess extends ProcessManager<ContestRef> {
  /** An ending takes a few milliseconds. */
  protected readonly graceMs = 5_000;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(EventFeed) feed: EventFeed,
    @Inject(READ_MODELS) readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(StreamNames) private readonly names: StreamNames,
    @Inject(QueryBus) private readonly queries: QueryBus,
    private readonly audit: AuditTrail,
  ) {
    super({ store, feed, readModels });
  }

  protected keyOf(contest: ContestRef): string {
    return this.names.of(contestStream, contest);
  }

  protected workChangeIn({ type, stream }: RecordedEvent): WorkChange<ContestRef> | null {
    if (type !== 'ContestEnding' && !ENDED.has(type)) return null;
    const subject = this.names.idIn(contestStream, stream);
    return subject && { subject, is: type === 'ContestEnding' ? 'begun' : 'ended' };
  }

  protected underWay(): Promise<readonly ContestRef[]> {
    return this.queries.execute(new ListEndingContests());
  }

  protected async complete({ spaceId, competitionId }: ContestRef): Promise<void> {
    const context = { actor: 'system', correlationId: randomUUID() };
    const services = { aggregates: this.aggregates, audit: this.audit };
    await completeEnding(services, { spaceId, competitionId }, context);
  }
}
