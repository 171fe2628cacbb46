/**
 * Puts the HTTP server together: Fastify with its limits and log lines, ready reads before any routing, and a close
 * that lets requests under way finish before the stores go.
 */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import fastifyCookie from '@fastify/cookie';
import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { ImportGate } from '../competition/exchange/importing/import-gate.js';
import { EarlyEntry } from '../competition/rounds/early-entry.js';
import type { PodiumConfig } from '../foundation/config.js';
import { acceptJsonBodies } from '../http/body/json-body.js';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from '../http/message/headers.js';
import {
  BODY_LIMIT,
  CONNECTION_CHECK_INTERVAL,
  HEADER_LIMIT,
  HEADERS_TIMEOUT,
  KEEP_ALIVE_TIMEOUT,
  REQUEST_TIMEOUT,
  SHUTDOWN_GRACE,
} from '../http/message/limits.js';
import { isLogPath, isPrivatePath, pathOf } from '../http/message/paths.js';
import { requestIdOf } from '../http/message/request-id.js';
import { noteMethods } from '../http/message/routed-methods.js';
import { Health } from '../http/observability/health.js';
import { NestLogger } from '../http/observability/logger.js';
import { RequestMetrics } from '../http/observability/request-metrics.js';
import { serveOpenApi } from '../http/openapi/openapi.js';
import { refuseBrokenRequest } from '../http/problems/client-errors.js';
import { addCommonHeaders, ProblemFilter, sendFailure } from '../http/problems/problem-filter.js';
import { ReadyReads } from '../http/reads/ready-reads.js';
import { LogForwarding } from '../logs/forwarding/log-forwarding.js';
import { IngestGate } from '../logs/ingest/ingest-gate.js';
import { OwnRequests } from '../logs/own-requests.js';
import { ReadyCalls } from '../logs/query/ready-calls.js';
import { serveAssets } from '../pages/assets.js';
import { FirstStart } from './first-start.js';
import type { SampleSummary } from './generators/sample.js';

export interface PodiumServer {
  /** Makes what a first start has in it, the sample too if it is wanted. Null where it was there. */
  prepare(sample: boolean): Promise<SampleSummary | null>;
  /** Resolves with the URL that it answers at. */
  listen(): Promise<string>;
  /**
   * Serves on for PODIUM_DRAIN_SECONDS while the health check tells balancers that it leaves; then takes no more requests,
   * finishes those under way and closes the stores.
   */
  close(): Promise<void>;
}

/** Whether it answers the request, or sees to it that `ordinary` does. */
type EarlyAnswer = (request: IncomingMessage, response: ServerResponse, ordinary: RequestListener) => boolean;

export const createServer = async (
  module: DynamicModule,
  config: PodiumConfig,
  logger: Logger,
): Promise<PodiumServer> => {
  let early: EarlyAnswer = () => false;
  const adapter = adapterFor(config, logger, (...asked) => early(...asked));
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  noteMethods(fastify);
  acceptJsonBodies(fastify, BODY_LIMIT);
  app.get(IngestGate).install(fastify);
  app.get(ImportGate).install(fastify);
  app.useGlobalFilters(new ProblemFilter());
  const ownRequests = app.get(OwnRequests);
  addHooks(fastify, { logger, metrics: app.get(RequestMetrics), ownRequests });
  serveOpenApi(app);
  await serveAssets(app);
  // Without its hook: cookies are read by the few paths that have any.
  await fastify.register(fastifyCookie, { hook: false });
  await app.init();
  const ready = app.get(ReadyReads);
  const calls = app.get(ReadyCalls);
  const forwarding = app.get(LogForwarding);
  const entry = app.get(EarlyEntry);
  early = (request, response, ordinary) => {
    if (forwarding.serve(request, response)) return true;
    const debugging = logger.isLevelEnabled('debug');
    if (ready.serve(request, response) || calls.serve(request, response)) {
      noteEarly(ownRequests, request, { statusCode: response.statusCode, milliseconds: 0 });
      // Not even put together where nobody reads it.
      if (debugging)
        logger.debug({ path: pathOf(request.url ?? ''), status: response.statusCode }, 'ready read');
      return true;
    }
    const entered = (milliseconds: number): void =>
      noteEarly(ownRequests, request, { statusCode: 201, milliseconds });
    // Where each entry has its line in the log, all go the ordinary way.
    return !debugging && entry.serve(request, response, { ordinary, entered });
  };
  return {
    prepare: (sample) => app.get(FirstStart).prepare({ sample }),
    listen: async () => {
      await app.listen(config.port, config.host);
      const url = await app.getUrl();
      app.get(Health).announce(url);
      return url;
    },
    close: async () => {
      app.get(Health).leave();
      await delay(config.drainMs);
      ready.stop();
      calls.stop();
      entry.stop();
      const server: Server = app.getHttpServer();
      const cut = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE);
      await app.close().finally(() => clearTimeout(cut));
    },
  };
};

