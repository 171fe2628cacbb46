/**
 * Answers a call whose result is held here before any routing, as ready reads are: a URL that was answered once from the
 * cache is remembered with the token's holder, the endpoint's version and the result's key. It is answered so again only
 * while all three are still known to be good without waiting: a token that was revoked, an endpoint that was changed and a
 * result that is too old all go the long way, and so does everything with a body.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { EncodedBytes } from '../../foundation/replies/ready-reply.js';
import { keyOf } from '../../http/credentials/request-key.js';
import type { EarlyPipeline, EarlyResponder } from '../../http/feature.js';
import { codingFor } from '../../http/message/headers.js';
import { requestIdOf } from '../../http/message/request-id.js';
import { RequestMetrics, type RouteTimes } from '../../http/observability/request-metrics.js';
import { LOG_RESULT_CACHE, type LogResultCache, type ServedReply } from '../cache/result-cache.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import { TokenHolders } from '../tokens/token.handlers.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import { asksToRedact, callHead } from './call-head.js';
import type { KeptAs } from './endpoint-call.js';
import { mayHaveBody } from './request-body.js';

/** Spellings of URLs that are remembered for each token. */
const URLS = 1_000;
const MAX_URL_LENGTH = 2_000;
const PATH = '/api/endpoints/query/';

interface Remembered extends KeptAs {
  readonly times: RouteTimes;
}

type Urls = LRUCache<string, Remembered>;

/** Of one holder: calls that ask to redact, and those that do not. */
type Calls = readonly [plain: Urls, redacted: Urls];

/** A call that was answered: who made it, what for, and how its result is kept, if it is. */
interface Answered {
  readonly holder: TokenHolder;
  readonly redact: boolean;
  readonly kept: KeptAs | null;
}

interface Head {
  readonly ageSeconds: number;
  readonly head: string[];
}

@Injectable()
export class ReadyCalls implements EarlyResponder {
  /** A holder is another object as soon as anything has happened to the token. */
  readonly #calls = new WeakMap<TokenHolder, Calls>();
  readonly #heads = new WeakMap<EncodedBytes, Head>();
  #stopped = false;

  constructor(
    private readonly holders: TokenHolders,
    private readonly endpoints: EndpointNames,
    @Inject(LOG_RESULT_CACHE) private readonly cache: LogResultCache,
    private readonly metrics: RequestMetrics,
  ) {}

  /** A call that was answered. What had a body, or was not kept, is not remembered. */
  remember({ raw, url, routeOptions }: FastifyRequest, { holder, redact, kept }: Answered): void {
    if (kept === null || raw.method !== 'GET' || mayHaveBody(raw) || url.length > MAX_URL_LENGTH) return;
    const times = this.metrics.times('GET', routeOptions.url ?? PATH, 200);
    this.#urlsOf(holder, redact).set(url, { ...kept, times });
  }

  /** From now on all goes the long way, which closes connections as it answers. */
  stop(): void {
    this.#stopped = true;
  }

  /** False, and nothing done, when the request has to go the long way. */
  serve(request: IncomingMessage, response: ServerResponse, { answered }: EarlyPipeline): boolean {
    const { url = '', headers } = request;
    if (this.#stopped || !url.startsWith(PATH) || request.method !== 'GET' || mayHaveBody(request))
      return false;
    const start = performance.now();
    const token = keyOf(headers);
    const holder = token === null ? undefined : this.holders.peek(token);
    const redact = asksToRedact(headers);
    if (!holder || redact === null) return false;
    const known = this.#calls.get(holder)?.[redact ? 1 : 0].get(url);
    if (!known || this.endpoints.peekVersion(known.endpointId) !== known.version) return false;
    const served = this.cache.peek(known.key);
    const bytes = served?.reply.ready(codingFor(headers['accept-encoding']?.toString()));
    if (!served || !bytes) return false;
    response.writeHead(200, this.#headOf(bytes, served, requestIdOf(request))).end(bytes.body);
    this.holders.used(holder);
    known.times.add((performance.now() - start) / 1_000);
    answered(200, 0);
    return true;
  }

  /** Put together once for each age; only the request's id, the last of it, is always another. To be used at once. */
  #headOf(bytes: EncodedBytes, served: ServedReply, requestId: string): string[] {
    const { ageSeconds } = served;
    let known = this.#heads.get(bytes);
    if (known?.ageSeconds !== ageSeconds) {
      const head = [
        ...callHead(bytes, served),
        'Content-Length',
        String(bytes.body.length),
        'X-Request-Id',
        '',
      ];
      known = { ageSeconds, head };
      this.#heads.set(bytes, known);
    }
    known.head[known.head.length - 1] = requestId;
    return known.head;
  }

  #urlsOf(holder: TokenHolder, redacted: boolean): Urls {
    const calls = this.#calls.get(holder) ?? [new LRUCache({ max: URLS }), new LRUCache({ max: URLS })];
    this.#calls.set(holder, calls);
    return calls[redacted ? 1 : 0];
  }
}
