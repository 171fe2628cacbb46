/** The events of a saved endpoint, and of the stream of each name, which says what endpoint bears it. */
import type { EventKinds } from '../../domain/decider.js';
import { textCategory } from '../../foundation/event-store/streams.js';

export const endpointStream = textCategory('endpoint');

/** Says which endpoint bears the name. */
export const endpointNameStream = textCategory('endpoint-name');

/** Everything about a saved endpoint that its owner decides. */
export interface EndpointConfig {
  /** Callers address the endpoint by it, or by its id. */
  readonly name: string;
  readonly description: string | null;
  readonly queryLanguage: 'sql';
  /** The stored query, with `@name` for each parameter. */
  readonly query: string;
  readonly maxRows: number;
  /** Lifetime of a cached result; null: caching is disabled. */
  readonly cachingSeconds: number | null;
  /** How old a cached result in use grows before it is made anew; null: it is not. */
  readonly cacheWarmingSeconds: number | null;
  /** Whether a consumer's own query may use only the tables that the stored query defines. */
  readonly sandboxing: boolean;
  /** Whether addresses are redacted in every reply. */
  readonly redactPii: boolean;
}

/** Copies the fields of the configuration and no others, so that an event holds none of a caller's extra fields. */
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
  /** The whole configuration as it is from now on. */
  | { readonly type: 'EndpointChanged'; readonly data: EndpointConfig }
  | { readonly type: 'EndpointRemoved'; readonly data: Record<string, never> }
  /** A name that it had claimed and does not bear went to another endpoint: whatever was under way with it is void. */
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
