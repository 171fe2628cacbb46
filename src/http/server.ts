/**
 * Builds the HTTP server: Fastify with its limits and log lines, and early answers before the router. Its close
 * lets running requests finish before the stores close.
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
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { settlesWithin } from '../foundation/basics/settles-within.js';
import type { PodiumConfig } from '../foundation/config.js';
import { AnswerDeadline } from './answer-deadline.js';
import { acceptJsonBodies } from './body/json-body.js';
import {
  type EarlyPipeline,
  type EarlyResponder,
  type FastifyExtension,
  REQUEST_OBSERVER,
  type RequestObserver,
  type ServerPart,
} from './feature.js';
import { clientAddress } from './message/client-address.js';
import {
  CONNECTION_CHECK_INTERVAL_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_BODY_BYTES,
  MAX_HEADER_BYTES,
  REQUEST_TIMEOUT_MS,
  SHUTDOWN_GRACE_MS,
  SHUTDOWN_MS,
} from './message/limits.js';
import { pathOf } from './message/paths.js';
import { requestIdOf } from './message/request-id.js';
import { recordMethods } from './message/routed-methods.js';
import { httpsCheck, safetyFields } from './message/safety-headers.js';
import { closeWithConnection } from './message/waiting-replies.js';
import { forwardedRequestWatch } from './observability/forwarded-requests.js';
import { Health } from './observability/health.js';
import { NestLogger } from './observability/logger.js';
import { MetricsServer } from './observability/metrics-server.js';
import { RequestMetrics } from './observability/request-metrics.js';
import { serveOpenApi } from './openapi/openapi.js';
import { headerFailure, refuseBrokenRequest } from './problems/client-errors.js';
import { outageLines } from './problems/outage-lines.js';
import { ProblemFilter, sendFailure, sendRawFailure } from './problems/problem-filter.js';
import { ReadyReads } from './reads/ready-reads.js';
import { addHooks, type RequestObservers } from './request-hooks.js';

export interface PodiumServer {
  /** The Nest application, for work before it listens. */
  readonly app: INestApplicationContext;
  /** Resolves with the URL of the server. */
  listen(): Promise<string>;
  /**
   * Serves for PODIUM_DRAIN_SECONDS more while the health check tells balancers that it leaves. Then it takes
   * no more requests, finishes the running ones and closes the stores. Resolves after SHUTDOWN_MS at the latest, also
   * when a store hangs.
   */
  close(): Promise<void>;
}

/** Returns true when it answers the request itself, or hands it to `ordinary`. */
type EarlyAnswer = (request: IncomingMessage, response: ServerResponse, ordinary: RequestListener) => boolean;

export interface ServerOptions {
  readonly module: DynamicModule;
  /** The parts of the features, in their order. */
  readonly parts: readonly ServerPart[];
  readonly config: PodiumConfig;
  readonly logger: Logger;
}

