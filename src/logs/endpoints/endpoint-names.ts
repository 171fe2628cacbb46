/**
 * Finds endpoints by id or name, and keeps names unique, from the streams alone. A name that was claimed by an endpoint
 * which does not bear it (its creation or rename was broken off, or is under way) can be had by another: the first one is
 * made to yield it on its own stream, which voids what it had under way, and only then the claim changes hands.
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

/** An endpoint as it is now. */
export interface LiveEndpoint {
  readonly endpointId: string;
  readonly version: number;
  readonly config: EndpointConfig;
  /** What a change that is prepared on this state has to be based on. */
  readonly events: number;
}

@Injectable()
export class EndpointNames {
  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRuntime) {}

  /**
   * `fresh`: as the streams have it this moment; without it at most 250 ms behind other processes, except that nothing is
   * not found which is there. Throws RejectedError `endpoint-not-found`.
   */
  async find(idOrName: string, { fresh = false } = {}): Promise<LiveEndpoint> {
    const known = fresh ? null : await this.#look(idOrName, false);
    const found = known ?? (await this.#look(idOrName, true));
    if (found === null)
      throw new RejectedError({ code: 'endpoint-not-found', detail: `there is no endpoint ${idOrName}` });
    return found;
  }

  /** By id, as the stream has it this moment; null where there is none. */
  current(endpointId: string): Promise<LiveEndpoint | null> {
    return this.#live(endpointId, true);
  }

  /** The version of a live endpoint, where it is known without waiting; undefined: look. */
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

  /** An endpoint is found by a name only while it bears it, whatever the name's stream says. */
  async #look(idOrName: string, fresh: boolean): Promise<LiveEndpoint | null> {
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
