/**
 * Logs the server's own requests as edge_logs of the project `podium`, best effort. Recording a request costs a few
 * assignments. The buffer is flushed once a second; requests beyond its capacity are counted and dropped.
 */
import type { IncomingMessage } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { settlesWithin } from '../foundation/basics/settles-within.js';
import type { JsonRecord } from '../foundation/log-store/sources.js';
import type { RequestObserver } from '../http/feature.js';
import { isIngestPath, pathOf } from '../http/message/paths.js';
import { OWN_REQUEST_SINK, type OwnRequestSink } from './own-request-sink.js';
import { labelsIn } from './query/call-labels.js';
import type { Amount } from './query/estimate-views.js';
import { readBy } from './query/read-amounts.js';

/** Capacity of the buffer, for one second. Writing more would take processor time from serving requests. */
const MAX_PENDING_REQUESTS = 1_000;
const WRITE_EVERY_MS = 1_000;
/** At the end of the server, also when the log store hangs. */
const LAST_WRITE_MS = 500;
/** Requests that are serialised before the event loop runs again. */
const SLICE_REQUESTS = 100;
const MAX_URL_LENGTH = 2_000;

/** Parameters that are not logged: they can hold a query, the name of a person (who may be erased later), or a secret. */
const UNLOGGED_PARAMETERS = /^(?:sql|lql|search|.*(?:key|token|secret|password|signature|auth).*)$/i;

/** The only parts of a request that are kept, so neither keys nor bodies can get into a log. */
interface RecordedRequest {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly userAgent: string;
  readonly address: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Of a call of an endpoint. */
  readonly labels: readonly string[];
  /** What a call of an endpoint read; null: it did not ask. */
  readonly read: Amount | null;
}

const CALLS = '/api/endpoints/query/';
const NO_LABELS: readonly string[] = [];

@Injectable()
export class OwnRequests implements RequestObserver, OnModuleInit, BeforeApplicationShutdown {
  #noted: RecordedRequest[] = [];
  #dropped = 0;
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(@Inject(OWN_REQUEST_SINK) private readonly sink: OwnRequestSink) {}

  /** Requests that were not written since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  onModuleInit(): void {
    this.#timer = setInterval(() => {
      this.#writing ??= this.#write().finally(() => {
        this.#writing = null;
      });
    }, WRITE_EVERY_MS);
    this.#timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    const last = (this.#writing ?? Promise.resolve()).then(() => this.#write()).then(() => this.sink.close());
    await settlesWithin(last, LAST_WRITE_MS);
  }

  note(request: IncomingMessage, reply: Pick<RecordedRequest, 'address' | 'status' | 'milliseconds'>): void {
    const { method = '', url = '', headers } = request;
    if (isIngestPath(pathOf(url))) return;
    if (this.#noted.length >= MAX_PENDING_REQUESTS) {
      this.#dropped++;
      return;
    }
    this.#noted.push({
      at: Date.now(),
      method,
      url,
      host: headers.host ?? '',
      userAgent: headers['user-agent'] ?? '',
      address: reply.address,
      status: reply.status,
      milliseconds: reply.milliseconds,
      labels: url.startsWith(CALLS) ? (labelsIn(headers) ?? NO_LABELS) : NO_LABELS,
      read: readBy(request),
    });
  }

  async #write(): Promise<void> {
    const noted = this.#noted;
    if (noted.length === 0) return;
    this.#noted = [];
    try {
      const lines: string[] = [];
      for (let from = 0; from < noted.length; from += SLICE_REQUESTS) {
        for (const one of noted.slice(from, from + SLICE_REQUESTS)) lines.push(JSON.stringify(entryOf(one)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await this.sink.write(Buffer.from(lines.join('\n')));
    } catch {
      // The store or its owner is busy or unreachable. Requests are served all the same.
      this.#dropped += noted.length;
    }
  }
}

const entryOf = ({
  at,
  method,
  url,
  host,
  userAgent,
  address,
  status,
  milliseconds,
  labels,
  read,
}: RecordedRequest): JsonRecord => {
  const { path, search } = withoutSecrets(url.slice(0, MAX_URL_LENGTH));
  return {
    timestamp: at,
    event_message: `${method} | ${status} | ${address} | ${path}${search}`,
    metadata: {
      request: {
        method,
        path,
        search,
        host,
        url: `http://${host}${path}${search}`,
        headers: { user_agent: userAgent, x_real_ip: address },
      },
      response: { status_code: status, origin_time: Math.round(milliseconds) },
      ...(read && { read: { ...read } }),
      ...(labels.length > 0 && { labels: [...labels] }),
    },
  };
};

/** Returns the path, and the query without the parameters that are not logged. `search` begins with `?` or is empty. */
const withoutSecrets = (url: string): { readonly path: string; readonly search: string } => {
  const at = url.indexOf('?');
  if (at === -1) return { path: url, search: '' };
  const kept = url
    .slice(at + 1)
    .split('&')
    .filter((part) => !UNLOGGED_PARAMETERS.test(nameOf(part)));
  return { path: url.slice(0, at), search: kept.length > 0 ? `?${kept.join('&')}` : '' };
};

/** Returns the decoded name of a parameter; for one that cannot be decoded, a name that is not logged. */
const nameOf = (part: string): string => {
  try {
    return decodeURIComponent((part.split('=', 1)[0] ?? '').replaceAll('+', ' ')).trim();
  } catch {
    return 'key';
  }
};