export const createServer = async ({
  module,
  parts,
  config,
  logger,
}: ServerOptions): Promise<PodiumServer> => {
  let early: EarlyAnswer = () => false;
  const isHttps = httpsCheck(config.trustProxy);
  const deadline = new AnswerDeadline({
    waitedFor: () => app.get(Health).trouble(),
    refuse: (failure, request, response) => {
      outageLines.note(logger, request, { reqId: requestIdOf(request), reason: failure.detail });
      sendRawFailure(failure, request, response, isHttps(request));
    },
  });
  const watch = forwardedRequestWatch(config.trustProxy, logger);
  const adapter = adapterFor({
    config,
    logger,
    isHttps,
    deadline,
    early: (request, ...others) => {
      watch(request);
      return early(request, ...others);
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = app.getHttpAdapter().getInstance();
  const install = async (extensions: readonly Type<FastifyExtension>[]): Promise<void> => {
    for (const extension of extensions) await app.get(extension).install(fastify);
  };
  recordMethods(fastify);
  acceptJsonBodies(fastify, MAX_BODY_BYTES);
  await install(parts.flatMap(({ gates = [] }) => gates));
  app.useGlobalFilters(new ProblemFilter());
  const observer = app.get<RequestObserver>(REQUEST_OBSERVER);
  addHooks(fastify, { logger, metrics: app.get(RequestMetrics), observer });
  serveOpenApi(app);
  await install(parts.flatMap(({ routes = [] }) => routes));
  // No hook: only a few paths read cookies.
  await fastify.register(fastifyCookie, { hook: false });
  await app.init();
  await Promise.all(parts.flatMap(({ threads = [] }) => threads).map((thread) => app.get(thread).start()));
  const responders: readonly EarlyResponder[] = [
    app.get(ReadyReads),
    ...parts.flatMap(({ earlyResponders = [] }) => earlyResponders).map((type) => app.get(type)),
  ];
  early = answerEarly(responders, {
    logger,
    observer,
    addressOf: clientAddress(config.trustProxy),
    isHttps,
  });
  return {
    app,
    listen: async () => {
      await app.get(Health).hold();
      await app.listen(config.port, config.host);
      const metricsPort = await app.get(MetricsServer).listen();
      if (metricsPort !== null) logger.info({ port: metricsPort }, 'metrics are served');
      const url = await app.getUrl();
      app.get(Health).announce(url);
      deadline.start();
      return url;
    },
    close: async () => {
      app.get(Health).leave();
      await delay(config.drainMs);
      for (const responder of responders) responder.stop?.();
      app.get(MetricsServer).close();
      const server: Server = app.getHttpServer();
      const forceClose = setTimeout(() => server.closeAllConnections(), SHUTDOWN_GRACE_MS);
      const closing = app.close().finally(() => clearTimeout(forceClose));
      deadline.stop();
      if (!(await settlesWithin(closing, SHUTDOWN_MS))) logger.warn('not everything has closed in time');
    },
  };
};

/** Calls the responders in turn. The router gets the requests that none of them answers. */
const answerEarly =
  (
    responders: readonly EarlyResponder[],
    {
      logger,
      observer,
      addressOf,
      isHttps,
    }: Pick<RequestObservers, 'logger' | 'observer'> &
      Pick<EarlyPipeline, 'isHttps'> & { readonly addressOf: (request: IncomingMessage) => string },
  ): EarlyAnswer =>
  (request, response, ordinary) => {
    const isVerbose = logger.isLevelEnabled('debug');
    const pipeline: EarlyPipeline = {
      ordinary,
      isVerbose,
      isHttps,
      answered: (status, milliseconds) => {
        observer.note(request, { address: addressOf(request), status, milliseconds });
        // Built only when debug lines are logged.
        if (isVerbose) logger.debug({ path: pathOf(request.url ?? ''), status }, 'ready read');
      },
    };
    return responders.some((responder) => responder.serve(request, response, pipeline));
  };

const adapterFor = ({
  config,
  logger,
  isHttps,
  early,
  deadline,
}: Pick<ServerOptions, 'config' | 'logger'> &
  Pick<EarlyPipeline, 'isHttps'> & {
    readonly early: EarlyAnswer;
    readonly deadline: AnswerDeadline;
  }): FastifyAdapter =>
  new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all requests: lines carry the request id, and a child logger each would cost time.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: requestIdOf,
    requestIdHeader: false,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: config.trustProxy,
    return503OnClosing: false,
    clientErrorHandler: refuseBrokenRequest,
    // Fastify does not ask the proxies' headers of such a request.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(safetyFields(isHttps(request.raw)));
      sendFailure(error, request, reply);
    },
    // An id of any length gives a 404. The limit on headers bounds the whole URL.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    serverFactory: (handler: RequestListener) => {
      const answer: RequestListener = (request, response) => {
        closeWithConnection(request, response);
        const failure = headerFailure(request);
        if (failure) sendRawFailure(failure, request, response, isHttps(request));
        else if (!early(request, response, handler)) handler(request, response);
        deadline.watch(request, response);
      };
      const limits = {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
        connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
      };
      return createHttpServer({ ...limits, requireHostHeader: false }, answer).on('checkExpectation', answer);
    },
  });
