/**
 * A saved endpoint: created, changed as a whole, removed for good. Each change makes a new version. The stream of the
 * name keeps names unique (src/logs/endpoints/endpoint-name.decider.ts). From top to bottom: state, commands, fold,
 * decisions.
 */

import { accept, type Decider, type Decision, decideBy, reject } from '../../domain/decider.js';
import { isSameData } from '../../domain/equality.js';
import { invalid } from '../../domain/rejections.js';
import type { Aggregate } from '../../foundation/aggregates/aggregate.js';
import { configOf, type EndpointConfig, type EndpointEvent, endpointStream } from './endpoint.events.js';
import { errorsIn } from './endpoint-rules.js';

export interface EndpointState {
  readonly phase: 'none' | 'live' | 'removed';
  /** 1 after the creation, one more with each change. */
  readonly version: number;
  /** Null: never created. */
  readonly config: EndpointConfig | null;
  /** Events so far. A change is accepted only while this is its `basedOn`. */
  readonly events: number;
}

export type EndpointCommand =
  | { readonly type: 'CreateEndpoint'; readonly config: EndpointConfig }
  /** Creates the endpoint if it was never created; otherwise changes nothing. */
  | { readonly type: 'SeedEndpoint'; readonly config: EndpointConfig }
  /** `basedOn`: `events` of the state from which the change was computed. */
  | { readonly type: 'ChangeEndpoint'; readonly config: EndpointConfig; readonly basedOn: number }
  /** Idempotent. */
  | { readonly type: 'RemoveEndpoint' }
  /** Gives up a claimed name that another endpoint wants. Rejected while this endpoint has the name. */
  | { readonly type: 'YieldName'; readonly name: string };

const initialEndpoint: EndpointState = { phase: 'none', version: 0, config: null, events: 0 };

const evolve = (state: EndpointState, event: EndpointEvent): EndpointState => {
  const events = state.events + 1;
  switch (event.type) {
    case 'EndpointCreated':
    case 'EndpointChanged':
      return { phase: 'live', version: state.version + 1, config: event.data, events };
    case 'EndpointRemoved':
      return { ...state, phase: 'removed', events };
    case 'EndpointNameYielded':
      return { ...state, events };
    default:
      event satisfies never;
      return state;
  }
};

const create = (config: EndpointConfig, { phase }: EndpointState): Decision<EndpointEvent> => {
  if (phase === 'live') return reject({ code: 'already-exists', detail: 'the endpoint exists' });
  if (phase === 'removed')
    return reject({ code: 'endpoint-changed', detail: 'another change came first; do it again' });
  const errors = errorsIn(config);
  if (errors.length > 0) return reject(invalid(errors));
  return accept({ type: 'EndpointCreated', data: configOf(config) });
};

const change = (
  { config, basedOn }: Extract<EndpointCommand, { type: 'ChangeEndpoint' }>,
  state: EndpointState,
): Decision<EndpointEvent> => {
  if (state.phase !== 'live' || state.config === null)
    return reject({ code: 'endpoint-not-found', detail: 'there is no such endpoint' });
  const errors = errorsIn(config);
  if (errors.length > 0) return reject(invalid(errors));
  const data = configOf(config);
  if (isSameData(state.config, data)) return accept();
  return state.events === basedOn
    ? accept({ type: 'EndpointChanged', data })
    : reject({ code: 'endpoint-changed', detail: 'another change came first; do it again' });
};

/** An endpoint that was never created is removed. Its creation failed, or is still running and is then rejected. */
const yieldName = (name: string, { phase, config }: EndpointState): Decision<EndpointEvent> => {
  switch (phase) {
    case 'none':
      return accept({ type: 'EndpointRemoved', data: {} });
    case 'live':
      return config?.name === name
        ? reject({ code: 'endpoint-name-taken', detail: `another endpoint is named ${name}` })
        : accept({ type: 'EndpointNameYielded', data: { name } });
    case 'removed':
      return accept();
    default:
      return phase satisfies never;
  }
};

const decide = decideBy<EndpointCommand, EndpointState, EndpointEvent>({
  CreateEndpoint: ({ config }, state) => create(config, state),
  SeedEndpoint: ({ config }, state) => (state.phase === 'none' ? create(config, state) : accept()),
  ChangeEndpoint: change,
  RemoveEndpoint: (_, { phase }) => {
    if (phase === 'none') return reject({ code: 'endpoint-not-found', detail: 'there is no such endpoint' });
    return phase === 'live' ? accept({ type: 'EndpointRemoved', data: {} }) : accept();
  },
  YieldName: ({ name }, state) => yieldName(name, state),
});

export const endpointDecider: Decider<EndpointState, EndpointCommand, EndpointEvent> = {
  initialState: initialEndpoint,
  evolve,
  decide,
};

/** Keyed by the endpoint's id. */
export const endpointAggregate: Aggregate<string, EndpointState, EndpointCommand, EndpointEvent> = {
  stream: endpointStream,
  decider: endpointDecider,
  schema: 1,
  sizeOf: ({ config }) => 500 + (config?.query.length ?? 0) + (config?.description?.length ?? 0),
};
