/**
 * The name of a saved endpoint has a stream of its own, so of two endpoints that claim it at once only one appends.
 * An endpoint claims a name before it uses it and releases it afterwards. A crash can leave a claim behind. The next
 * endpoint that wants the name takes it over, once the first endpoint has yielded it.
 */

import { accept, type Decider, decideBy, reject } from '../../domain/decider.js';
import type { Aggregate } from '../../foundation/aggregates/aggregate.js';
import { type EndpointNameEvent, endpointNameStream } from './endpoint.events.js';

export interface EndpointNameState {
  /** The endpoint that has claimed the name; null: none. */
  readonly endpointId: string | null;
}

export type EndpointNameCommand =
  /** `insteadOf`: the endpoint that has yielded the name; null: none. Idempotent. */
  | { readonly type: 'ClaimName'; readonly endpointId: string; readonly insteadOf: string | null }
  /** Idempotent. Changes nothing when another endpoint has claimed the name. */
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

const decide = decideBy<EndpointNameCommand, EndpointNameState, EndpointNameEvent>({
  ClaimName: ({ endpointId, insteadOf }, state) => {
    if (state.endpointId === endpointId) return accept();
    return state.endpointId === null || state.endpointId === insteadOf
      ? accept({ type: 'EndpointNameClaimed', data: { endpointId } })
      : reject({ code: 'endpoint-name-taken', detail: 'another endpoint has this name' });
  },
  ReleaseName: ({ endpointId }, state) =>
    state.endpointId === endpointId
      ? accept({ type: 'EndpointNameReleased', data: { endpointId } })
      : accept(),
});

export const endpointNameDecider: Decider<EndpointNameState, EndpointNameCommand, EndpointNameEvent> = {
  initialState: { endpointId: null },
  evolve,
  decide,
};

/** Keyed by the name. */
export const endpointNameAggregate: Aggregate<
  string,
  EndpointNameState,
  EndpointNameCommand,
  EndpointNameEvent
> = {
  stream: endpointNameStream,
  decider: endpointNameDecider,
  schema: 1,
  sizeOf: () => 100,
};
