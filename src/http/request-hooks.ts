/** What every request passes in Fastify: common headers, the preflight of browsers, metrics and the line in the log. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { RequestObserver } from './feature.js';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from './message/headers.js';
import { isIngestPath, isLogPath, isPrivatePath, pathOf } from './message/paths.js';
import type { RequestMetrics } from './observability/request-metrics.js';
import { outageLines } from './problems/outage-lines.js';
import { addCommonHeaders } from './problems/problem-filter.js';

export interface RequestObservers {
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  readonly observer: RequestObserver;
}

export const addHooks = (fastify: FastifyInstance, { logger, metrics, observer }: RequestObservers): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, request.protocol === 'https', reply);
    if (request.method === 'OPTIONS') answerPreflight(request, reply, done);
    else done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const milliseconds = reply.elapsedTime;
    metrics.times(request.method, route, reply.statusCode).add(milliseconds / 1_000);
    observer.note(request.raw, { address: request.ip, status: reply.statusCode, milliseconds });
    const isQuiet = isHotSuccess(request, reply) || outageLines.isCounted(request.raw);
    logger[isQuiet ? 'debug' : 'info'](
      {
        reqId: request.id,
        method: request.method,
        path: pathOf(request.url),
        status: reply.statusCode,
        ms: Math.round(milliseconds * 100) / 100,
        address: request.ip,
      },
      'request',
    );
    done();
  });
};

/** Paths that balancers and monitoring poll. */
const POLLED_PATHS: ReadonlySet<string> = new Set(['/api/healthcheck', '/metrics']);

/** Paths that devices write to, many times a second. */
const ENTRY_PATH = /^\/api\/(?:[^/]+\/)?enter-(?:attempt|results)$/;

/**
 * Whether a success is logged at `debug` only. The event store has each attempt with its request id, key and
 * time. Polled paths would fill the log. Changes of moderators are always logged.
 */
const isHotSuccess = ({ method, url }: FastifyRequest, { statusCode }: FastifyReply): boolean => {
  const path = pathOf(url);
  return method === 'POST'
    ? [200, 201, 204].includes(statusCode) && (isIngestPath(path) || ENTRY_PATH.test(path))
    : statusCode === 200 && POLLED_PATHS.has(path);
};

/** Pages of any site may read. None may enter results: an API key belongs to a device. */
const answerPreflight = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
  const methods = request.server.methodsOf(request.url);
  if (methods.length === 0) {
    done();
    return;
  }
  reply.header('Allow', methods.join(', '));
  if (methods.includes('GET') && !isLogPath(request.url) && !isPrivatePath(request.url))
    for (const [name, value] of PREFLIGHT_HEADERS) reply.header(name, value);
  else for (const [name] of CORS_HEADERS) reply.removeHeader(name);
  reply.code(204).send();
};
