/**
 * An open reply of server-sent events. Bytes sent before `open` are queued. The reply has no length and no chunks and ends with
 * its connection. So the same bytes can be written to the sockets of all readers.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { VIEWER_BACKLOG, VIEWER_PING_MS } from './limits.js';
import { safetyHeaders } from './safety-headers.js';

/** The connection of one reader. */
export interface EventReader {
  /** Queues the bytes when the socket is full; see `isBehind`. */
  send(bytes: Buffer): void;
  readonly isBehind: boolean;
  end(): void;
}

interface Opening {
  /** Called once, when the client has gone. */
  readonly left: () => void;
  /** Called when the client can take bytes again. */
  readonly drained: () => void;
  /** Names and values in turn. */
  readonly headers?: readonly string[];
  /** Sent now and then, so that no proxy closes a silent connection. Default: a comment. */
  readonly ping?: () => string;
}

/** `data` is written as JSON. `id` becomes the Last-Event-ID of a client that reconnects. */
export const eventText = (event: string, id: string | number, data: unknown): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export class EventStream implements EventReader {
  #early: Buffer[] | null = [];
  readonly #response: ServerResponse;

  constructor(
    private readonly reply: FastifyReply,
    private readonly request: Pick<FastifyRequest, 'raw' | 'id' | 'protocol' | 'method'>,
  ) {
    this.#response = reply.raw;
  }

  get #socket(): Socket {
    return this.request.raw.socket;
  }

  get isBehind(): boolean {
    return this.#socket.writableLength > VIEWER_BACKLOG;
  }

  /** Sends the head and what was queued. A failure that follows can no longer become a problem document. */
  open({ left, drained, headers = [], ping = () => ':\n\n' }: Opening): void {
    this.reply.hijack();
    // The socket may have closed before a close handler was added.
    if (this.#socket.destroyed) {
      left();
      return;
    }
    this.#sendHead(headers);
    // A reply to HEAD has no body, so it ends here. Otherwise the client would wait forever.
    if (this.request.method === 'HEAD') {
      left();
      this.end();
      return;
    }
    const timer = setInterval(() => this.#socket.write(ping()), VIEWER_PING_MS);
    this.#socket.on('drain', drained);
    this.#response.on('close', () => {
      clearInterval(timer);
      left();
    });
    const early = this.#early ?? [];
    this.#early = null;
    for (const bytes of early) this.#socket.write(bytes);
  }

  send(bytes: Buffer): void {
    if (this.#early) this.#early.push(bytes);
    else this.#socket.write(bytes);
  }

  end(): void {
    this.#response.end();
  }

  #sendHead(headers: readonly string[]): void {
    this.#response.removeHeader('Transfer-Encoding');
    this.#response.writeHead(200, [
      ...headers,
      ...safetyHeaders(this.request.protocol === 'https'),
      'Content-Type',
      'text/event-stream; charset=utf-8',
      'Cache-Control',
      'no-store',
      'Connection',
      'close',
      // Otherwise a buffering proxy would delay the events.
      'X-Accel-Buffering',
      'no',
      'X-Request-Id',
      String(this.request.id),
    ]);
    this.#response.flushHeaders();
  }
}
