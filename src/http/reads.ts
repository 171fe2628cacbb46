/**
 * How every public read is answered: it waits for the position that the client has seen, carries a strong ETag and
 * the position it is as of, and comes compressed where the client takes it. The bytes themselves come from a query.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EVENT_STORE, type EventStore, type Position } from '../eventstore/event-store.js';
import { decodePosition, encodePosition } from '../eventstore/position-token.js';
import { READ_MODELS, type ReadModels } from '../projections/read-models.js';
import type { ReadyBytes } from '../rankings/ranking.queries.js';
import {
  type Coding,
  codingFor,
  matchesEtag,
  POSITION_HEADER,
  READ_HEADERS,
  STALE_HEADER,
} from './headers.js';
import { POSITION_WAIT } from './limits.js';
import { invalidRequest } from './problems.js';
import type { EncodedBytes } from './ready-cache.js';

/** Below this many bytes compression costs more than it saves. */
const WORTH_COMPRESSING = 1_024;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

@Injectable()
export class Reads {
  private lastPosition: Position = -1;
  private lastToken = '';

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** The token of what this process's reads are as of now. */
  positionToken(): string {
    const { position } = this.readModels;
    if (position !== this.lastPosition) {
      this.lastPosition = position;
      this.lastToken = this.tokenOf(position);
    }
    return this.lastToken;
  }

  tokenOf(position: Position): string {
    return encodePosition(this.events.storeId, position);
  }

  /** Whether a read may be answered at once: the client has not seen anything newer. False for what has to be looked at. */
  isCurrent(token: string | undefined): boolean {
    if (token === undefined) return true;
    const position = decodePosition(this.events.storeId, token);
    return typeof position === 'number' && position <= this.readModels.position;
  }

  /** Waits, reads, and sends: 200 or 304. */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    read: (coding: Coding) => Promise<EncodedBytes>,
  ): Promise<void> {
    const inTime = await this.reached(request.headers['podium-position']);
    const token = this.positionToken();
    const { etag, body, coding } = await read(codingFor(request.headers['accept-encoding']));
    for (const [name, value] of READ_HEADERS) reply.header(name, value);
    reply.header('ETag', etag).header(POSITION_HEADER, token);
    if (!inTime) reply.header(STALE_HEADER, 'true');
    if (coding !== 'identity') reply.header('Content-Encoding', coding);
    if (matchesEtag(request.headers['if-none-match'], etag)) reply.code(304).send();
    else reply.code(200).send(body);
  }

  /** A view that no cache holds: serialised and compressed here. */
  async answerView(
    request: FastifyRequest,
    reply: FastifyReply,
    view: () => Promise<unknown>,
  ): Promise<void> {
    await this.answer(request, reply, async (coding) => encode(bytesOf(await view()), coding));
  }

  /**
   * False when what the client has seen does not show in time. A position of another store (restored, or replaced)
   * can never be reached: the client learns at once that what it gets may be older than what it has seen.
   */
  private async reached(token: string | string[] | undefined): Promise<boolean> {
    if (token === undefined) return true;
    const position = decodePosition(this.events.storeId, String(token));
    if (position === 'malformed') {
      const message = `${POSITION_HEADER} must be a value that a reply of this server carried`;
      throw invalidRequest([{ field: POSITION_HEADER, rule: 'position', message }]);
    }
    return position !== 'foreign' && (await this.readModels.waitFor(position, POSITION_WAIT));
  }
}

export const bytesOf = (view: unknown): ReadyBytes => {
  const body = Buffer.from(JSON.stringify(view));
  return { etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`, body };
};

/** A strong ETag names these very bytes, so each coding has its own. */
export const encode = async ({ etag, body }: ReadyBytes, coding: Coding): Promise<EncodedBytes> => {
  if (coding === 'identity' || body.length < WORTH_COMPRESSING) return { etag, body, coding: 'identity' };
  const encoded =
    coding === 'gzip'
      ? await toGzip(body)
      : await toBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
  return { etag: `${etag.slice(0, -1)}-${coding}"`, body: encoded, coding };
};
