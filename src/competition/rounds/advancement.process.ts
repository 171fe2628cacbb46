/**
 * The process manager of advancement. It opens the next round wherever a round was closed for it and the opening is
 * missing.
 */

import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type RoundKey, roundBefore } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
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
import { roundStream } from '../aggregates/round/round.js';
import { completeAdvancement } from './advancement.handlers.js';
import { ListAdvancingRounds } from './advancement.queries.js';

/** The subject is the round that was closed. */
@Injectable()
export class AdvancementProcess extends ProcessManager<RoundKey> {
  /** An opening takes a few milliseconds. */
  protected readonly graceMs = 5_000;

  constructor(
    services: ProcessServices,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {
    super(services);
  }

  protected keyOf(round: RoundKey): string {
    return this.names.of(roundStream, round);
  }

  protected workChangeIn({ type, stream }: RecordedEvent): WorkChange<RoundKey> | null {
    const round = this.names.idIn(roundStream, stream);
    if (round === null) return null;
    if (type === 'AdvancementDecided') return { subject: round, is: 'begun' };
    if (type === 'RoundReopened') return { subject: round, is: 'ended' };
    const before = roundBefore(round);
    return type === 'RoundOpened' && before ? { subject: before, is: 'ended' } : null;
  }

  protected underWay(): Promise<readonly RoundKey[]> {
    return this.queries.execute(new ListAdvancingRounds());
  }

  /** A contest that has ended meanwhile opens no round: then nothing is left to do. */
  protected async complete(round: RoundKey, context: CommandContext): Promise<void> {
    try {
      await completeAdvancement(this.aggregates, round, context);
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      this.logger.warn(`the round after ${this.keyOf(round)} stays closed: ${error.message}`);
    }
  }
}
