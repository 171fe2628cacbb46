/**
 * The name of a saved endpoint, a stream of its own: of two endpoints that want it at once, one appends first. An endpoint
 * claims a name before it bears it and releases it after; a claim that was left behind between the two goes to whoever
 * wants the name next, once the one that left it has yielded it.
 */

import { accept, type Decider, type Decision, reject } from '../../domain/decider.js';
import type { Aggregate } from '../../foundation/aggregates/aggregate.js';
import { type EndpointNameEvent, endpointNameStream } from './endpoint.events.js';

export interface EndpointNameState {
  /** Null: nobody's. */
  readonly endpointId: string | null;
}

export type EndpointNameCommand =
  /** `insteadOf`: an endpoint that has yielded the name. Idempotent. */
  | { readonly type: 'ClaimName'; readonly endpointId: string; readonly insteadOf: string | null }
  /** Idempotent; a name that is another's stays so. */
  | { readonly type: 'ReleaseName'; readonly endpointId: string };

const evolve = (state: EndpointNameState, event: EndpointNameEvent): EndpointNameState => {
  switch (event.type) {
    case 'EndpointNameClaimed':
      return { endpointId: event.data.endpointId };
    case 'EndpointNameReleased':
      return { endpointId: null };
    default:
      event satisfies never;
      return state;
  }
};

const decide = (command: EndpointNameCommand, state: EndpointNameState): Decision<EndpointNameEvent> => {
  const { endpointId } = command;
  switch (command.type) {
    case 'ClaimName':
      if (state.endpointId === endpointId) return accept();
      return state.endpointId === null || state.endpointId === command.insteadOf
        ? accept({ type: 'EndpointNameClaimed', data: { endpointId } })
        : reject({ code: 'endpoint-name-taken', detail: 'another endpoint has this name' });
    case 'ReleaseName':
      return state.endpointId === endpointId
        ? accept({ type: 'EndpointNameReleased', data: { endpointId } })
        : accept();
    default:
      return command satisfies never;
  }
};

export const endpointNameDecider: Decider<EndpointNameState, EndpointNameCommand, EndpointNameEvent> = {
  initialState: { endpointId: null },
  evolve,
  decide,
};

/** By the name. */
export const endpointNameAggregate: Aggregate<
  string,
  EndpointNameState,
  EndpointNameCommand,
  EndpointNameEvent
> = {
  name: 'endpoint-name',
  stream: endpointNameStream,
  decider: endpointNameDecider,
  schema: 1,
};
