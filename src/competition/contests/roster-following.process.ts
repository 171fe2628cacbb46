/**
 * The process manager of rosters. It lets the rosters of open rounds follow the competitor list where the command that changed the
 * list was interrupted, or a round was opened at the same moment.
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
import {
  ProcessManager,
  ProcessServices,
  type WorkChange,
} from '../../foundation/projections/process-manager.js';
import { contestStream } from '../aggregates/contest/contest.js';
import { concernsRosters, rostersFollow } from '../aggregates/round/roster-following.js';
import { roundStream } from '../aggregates/round/round.js';
import { ListRosteredContests } from './contest.queries.js';

/** Events after which a round takes up a list that may be another one by then. */
const OPENED: ReadonlySet<string> = new Set(['RosterSet', 'RoundReopened']);

/** No event ends this work: following the list once more changes nothing. */
@Injectable()
export class RosterFollowingProcess extends ProcessManager<ContestRef> {
  /** The command that changes a list needs some milliseconds for each open round. */
  protected readonly graceMs = 5_000;

  constructor(
    services: ProcessServices,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {
    super(services);
  }

  protected keyOf({ spaceId, competitionId }: ContestRef): string {
    return this.names.of(contestStream, { spaceId, competitionId });
  }

  protected workChangeIn({ type, stream }: RecordedEvent): WorkChange<ContestRef> | null {
    const subject = concernsRosters(type)
      ? this.names.idIn(contestStream, stream)
      : OPENED.has(type)
        ? this.names.idIn(roundStream, stream)
        : null;
    return subject && { subject, is: 'begun' };
  }

  protected underWay(): Promise<readonly ContestRef[]> {
    return this.queries.execute(new ListRosteredContests());
  }

  protected async complete(contest: ContestRef, context: CommandContext): Promise<void> {
    await rostersFollow(this.aggregates, contest, context);
  }
}
