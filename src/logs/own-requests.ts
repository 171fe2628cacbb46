/**
 * The server's own requests as edge_logs of the project `podium`, best effort: noting one costs a few assignments, a
 * second's worth is written at once, and what is more than the buffer holds is counted and let go.
 */
import type { IncomingMessage } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { JsonRecord } from '../foundation/log-store/sources.js';
import type { RequestObserver } from '../http/feature.js';
import { OWN_REQUEST_SINK, type OwnRequestSink } from './own-request-sink.js';

/** Of one second; more would take processor time from what the requests are for. */
const MAX_PENDING_REQUESTS = 1_000;
const WRITE_EVERY_MS = 1_000;
/** Put together at a time, so that nobody waits for the rest. */
const SLICE = 100;
const MAX_URL_LENGTH = 2_000;

/** Parameters that hold queries or names of persons, who may be erased, or could hold a secret. */
const CUT = /^(?:sql|lql|search|.*(?:key|token|secret|password|signature|auth).*)$/i;

/** What was noted: only these, so neither keys nor bodies can get into a log. */
interface Noted {
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly userAgent: string;
  readonly address: string;
  readonly status: number;
  readonly milliseconds: number;
}

@Injectable()
export class OwnRequests implements RequestObserver, OnModuleInit, BeforeApplicationShutdown {
  #noted: Noted[] = [];
  #dropped = 0;
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(@Inject(OWN_REQUEST_SINK) private readonly sink: OwnRequestSink) {}

  /** How many were not written, since the start. */
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
    await this.#writing;
    await this.#write();
    await this.sink.close();
  }

  note(
    { method = '', url = '', headers }: IncomingMessage,
    reply: Pick<Noted, 'address' | 'status' | 'milliseconds'>,
  ): void {
    if (url.startsWith('/api/logs') && (url.length === 9 || url[9] === '?')) return;
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
    });
  }

  async #write(): Promise<void> {
    const noted = this.#noted;
    if (noted.length === 0) return;
    this.#noted = [];
    try {
      const lines: string[] = [];
      for (let from = 0; from < noted.length; from += SLICE) {
        for (const one of noted.slice(from, from + SLICE)) lines.push(JSON.stringify(entryOf(one)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await this.sink.write(Buffer.from(lines.join('\n')));
    } catch {
      // The store or its owner is busy or away: requests are served all the same.
      this.#dropped += noted.length;
    }
  }
}

const entryOf = ({ at, method, url, host, userAgent, address, status, milliseconds }: Noted): JsonRecord => {
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
    },
  };
};

/** The path, and of the query what may be kept, with its question mark. */
const withoutSecrets = (url: string): { readonly path: string; readonly search: string } => {
  const at = url.indexOf('?');
  if (at === -1) return { path: url, search: '' };
  const kept = url
    .slice(at + 1)
    .split('&')
    .filter((part) => !CUT.test(nameOf(part)));
  return { path: url.slice(0, at), search: kept.length > 0 ? `?${kept.join('&')}` : '' };
};

/** As the server reads it: a name may be written in escapes. One that cannot be read is not kept either. */
const nameOf = (part: string): string => {
  try {
    return decodeURIComponent((part.split('=', 1)[0] ?? '').replaceAll('+', ' ')).trim();
  } catch {
    return 'key';
  }
};
