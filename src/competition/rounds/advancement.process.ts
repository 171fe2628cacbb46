/**
 * The process manager of advancement. It opens the next round wherever a round was closed for it and the opening is
 * missing.
 */

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { type RoundKey, roundBefore } from '../../domain/references.js';
import { RejectedError } from '../../domain/rejections.js';
import { StreamNames } from '../../domain/streams.js';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { EventFeed } from '../../foundation/aggregates/event-feed.js';
import {
  EVENT_STORE,
  type EventStore,
  type RecordedEvent,
} from '../../foundation/event-store/event-store.js';
import { ProcessManager, type WorkChange } from '../../foundation/projections/process-manager.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { roundStream } from '../aggregates/round/round.js';
import { completeAdvancement } from './advancement.handlers.js';
import { ListAdvancingRounds } from './advancement.queries.js';

/** The subject is the round that was closed. */
@Injectable()
export class AdvancementProcess extends ProcessManager<RoundKey> {
  /** An opening takes a few milliseconds. */
  protected readonly graceMs = 5_000;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(EventFeed) feed: EventFeed,
    @Inject(READ_MODELS) readModels: ReadModels,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(StreamNames) private readonly names: StreamNames,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {
    super({ store, feed, readModels });
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
  protected async complete(round: RoundKey): Promise<void> {
    try {
      await completeAdvancement(this.aggregates, round, { actor: 'system', correlationId: randomUUID() });
    } catch (error) {
      if (!(error instanceof RejectedError)) throw error;
      this.logger.warn(`the round after ${this.keyOf(round)} stays closed: ${error.message}`);
    }
  }
}
