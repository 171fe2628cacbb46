/**
 * Ends a contest in idempotent steps: closes every planned round, ends every API key, then records the ending. A
 * round that was never opened is closed too, so that an opening in progress gets a conflict. No attempt can follow
 * the recorded ending in the global order.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted, type Receipt } from '../../foundation/aggregates/outcome.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import { apiKeyAggregate } from '../aggregates/api-key/api-key.decider.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';
import { EndContest } from './contest.commands.js';

/** What an ending needs. */
export interface EndingServices {
  readonly aggregates: AggregateRuntime;
  readonly audit: AuditTrail;
}

/** Resumes an ending that was begun, by this or another process. Does nothing when no ending was begun. */
export const completeEnding = async (
  { aggregates, audit }: EndingServices,
  contest: ContestRef,
  context: CommandContext,
): Promise<Position> => {
  const { state, position } = await aggregates.load(contestAggregate, contest, { fresh: true });
  const { ending } = state;
  if (state.phase !== 'ending' || ending === null) return position;
  const caused = await aggregates.following(contestAggregate, contest, 'ContestEnding', context);
  await Promise.all(
    [...state.rounds.values()].map(async ({ eventId, roundNumber }) => {
      const round = { spaceId: contest.spaceId, competitionId: contest.competitionId, eventId, roundNumber };
      accepted(await aggregates.execute(roundAggregate, round, { type: 'SealRound' }, caused));
    }),
  );
  await Promise.all(
    [...state.keyIds].map(async (keyId) => {
      const end = { type: 'EndApiKey', reason: ending } as const;
      const { state: key } = accepted(await aggregates.execute(apiKeyAggregate, keyId, end, caused));
      // Also one that had ended already: this ending was broken off before it noted that.
      if (key.phase !== 'ended' || key.issued === null) return;
      const { spaceId, competitionId } = contest;
      const details = [`contest=${competitionId}`, `reason=${ending}`];
      await audit.note({ action: 'key-ended', spaceId, subject: keyId, details }, caused);
    }),
  );
  const complete = { type: 'CompleteEnding' } as const;
  return accepted(await aggregates.execute(contestAggregate, contest, complete, caused)).position;
};

/** Completes an ending of the other kind first, when one was begun. */
@CommandHandler(EndContest)
export class EndContestHandler implements ICommandHandler<EndContest> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    private readonly audit: AuditTrail,
  ) {}

  async execute({ contest, ending, context }: EndContest): Promise<Receipt> {
    const services = { aggregates: this.aggregates, audit: this.audit };
    const { state } = await this.aggregates.load(contestAggregate, contest, { fresh: true });
    if (state.phase === 'ending' && state.ending !== ending) await completeEnding(services, contest, context);
    const begin = { type: 'BeginEnding', ending } as const;
    accepted(await this.aggregates.execute(contestAggregate, contest, begin, context));
    return { position: await completeEnding(services, contest, context) };
  }
}
