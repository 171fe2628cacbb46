/**
 * The process manager of contest endings. It resumes every ending that was begun and is not recorded as completed.
 */

import { Injectable } from '@nestjs/common';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import { ProcessManager, type WorkChange } from '../../foundation/projections/process-manager.js';
import { ProcessServices } from '../../foundation/projections/process-services.js';
import { contestStream } from '../aggregates/contest/contest.js';
import { ListEndingContests } from './contest.queries.js';
import { completeEnding } from './contest-ending.js';

const ENDED: ReadonlySet<string> = new Set(['ContestFinished', 'ContestDeleted']);

@Injectable()
export class ContestEndingProcess extends ProcessManager<ContestRef> {
  /** An ending takes a few milliseconds. */
  protected readonly graceMs = 5_000;
  protected readonly underWay = new ListEndingContests();

  constructor(
    services: ProcessServices,
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

  protected complete({ spaceId, competitionId }: ContestRef, context: CommandContext): Promise<unknown> {
    const services = { aggregates: this.aggregates, audit: this.audit };
    return completeEnding(services, { spaceId, competitionId }, context);
  }
}
