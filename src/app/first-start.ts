/**
 * Prepares a server before it first answers. It creates the default space and the well-known log endpoints when
 * they are missing. An event store that was empty gets the sample, if wanted. An interrupted sample is
 * completed at the next start. Of several nodes that start together, the owner of the log store loads it,
 * because two would create the same persons twice.
 */

import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { contestAggregate } from '../competition/aggregates/contest/contest.decider.js';
import { CreateSpace } from '../competition/aggregates/space/space.commands.js';
import { spaceStream } from '../competition/aggregates/space/space.events.js';
import { OFFICIAL_EVENTS } from '../competition/spaces/catalogue.js';
import { DEFAULT_SPACE } from '../domain/ids.js';
import { StreamNames } from '../domain/streams.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../foundation/aggregates/aggregate.js';
import { CONFIG, type PodiumConfig } from '../foundation/config.js';
import { EVENT_STORE, type EventStore } from '../foundation/event-store/event-store.js';
import { owningNode } from '../foundation/log-store/log-owner.js';
import { LOG_STORE, type LogStore, LogStoreUnavailableError } from '../foundation/log-store/log-store.js';
import { LossGuard } from '../foundation/losses/loss-guard.js';
import { SeedEndpoints } from '../logs/endpoints/endpoint.commands.js';
import { IssueToken } from '../logs/tokens/token.commands.js';
import type { SampleLogSummary, SampleSummary } from './generators/sample.js';

/** In the metadata of all events that the first start writes. */
const SAMPLE_RUN: CommandContext = { actor: 'system', correlationId: 'first-start-with-sample' };
const EMPTY_RUN: CommandContext = { actor: 'system', correlationId: 'first-start' };

/** Two days, so that every interval of the usage counts has data. */
const SAMPLE_LOGS = { entries: 6_000, seed: 1, days: 2 };

@Injectable()
export class FirstStart {
  constructor(
    private readonly commands: CommandBus,
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly guard: LossGuard,
    private readonly names: StreamNames,
    @Inject(LOG_STORE) private readonly logStore: LogStore,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logStoreUrl'>,
  ) {}

  /** Returns the sample when this call has loaded it, else null. */
  async prepare({ sample }: { readonly sample: boolean }): Promise<SampleSummary | null> {
    // A store that has lost its events is not a new one.
    if (this.guard.reason !== null) return null;
    if ((await this.#firstRun()) === undefined) {
      const context = sample && (await this.#isNew()) ? SAMPLE_RUN : EMPTY_RUN;
      await this.commands.execute(new CreateSpace(DEFAULT_SPACE, 'Default', OFFICIAL_EVENTS, context));
    }
    await this.commands.execute(new SeedEndpoints(EMPTY_RUN));
    if (!sample || owningNode(this.config.logStoreUrl)) return null;
    // Read again: another node may have been first.
    const begun = (await this.#firstRun()) === SAMPLE_RUN.correlationId;
    if (!begun || (await this.#isComplete())) return null;
    const logs = await this.#sampleLogs();
    const { loadSample } = await import('./generators/sample.js');
    return { ...(await loadSample(this.commands, SAMPLE_RUN)), logs };
  }

  /** Returns the run that created the default space. */
  async #firstRun(): Promise<string | undefined> {
    const stream = this.names.of(spaceStream, DEFAULT_SPACE);
    const [first] = (await this.eventStore.readStream(stream, { limit: 1 })) ?? [];
    return first?.metadata.correlationId;
  }

  /** Returns null when the log store is unavailable. */
  async #sampleLogs(): Promise<SampleLogSummary | null> {
    try {
      const { appendSampleLogs } = await import('./generators/logs/sample-logs.js');
      const { SAMPLE_PROJECTS } = await import('./generators/logs/sample-projects.js');
      const options = { ...SAMPLE_LOGS, until: Date.now() * 1_000 };
      const { accepted } = await appendSampleLogs(this.logStore, options);
      const project = SAMPLE_PROJECTS[0]?.ref ?? '';
      const request = { name: 'Sample', scopes: ['query'], project };
      const { token } = await this.commands.execute(new IssueToken(request, SAMPLE_RUN));
      return { entries: accepted, project, token };
    } catch (error) {
      if (error instanceof LogStoreUnavailableError) return null;
      throw error;
    }
  }

  /** A store that is empty after an accepted loss is not new. */
  async #isNew(): Promise<boolean> {
    const { installation } = await this.eventStore.identity();
    if (installation !== null && installation.epoch > 0) return false;
    for await (const _ of this.eventStore.readAll({ filter: { streamPrefix: this.names.prefix }, limit: 1 }))
      return false;
    return true;
  }

  /** The key is the last step of the sample. A contest that has ended since had one too. */
  async #isComplete(): Promise<boolean> {
    const { SAMPLE_CONTEST } = await import('./generators/sample.js');
    const { state } = await this.aggregates.load(contestAggregate, SAMPLE_CONTEST, { fresh: true });
    return state.keyIds.size > 0 || !['none', 'draft', 'announced', 'ongoing'].includes(state.phase);
  }
}
