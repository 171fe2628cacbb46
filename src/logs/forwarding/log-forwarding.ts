/**
 * Forwards requests of the log paths to the node that owns the log store, when that is another node. Body, status and
 * end-to-end headers pass unchanged. A log store has one owner, but clients can send to any node.
 */

import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { owningNode } from '../../foundation/log-store/log-owner.js';
import type { EarlyPipeline, EarlyResponder } from '../../http/feature.js';
import { isIngestPath, routedPathOf } from '../../http/message/paths.js';
import { requestIdOf } from '../../http/message/request-id.js';
import { safetyFields } from '../../http/message/safety-headers.js';
import { RequestMetrics } from '../../http/observability/request-metrics.js';
import type { Failure } from '../../http/problems/failure.js';
import { PROBLEM_CONTENT_TYPE, problemOf } from '../../http/problems/problems.js';

/** How long the owner may take to accept a connection, and how long it may be silent during its answer. */
const CONNECT_TIMEOUT_MS = 5_000;
const SILENCE_TIMEOUT_MS = 60_000;
const RETRY_AFTER = { 'Retry-After': '1' };

/** Marks a forwarded request. Without it, two nodes that name each other as owner would forward it for ever. */
const FORWARDED = 'podium-forwarded';

/** Headers of a single connection (RFC 9110, 7.6.1). They are never forwarded. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Requests that read or write entries, those about running queries, sources, alerts and drains, and those that change endpoints: a query is
 * checked against the fields of the entries, and a name against those of the sources.
 */
const isOwnersRequest = ({ method, url = '' }: IncomingMessage): boolean => {
  const path = routedPathOf(url);
  if (isIngestPath(path) || OF_THE_STORE.test(path)) return true;
  return method !== 'GET' && method !== 'HEAD' && /^\/api\/endpoints(?:\/|$)/.test(path);
};

const OF_THE_STORE =
  /^\/api\/(?:endpoints\/query|logs\/(?:alerts|drains|queries|sources|tail|export)|moderation\/logs\/projects)(?:\/|$)/;

const STREAM = /^\/api\/logs\/(?:tail|export)\/?$/;

/** A request on its way through this node. `safety`: headers that this node adds, since it knows how the client came. */
interface Exchange {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly safety: Readonly<Record<string, string>>;
}

@Injectable()
export class LogForwarding implements EarlyResponder, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #owner: URL | null;
  readonly #agent: HttpAgent;
  /** Connections of tails and exports stay open, so they are not among those for requests. */
  readonly #streams: HttpAgent;

  constructor(
    @Inject(CONFIG) { logStoreUrl }: Pick<PodiumConfig, 'logStoreUrl'>,
    private readonly metrics: RequestMetrics,
  ) {
    this.#owner = owningNode(logStoreUrl);
    const Agent = this.#owner?.protocol === 'https:' ? HttpsAgent : HttpAgent;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 256 });
    this.#streams = new Agent();
  }

  /** Returns false, and does nothing, when this node answers the request itself. */
  serve(request: IncomingMessage, response: ServerResponse, { isHttps }: EarlyPipeline): boolean {
    if (!this.#owner || !isOwnersRequest(request)) return false;
    const start = performance.now();
    response.once('close', () => {
      const times = this.metrics.times(request.method ?? '', 'forwarded', response.statusCode);
      times.add((performance.now() - start) / 1_000);
    });
    // Read once, so that the owner's log and a failure of this node have the same id.
    const id = requestIdOf(request);
    const exchange = { id, request, response, safety: safetyFields(isHttps(request)) };
    if (request.headers[FORWARDED] === undefined) this.#forward(this.#owner, exchange);
    else fail(exchange, 'LOG_STORE_URL names a node that does not own the log store either.');
    return true;
  }

  /** Ends the open replies before the server waits for its connections, because they would stay open. */
  beforeApplicationShutdown(): void {
    this.#streams.destroy();
  }

  onApplicationShutdown(): void {
    this.#agent.destroy();
  }

  #forward(owner: URL, exchange: Exchange): void {
    const { id, request, response, safety } = exchange;
    const send = owner.protocol === 'https:' ? httpsRequest : httpRequest;
    const failUnreachable = (): void =>
      fail(exchange, 'The node that owns the logs does not answer. Send it again later.');
    const upstream = send(
      {
        hostname: owner.hostname,
        port: owner.port,
        // Unchanged, because the owner's router has to decide what it means.
        path: request.url ?? '',
        method: request.method ?? 'GET',
        headers: { ...headersOf(request, owner), 'x-request-id': id },
        agent: STREAM.test(routedPathOf(request.url ?? '')) ? this.#streams : this.#agent,
        timeout: SILENCE_TIMEOUT_MS,
      },
      (answer) => {
        if (response.headersSent) return; // It took too long and was answered 503.
        response.writeHead(answer.statusCode ?? 502, { ...endToEnd(answer.headers), ...safety });
        answer.pipe(response);
        answer.on('error', () => response.destroy());
        answer.on('aborted', () => response.destroy());
      },
    );
    limitConnecting(upstream);
    upstream.on('timeout', () => upstream.destroy(new Error('silent for too long')));
    upstream.on('error', failUnreachable);
    response.on('close', () => upstream.destroy());
    request.on('aborted', () => upstream.destroy());
    request.pipe(upstream);
  }
}

const limitConnecting = (upstream: ClientRequest): void => {
  const timer = setTimeout(() => upstream.destroy(new Error('no connection')), CONNECT_TIMEOUT_MS);
  upstream.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => clearTimeout(timer));
    else clearTimeout(timer);
  });
  upstream.once('close', () => clearTimeout(timer));
};

const headersOf = (request: IncomingMessage, owner: URL): IncomingHttpHeaders => {
  const { headers, socket } = request;
  const before = headers['x-forwarded-for'];
  const address = socket.remoteAddress ?? '';
  const length = headers['content-length'];
  const chunked = length === undefined && headers['transfer-encoding'] !== undefined;
  return {
    ...endToEnd(headers),
    host: owner.host,
    // The owner compares the page's origin with the host that the client used, not with its own.
    'x-forwarded-host': headers['x-forwarded-host'] ?? headers.host ?? '',
    'x-forwarded-for': before === undefined ? address : `${before}, ${address}`,
    [FORWARDED]: '1',
    ...(chunked ? { 'transfer-encoding': 'chunked' } : {}),
  };
};

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name)),
  );
};

const fail = ({ response, id, safety }: Exchange, detail: string): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const failure: Failure = { code: 'unavailable', status: 503, detail };
  const headers = { 'Content-Type': PROBLEM_CONTENT_TYPE, 'Cache-Control': 'no-store', 'X-Request-Id': id };
  response
    .writeHead(503, { ...headers, ...safety, ...RETRY_AFTER })
    .end(JSON.stringify({ ...problemOf(failure, id), error: detail }));
};
