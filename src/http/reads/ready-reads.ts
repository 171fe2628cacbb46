/**
 * Answers reads with ready bytes before the router. A URL that was answered once is remembered with the cache
 * key of its bytes. While the cache holds them, they are written straight to the socket, with the same headers
 * as a routed reply. The router handles all other requests: other methods, a position not reached, bytes
 * invalidated or not in this coding.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Histogram } from '../../foundation/basics/histogram.js';
import { EdgeCaching } from '../edge/edge-caching.js';
import type { EarlyPipeline, EarlyResponder } from '../feature.js';
import { codingFor, matchesEtag } from '../message/headers.js';
import { requestIdOf } from '../message/request-id.js';
import { RequestMetrics } from '../observability/request-metrics.js';
import { ByteCache, type EncodedBytes, ReadyReply } from '../replies/ready-reply.js';
import { Reads } from './reads.js';
import { ReadyHead } from './ready-head.js';

/** URLs that are remembered. Clients can write the URL of one list in any number of ways. */
const MAX_URLS = 20_000;
const MAX_URL_LENGTH = 500;

interface Remembered {
  readonly key: string;
  readonly times: Readonly<Record<200 | 304, Histogram>>;
}

@Injectable()
export class ReadyReads implements EarlyResponder {
  private readonly urls = new LRUCache<string, Remembered>({ max: MAX_URLS });
  private readonly heads = new WeakMap<EncodedBytes, ReadyHead>();
  private stopped = false;

  constructor(
    private readonly cache: ByteCache,
    private readonly reads: Reads,
    private readonly metrics: RequestMetrics,
    private readonly edge: EdgeCaching,
  ) {}

  /**
   * Answers with the reply of `make`, which is cached under `key`, and remembers the URL. The key of a URL
   * never changes; only the bytes under the key do.
   */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    read: { readonly key: string; readonly make: () => Promise<ReadyReply> },
  ): Promise<void> {
    return this.reads.answer(request, reply, async () => {
      const made = await read.make();
      this.remember(request.url, request.routeOptions.url ?? read.key, read.key);
      return made;
    });
  }

  /** The same for the view of a query, cached until one of the tags changes. */
  answerView(
    request: FastifyRequest,
    reply: FastifyReply,
    read: {
      readonly key: string;
      readonly tags: readonly string[];
      readonly view: () => Promise<{ readonly json: unknown; readonly headers?: readonly string[] }>;
    },
  ): Promise<void> {
    const { key, tags, view } = read;
    const make = async (): Promise<ReadyReply> => {
      const { json, headers } = await view();
      return new ReadyReply(Buffer.from(JSON.stringify(json)), headers);
    };
    return this.answerMade(request, reply, { key, tags, make });
  }

  /** The same for any other reply. */
  answerMade(
    request: FastifyRequest,
    reply: FastifyReply,
    read: {
      readonly key: string;
      readonly tags: readonly string[];
      readonly make: () => Promise<ReadyReply>;
    },
  ): Promise<void> {
    const { key, tags, make } = read;
    return this.answer(request, reply, { key, make: () => this.cache.getOrMake(key, tags, make) });
  }

  private remember(url: string, route: string, key: string): void {
    if (url.length > MAX_URL_LENGTH || this.urls.get(url)) return;
    this.urls.set(url, {
      key,
      times: { 200: this.metrics.times('GET', route, 200), 304: this.metrics.times('GET', route, 304) },
    });
  }

  /** From now on the router answers all requests, because it closes connections at shutdown. */
  stop(): void {
    this.stopped = true;
  }

  /** Returns false, with nothing done, for requests that need the router. */
  serve(request: IncomingMessage, response: ServerResponse, { answered, isHttps }: EarlyPipeline): boolean {
    if (this.stopped || request.method !== 'GET' || request.url === undefined) return false;
    const known = this.urls.get(request.url);
    if (!known) return false;
    const start = performance.now();
    const { headers } = request;
    const coding = codingFor(headers['accept-encoding']?.toString());
    const ready = this.cache.ready(known.key, coding);
    const seen = headers['podium-position'];
    if (!ready || !this.reads.isCurrent(seen?.toString())) return false;
    const status = matchesEtag(headers['if-none-match'], ready.etag) ? 304 : 200;
    const head = this.headOf(ready, request, isHttps(request)).of(status, requestIdOf(request));
    if (status === 304) response.writeHead(304, head).end();
    else response.writeHead(200, head).end(ready.body);
    known.times[status].add((performance.now() - start) / 1_000);
    answered(status, 0);
    return true;
  }

  /** The requests of one balancer come all by https, or none, and few are bypassed: so the last head is kept. */
  private headOf(ready: EncodedBytes, { headers }: IncomingMessage, isHttps: boolean): ReadyHead {
    const isBypassed = this.edge.isBypassedBy(headers);
    const variant = { position: this.reads.positionToken(), isHttps, isBypassed };
    const known = this.heads.get(ready);
    if (known?.isFor(variant)) return known;
    const head = new ReadyHead(ready, variant, this.edge.headersFor(ready.tags, isBypassed));
    this.heads.set(ready, head);
    return head;
  }
}
