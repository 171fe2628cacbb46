/**
 * The process manager of advancement. It opens the next round wherever a round was closed for it and the opening is
 * missing.
 */

import { Injectable } from '@nestjs/common';
import { type RoundKey, roundBefore } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { RecordedEvent } from '../../foundation/event-store/event-store.js';
import { ProcessManager, type WorkChange } from '../../foundation/projections/process-manager.js';
import { roundStream } from '../aggregates/round/round.js';
import { completeAdvancement } from './advancement.handlers.js';
import { ListAdvancingRounds } from './advancement.queries.js';

/** The subject is the round that was closed. */
@Injectable()
export class AdvancementProcess extends ProcessManager<RoundKey> {
  /** An opening takes a few milliseconds. */
  protected readonly graceMs = 5_000;
  protected readonly underWay = new ListAdvancingRounds();

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

  protected complete(round: RoundKey, context: CommandContext): Promise<unknown> {
    return completeAdvancement(this.aggregates, round, context);
  }

  /** A contest that has ended meanwhile opens no round. */
  protected override leftUndone(round: RoundKey): string {
    return `the round after ${this.keyOf(round)} stays closed`;
  }
}
