/** The events of a saved endpoint, and of the stream of each name, which records which endpoint has claimed it. */
import type { EventKinds } from '../../domain/decider.js';
import type { StreamCategory } from '../../domain/streams.js';

export const endpointStream: StreamCategory<string> = { name: 'endpoint', id: 'text' };

/** Records which endpoint has claimed the name. */
export const endpointNameStream: StreamCategory<string> = { name: 'endpoint-name', id: 'text' };

/** The settings of a saved endpoint. */
export interface EndpointConfig {
  /** Clients address the endpoint by its name or its id. */
  readonly name: string;
  readonly description: string | null;
  readonly queryLanguage: 'sql';
  /** The stored query, with `@name` for each parameter. */
  readonly query: string;
  readonly maxRows: number;
  /** Lifetime of a cached result; null: caching is disabled. */
  readonly cachingSeconds: number | null;
  /** The age at which a cached result in use is refreshed; null: it is not refreshed. */
  readonly cacheWarmingSeconds: number | null;
  /** Whether a client's own query may use only the tables that the stored query defines. */
  readonly sandboxing: boolean;
  /** Whether addresses are redacted in every reply. */
  readonly redactPii: boolean;
}

/** Copies the fields of the configuration and no others, so that events hold no extra fields of a client. */
export const configOf = (config: EndpointConfig): EndpointConfig => ({
  name: config.name,
  description: config.description,
  queryLanguage: config.queryLanguage,
  query: config.query,
  maxRows: config.maxRows,
  cachingSeconds: config.cachingSeconds,
  cacheWarmingSeconds: config.cacheWarmingSeconds,
  sandboxing: config.sandboxing,
  redactPii: config.redactPii,
});

export type EndpointEvent =
  | { readonly type: 'EndpointCreated'; readonly data: EndpointConfig }
  /** The whole new configuration. */
  | { readonly type: 'EndpointChanged'; readonly data: EndpointConfig }
  | { readonly type: 'EndpointRemoved'; readonly data: Record<string, never> }
  /** The endpoint gave up a name that it had claimed but does not have. A running change to that name is invalidated. */
  | { readonly type: 'EndpointNameYielded'; readonly data: { readonly name: string } };

export type EndpointNameEvent =
  | { readonly type: 'EndpointNameClaimed'; readonly data: { readonly endpointId: string } }
  | { readonly type: 'EndpointNameReleased'; readonly data: { readonly endpointId: string } };

export const endpointEvents: EventKinds<EndpointEvent | EndpointNameEvent> = {
  EndpointCreated: 'control',
  EndpointChanged: 'control',
  EndpointRemoved: 'control',
  EndpointNameYielded: 'control',
  EndpointNameClaimed: 'control',
  EndpointNameReleased: 'control',
};