const adapterFor = (config: PodiumConfig, logger: Logger, early: EarlyAnswer): FastifyAdapter =>
  new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: the lines carry the request's id, a child each would cost the hot path.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: config.trustProxy,
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenRequest,
    frameworkErrors: sendFailure,
    // No id is too long to be looked for and not found; the limit on headers holds for the whole URL.
    routerOptions: { maxParamLength: HEADER_LIMIT },
    serverFactory: (handler: RequestListener) =>
      createHttpServer(
        {
          maxHeaderSize: HEADER_LIMIT,
          headersTimeout: HEADERS_TIMEOUT,
          requestTimeout: REQUEST_TIMEOUT,
          keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
          connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL,
        },
        (request, response) => {
          if (!early(request, response, handler)) handler(request, response);
        },
      ),
  });

interface Observers {
  readonly logger: Logger;
  readonly metrics: RequestMetrics;
  readonly ownRequests: OwnRequests;
}

const noteEarly = (
  ownRequests: OwnRequests,
  request: IncomingMessage,
  { statusCode, milliseconds }: { readonly statusCode: number; readonly milliseconds: number },
): void =>
  ownRequests.note(request, {
    address: request.socket.remoteAddress ?? '',
    status: statusCode,
    milliseconds,
  });

const addHooks = (fastify: FastifyInstance, { logger, metrics, ownRequests }: Observers): void => {
  fastify.addHook('onRequest', (request, reply, done) => {
    addCommonHeaders(request, reply);
    if (request.method === 'OPTIONS') answerPreflight(request, reply, done);
    else done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const milliseconds = reply.elapsedTime;
    metrics.times(request.method, route, reply.statusCode).add(milliseconds / 1_000);
    ownRequests.note(request.raw, { address: request.ip, status: reply.statusCode, milliseconds });
    logger[isHotSuccess(request, reply) ? 'debug' : 'info'](
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

/** What balancers and monitoring ask for all the time. */
const WATCHED: ReadonlySet<string> = new Set(['/api/healthcheck', '/metrics']);

/** Where devices and senders of log entries write, many times a second. */
const HOT_PATH = /^\/api\/(?:logs|(?:[^/]+\/)?enter-(?:attempt|results))$/;

/**
 * What hot paths did well has its line at `debug`: an attempt is in the event store with its request id, key and time. So has what
 * is asked every second by whoever watches, else there would be little else in the log. What a moderator made has its line.
 */
const isHotSuccess = ({ method, url }: FastifyRequest, { statusCode }: FastifyReply): boolean => {
  const path = pathOf(url);
  return method === 'POST'
    ? statusCode === 201 && HOT_PATH.test(path)
    : statusCode === 200 && WATCHED.has(path);
};

/** Reads may be made from any page, entry from none: its key is a device's, not a page's. */
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
