/** Plain HTTP requests on real sockets, without a client's own ideas about headers, compression or redirects. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { POSITION_WAIT_MS } from '../../src/http/message/limits.js';
import { until } from './until.js';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** Parsed when it says that it is JSON, else undefined. */
  readonly json: unknown;
}

/** Status and code of a reply that refuses, as `404 event-not-found`. */
export const refusalOf = ({ status, json }: Reply): string =>
  `${status} ${String(Object(json).type).split('/').at(-1)}`;

export interface Send {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Text and bytes go out as they are, anything else as JSON with its content type. */
  readonly body?: unknown;
  /** Milliseconds until the request is given up. Default a minute. */
  readonly timeout?: number;
}

export class Client {
  constructor(
    readonly url: string,
    private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 }),
  ) {}

  get(path: string, headers: Send['headers'] = {}): Promise<Reply> {
    return this.send(path, { headers });
  }

  /**
   * As of this position or later. A server waits for it only so long and then says that what it gives is older, which is no
   * fault of a machine that is slow: it is asked again.
   */
  after(position: unknown, path: string, headers: Send['headers'] = {}): Promise<Reply> {
    return until(
      () => this.get(path, { ...headers, 'podium-position': String(position) }),
      (reply) => reply.headers['podium-stale'] === undefined,
    );
  }

  post(path: string, body: unknown, headers: Send['headers'] = {}): Promise<Reply> {
    return this.send(path, { method: 'POST', body, headers });
  }

  /** A command is answered when reads show it, or after a while, which may be too short for a slow machine: then it waits on. */
  async send(path: string, options: Send = {}): Promise<Reply> {
    const begun = performance.now();
    const reply = await this.sendOnce(path, options);
    const gaveUp = performance.now() - begun >= POSITION_WAIT_MS;
    const position = reply.headers['podium-position'];
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(options.method ?? 'GET');
    if (gaveUp && !isRead && position !== undefined) await this.after(position, '/api/events');
    return reply;
  }

  private sendOnce(
    path: string,
    { method = 'GET', headers = {}, body, timeout = 60_000 }: Send,
  ): Promise<Reply> {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const raw = isRaw ? body : JSON.stringify(body);
    const all: Record<string, string | string[]> = {};
    if (!isRaw) all['content-type'] = 'application/json';
    for (const [name, value] of Object.entries(headers))
      all[name] = typeof value === 'string' ? value : [...value];
    if (raw !== undefined) all['content-length'] = String(Buffer.byteLength(raw));
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.url);
      const sent = request(
        { hostname, port, path, method, headers: all, agent: this.agent, timeout },
        (reply) => {
          const chunks: Buffer[] = [];
          reply.on('data', (chunk: Buffer) => chunks.push(chunk));
          reply.on('error', reject);
          reply.on('end', () =>
            resolve(replyOf(reply.statusCode ?? 0, reply.headers, Buffer.concat(chunks))),
          );
        },
      );
      sent.on('timeout', () => sent.destroy(new Error(`${method} ${path} got no answer in ${timeout} ms`)));
      sent.on('error', reject);
      sent.end(raw);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

const replyOf = (status: number, headers: IncomingHttpHeaders, body: Buffer): Reply => {
  const plain = headers['content-encoding'] === undefined;
  const text = plain ? body.toString('utf8') : '';
  const isJson = /[/+]json\b/.test(headers['content-type'] ?? '') && text !== '';
  return { status, headers, body, text, json: isJson ? JSON.parse(text) : undefined };
};

/** What a reader sees of a page. */
export const shownText = ({ text }: Reply): string =>
  text
    .replace(/<script.*?<\/script>/gs, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
