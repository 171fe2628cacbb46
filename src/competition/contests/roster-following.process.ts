/**
 * The process manager of rosters. It lets the rosters of open rounds follow the competitor list where the command that changed the
 * list was interrupted, or a round was opened at the same moment.
 */

import { Injectable } from '@nestjs/common';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { ProcessManager, type WorkChange } from '../../foundation/projections/process-manager.js';
import { contestStream } from '../aggregates/contest/contest.js';
import { roundStream } from '../aggregates/round/round.js';
import { ListRosteredContests } from './contest.queries.js';
import { concernsRosters, rostersFollow } from './roster-following.js';

/** Events after which a round takes up a list that may be another one by then. */
const OPENED: ReadonlySet<string> = new Set(['RosterSet', 'RoundReopened']);

/** No event ends this work: following the list once more changes nothing. */
@Injectable()
export class RosterFollowingProcess extends ProcessManager<ContestRef> {
  /** The command that changes a list needs some milliseconds for each open round. */
  protected readonly graceMs = 5_000;
  protected readonly underWay = new ListRosteredContests();

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

  protected complete(contest: ContestRef, context: CommandContext): Promise<unknown> {
    return rostersFollow(this.aggregates, contest, context);
  }
}
