/**
 * Answers every public read. It waits for the position that the client has seen, and sends a strong ETag, the
 * position of the reply, and compressed bytes when the client accepts them. A query supplies the bytes.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EVENT_STORE, type EventStore, type Position } from '../../foundation/event-store/event-store.js';
import { decodePosition, encodePosition } from '../../foundation/event-store/position-token.js';
import { Projector } from '../../foundation/projections/projector.js';
import { ReadModelUnavailableError } from '../../foundation/read-models/read-model-store.js';
import { EdgeCaching } from '../edge/edge-caching.js';
import { codingFor, matchesEtag, POSITION_HEADER, STALE_HEADER } from '../message/headers.js';
import { POSITION_WAIT_MS } from '../message/limits.js';
import { invalidRequest } from '../problems/invalid-request.js';
import type { ReadyReply } from '../replies/ready-reply.js';

@Injectable()
export class Reads {
  private lastPosition: Position = -1;
  private lastToken = '';
  private built = false;

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly readModels: Projector,
    private readonly edge: EdgeCaching,
  ) {}

  /** The token of the position that this process's reads show now. */
  positionToken(): string {
    return this.tokenOf(this.readModels.position);
  }

  tokenOf(position: Position): string {
    if (position !== this.lastPosition) {
      this.lastPosition = position;
      this.lastToken = encodePosition(this.events.storeId, position);
    }
    return this.lastToken;
  }

  /**
   * Returns whether a read can be answered at once: the client has seen nothing newer. False for tokens that
   * need a check.
   */
  isCurrent(token: string | undefined): boolean {
    if (token === undefined) return true;
    const position = decodePosition(this.events.storeId, token);
    return typeof position === 'number' && position <= this.readModels.position;
  }

  /** Waits for the position, reads, and sends 200 or 304. */
  async answer(request: FastifyRequest, reply: FastifyReply, read: () => Promise<ReadyReply>): Promise<void> {
    const inTime = await this.waitForToken(request.headers['podium-position']);
    await this.requireBuilt();
    // Taken before the read, which may show more.
    const { position } = this.readModels;
    const ready = await read();
    const { etag, body, coding, contentType, headers } = await ready.encoded(
      codingFor(request.headers['accept-encoding']),
    );
    const isBypassed = this.edge.isBypassedBy(request.headers);
    for (const [name, value] of this.edge.headersFor(ready.tags, isBypassed)) reply.header(name, value);
    reply
      .header('Content-Type', contentType)
      .header('ETag', etag)
      .header(POSITION_HEADER, this.tokenOf(position));
    for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1]);
    if (!inTime) reply.header(STALE_HEADER, 'true');
    if (coding !== 'identity') reply.header('Content-Encoding', coding);
    if (matchesEtag(request.headers['if-none-match'], etag)) reply.code(304).send();
    else reply.code(200).send(body);
  }

  /**
   * Throws ReadModelUnavailableError until all projections of a new store are live. They become live one after
   * another, so a page could show a contest without its results. Later rebuilds run beside the live
   * projections.
   */
  async requireBuilt(): Promise<void> {
    if (this.built) return;
    this.built = await this.readModels.isBuilt();
    if (!this.built)
      throw new ReadModelUnavailableError('the read models are being built for the first time');
  }

  /**
   * Waits for the position of a token. Returns false when reads do not show it in time, or when it belongs to
   * another store (restored or replaced) and cannot be reached. The reply may then be older than what the
   * client has seen.
   */
  async waitForToken(token: string | string[] | undefined): Promise<boolean> {
    if (token === undefined) return true;
    const position = decodePosition(this.events.storeId, String(token));
    if (position === 'malformed') {
      const message = `${POSITION_HEADER} must be a value that a reply of this server carried`;
      throw invalidRequest([{ field: POSITION_HEADER, rule: 'position', message }]);
    }
    return position !== 'foreign' && (await this.readModels.waitFor(position, POSITION_WAIT_MS));
  }
}
