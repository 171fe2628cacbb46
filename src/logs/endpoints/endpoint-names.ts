/**
 * Finds endpoints by id or name, and guarantees that names are unique. Reads only the streams.
 * A claim without a use (a creation or rename failed, or is still running) can be taken over. First the claiming endpoint
 * yields the name on its own stream, which invalidates its running change. Then the claim moves to the other endpoint.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { endpointAggregate } from './endpoint.decider.js';
import type { EndpointConfig } from './endpoint.events.js';
import { endpointNameAggregate } from './endpoint-name.decider.js';
import { isEndpointId, isEndpointName } from './endpoint-rules.js';

/** The current state of an endpoint that was not removed. */
export interface LiveEndpoint {
  readonly endpointId: string;
  readonly version: number;
  readonly config: EndpointConfig;
  /** The `basedOn` of a change to this state. */
  readonly events: number;
}

@Injectable()
export class EndpointNames {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  /**
   * With `fresh`, reads the streams. Without it, the result can be 250 ms behind changes of other processes. An endpoint
   * that is not found is always looked for in the streams too. Throws RejectedError `endpoint-not-found`.
   */
  async find(idOrName: string, { fresh = false } = {}): Promise<LiveEndpoint> {
    const found = await this.lookUp(idOrName, { fresh });
    if (found === null)
      throw new RejectedError({ code: 'endpoint-not-found', detail: `there is no endpoint ${idOrName}` });
    return found;
  }

  /** As `find`. Returns null for an endpoint that is not there. */
  async lookUp(idOrName: string, { fresh = false } = {}): Promise<LiveEndpoint | null> {
    const cached = fresh ? null : await this.#findIn(idOrName, false);
    return cached ?? (await this.#findIn(idOrName, true));
  }

  /** Reads an endpoint by id from its stream. Returns null when there is no such endpoint. */
  current(endpointId: string): Promise<LiveEndpoint | null> {
    return this.#live(endpointId, true);
  }

  /** Returns the version of a live endpoint when it is cached; otherwise undefined. */
  peekVersion(endpointId: string): number | undefined {
    const state = this.aggregates.peek(endpointAggregate, endpointId);
    return state?.phase === 'live' ? state.version : undefined;
  }

  /** Gives the name to the endpoint. Throws RejectedError `endpoint-name-taken`. */
  async claim(name: string, endpointId: string, context: CommandContext): Promise<void> {
    const { state } = await this.aggregates.load(endpointNameAggregate, name, { fresh: true });
    const before = state.endpointId === endpointId ? null : state.endpointId;
    if (before !== null) {
      const command = { type: 'YieldName', name } as const;
      accepted(await this.aggregates.execute(endpointAggregate, before, command, context));
    }
    const command = { type: 'ClaimName', endpointId, insteadOf: before } as const;
    accepted(await this.aggregates.execute(endpointNameAggregate, name, command, context));
  }

  async release(name: string, endpointId: string, context: CommandContext): Promise<void> {
    const command = { type: 'ReleaseName', endpointId } as const;
    accepted(await this.aggregates.execute(endpointNameAggregate, name, command, context));
  }

  /** The name's stream only says which endpoint claimed it. The endpoint is found when its configuration has the name. */
  async #findIn(idOrName: string, fresh: boolean): Promise<LiveEndpoint | null> {
    if (isEndpointId(idOrName)) return this.#live(idOrName.toLowerCase(), fresh);
    if (!isEndpointName(idOrName)) return null;
    const { state } = await this.aggregates.load(endpointNameAggregate, idOrName, { fresh });
    const found = state.endpointId === null ? null : await this.#live(state.endpointId, fresh);
    return found?.config.name === idOrName ? found : null;
  }

  async #live(endpointId: string, fresh: boolean): Promise<LiveEndpoint | null> {
    const { state } = await this.aggregates.load(endpointAggregate, endpointId, { fresh });
    const { phase, config, version, events } = state;
    return phase === 'live' && config !== null ? { endpointId, version, config, events } : null;
  }
}
