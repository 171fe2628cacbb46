/**
 * Answers calls from the cache of this process before routing. The URL of a cached answer is remembered with the token's
 * holder, the endpoint's version and the result's key. A later call gets the same result while all three are valid, as
 * far as this process knows without waiting. All other requests go to the router.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Histogram } from '../../foundation/basics/histogram.js';
import { keyOf } from '../../http/credentials/request-key.js';
import type { EarlyPipeline, EarlyResponder } from '../../http/feature.js';
import { codingFor } from '../../http/message/headers.js';
import { requestIdOf } from '../../http/message/request-id.js';
import { safetyHeaders } from '../../http/message/safety-headers.js';
import { RequestMetrics } from '../../http/observability/request-metrics.js';
import type { EncodedBytes } from '../../http/replies/ready-reply.js';
import { LOG_RESULT_CACHE, type LogResultCache, type ServedReply } from '../cache/result-cache.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { TokenHolders } from '../tokens/token.handlers.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { acceptedFormat } from './asked-format.js';
import { asksToRedact, callHead, mayAskForCost } from './call-head.js';
import { labelsIn } from './call-labels.js';
import type { KeptAs } from './endpoint-call.js';
import { mayHaveBody } from './request-body.js';

/** Remembered URLs of each token. */
const MAX_URLS = 1_000;
const MAX_URL_LENGTH = 2_000;
const PATH = '/api/endpoints/query/';

interface RememberedCall extends KeptAs {
  readonly times: Histogram;
}

type Urls = LRUCache<string, RememberedCall>;

/** The remembered calls of one holder, without and with a redaction header. */
type Calls = readonly [plain: Urls, redacted: Urls];

/** `kept`: where the result is cached; null: it is not. */
interface Answered {
  readonly holder: TokenHolder;
  readonly redact: boolean;
  readonly kept: KeptAs | null;
}

interface Head {
  readonly ageSeconds: number;
  readonly isHttps: boolean;
  readonly head: string[];
}

@Injectable()
export class ReadyCalls implements EarlyResponder {
  /** Any event of a token makes a new holder object, so its calls are forgotten. */
  readonly #calls = new WeakMap<TokenHolder, Calls>();
  readonly #heads = new WeakMap<EncodedBytes, Head>();
  #stopped = false;

  constructor(
    private readonly holders: TokenHolders,
    private readonly endpoints: EndpointNames,
    @Inject(LOG_RESULT_CACHE) private readonly cache: LogResultCache,
    private readonly metrics: RequestMetrics,
  ) {}

  /** Remembers an answered call, unless it had a body or its result is not cached. */
  remember({ raw, url, routeOptions }: FastifyRequest, { holder, redact, kept }: Answered): void {
    if (kept === null || raw.method !== 'GET' || mayHaveBody(raw) || url.length > MAX_URL_LENGTH) return;
    const times = this.metrics.times('GET', routeOptions.url ?? PATH, 200);
    this.#urlsOf(holder, redact).set(url, { ...kept, times });
  }

  /** Sends all later requests to the router. When the server stops, the router closes connections after the reply. */
  stop(): void {
    this.#stopped = true;
  }

  /** Returns false, and does nothing, for requests that need the router. */
  serve(request: IncomingMessage, response: ServerResponse, { answered, isHttps }: EarlyPipeline): boolean {
    const { url = '', headers } = request;
    if (this.#stopped || !url.startsWith(PATH) || request.method !== 'GET' || mayHaveBody(request))
      return false;
    const start = performance.now();
    const token = keyOf(headers);
    const holder = token === null ? undefined : this.holders.peek(token);
    const redact = asksToRedact(headers);
    if (!holder || redact === null || labelsIn(headers) === null || acceptedFormat(headers) !== 'json')
      return false;
    if (mayAskForCost(headers)) return false;
    const known = this.#calls.get(holder)?.[redact ? 1 : 0].get(url);
    if (!known || this.endpoints.peekVersion(known.endpointId) !== known.version) return false;
    const served = this.cache.peek(known.key);
    const bytes = served?.reply.ready(codingFor(headers['accept-encoding']?.toString()));
    if (!served || !bytes) return false;
    const head = this.#headOf(bytes, served, isHttps(request));
    head[head.length - 1] = requestIdOf(request);
    response.writeHead(200, head).end(bytes.body);
    this.holders.used(holder);
    known.times.add((performance.now() - start) / 1_000);
    answered(200, 0);
    return true;
  }

  /**
   * Returns the headers of a reply. They are built once for each age and shared: the caller sets the last value, the
   * request's id, and must use them at once.
   */
  #headOf(bytes: EncodedBytes, served: ServedReply, isHttps: boolean): string[] {
    const { ageSeconds } = served;
    let known = this.#heads.get(bytes);
    if (known?.ageSeconds !== ageSeconds || known.isHttps !== isHttps) {
      const head = [
        ...callHead(bytes, served),
        ...safetyHeaders(isHttps),
        'Content-Length',
        String(bytes.body.length),
        'X-Request-Id',
        '',
      ];
      known = { ageSeconds, isHttps, head };
      this.#heads.set(bytes, known);
    }
    return known.head;
  }

  #urlsOf(holder: TokenHolder, redacted: boolean): Urls {
    const calls = this.#calls.get(holder) ?? [
      new LRUCache({ max: MAX_URLS }),
      new LRUCache({ max: MAX_URLS }),
    ];
    this.#calls.set(holder, calls);
    return calls[redacted ? 1 : 0];
  }
}
