/**
 * The process manager of contest endings. It resumes every ending that was begun and is not recorded as completed.
 */

import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import {
  ProcessManager,
  ProcessServices,
  type WorkChange,
} from '../../foundation/projections/process-manager.js';
import { contestStream } from '../aggregates/contest/contest.js';
import { ListEndingContests } from './contest.queries.js';
import { completeEnding } from './contest-ending.js';

const ENDED: ReadonlySet<string> = new Set(['ContestFinished', 'ContestDeleted']);

@Injectable()
export class ContestEndingProcess extends ProcessManager<ContestRef> {
  /** An ending takes a few milliseconds. */
  protected readonly graceMs = 5_000;

  constructor(
    services: ProcessServices,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(QueryBus) private readonly queries: QueryBus,
    private readonly audit: AuditTrail,
  ) {
    super(services);
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

  protected async complete({ spaceId, competitionId }: ContestRef, context: CommandContext): Promise<void> {
    const services = { aggregates: this.aggregates, audit: this.audit };
    await completeEnding(services, { spaceId, competitionId }, context);
  }
}
