/** The key of a cached result: a hash of the whole request. It is the same on every node and after every restart. */
import { createHash } from 'node:crypto';
import type { CachedRequest } from './result-cache.js';

/** Returns 43 characters of base64url. The order of the parameters does not matter. */
export const resultKey = (request: CachedRequest): string => {
  const { tenant, endpointId, endpointVersion, reads, parameters, consumer, redact, onlyProject } = request;
  const named = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  const read = reads.map(({ endpointId, version }) => [endpointId, version]);
  const asked =
    consumer === null
      ? null
      : [consumer.language, consumer.text, ...(consumer.saved ? [consumer.saved] : [])];
  const all = JSON.stringify([
    tenant,
    endpointId,
    endpointVersion,
    named,
    asked,
    redact,
    onlyProject,
    ...read,
  ]);
  return createHash('sha256').update(all).digest('base64url');
};
