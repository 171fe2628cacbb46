/** How the OpenAPI document describes the name of a source. */
import { BUILT_IN_SOURCES } from '../foundation/log-store/sources.js';

export const SOURCE_DESCRIPTION = `${BUILT_IN_SOURCES.join(', ')}, or a source of your own`;

export const sourceSchema = {
  type: 'string',
  pattern: '^[a-z][a-z0-9_]{0,62}$',
  example: 'edge_logs',
} as const;
