/**
 * The endpoints that exist from the first start, configured as their specification says. Their ids are the same in every
 * installation, so nodes that start at once create each of them once, and clients can rely on the ids.
 */
import type { EndpointConfig } from './endpoint.events.js';
import { LOGS_ALL_QUERY } from './stored/logs-all.js';
import { API_COUNTS_QUERY } from './stored/usage-api-counts.js';

export const LOGS_ALL_ID = 'b025f6e4-41c0-448b-a107-89b5fcf70422';
export const API_COUNTS_ID = '2199e257-1937-47da-8a46-33008ff25f7f';

export const WELL_KNOWN_ENDPOINTS: readonly { readonly id: string; readonly config: EndpointConfig }[] = [
  {
    id: LOGS_ALL_ID,
    config: {
      name: 'logs.all',
      description:
        'Log entries of one project from the sources of the platform and those added to it, newest first',
      queryLanguage: 'sql',
      query: LOGS_ALL_QUERY,
      maxRows: 1_000,
      cachingSeconds: null,
      cacheWarmingSeconds: null,
      sandboxing: true,
      redactPii: false,
    },
  },
  {
    id: API_COUNTS_ID,
    config: {
      name: 'usage.api-counts',
      description: 'API requests of one project in each time bucket, by API family',
      queryLanguage: 'sql',
      query: API_COUNTS_QUERY,
      maxRows: 1_000,
      cachingSeconds: 900,
      cacheWarmingSeconds: 300,
      sandboxing: true,
      redactPii: false,
    },
  },
];
