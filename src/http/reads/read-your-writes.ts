/**
 * How a command over HTTP is answered: when reads show what it did, with the position that they show it at; and how a read that is
 * sent with such a position waits for it, also on another node.
 */

import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Position } from '../../foundation/event-store/event-store.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { POSITION_HEADER, STALE_HEADER } from '../message/headers.js';
import { CREATED_WAIT_MS, POSITION_WAIT_MS } from '../message/limits.js';
import { FailureError } from '../problems/failure.js';
import { Reads } from './reads.js';

const NOT_SHOWN = {
  code: 'unavailable',
  status: 503,
  detail: 'It was made, but reads do not show it yet. Look for it later instead of making it again.',
  headers: { 'Retry-After': '1' },
};

@Injectable()
export class ReadYourWrites {
  constructor(
    @Inject(Reads) private readonly reads: Pick<Reads, 'positionToken' | 'waitForToken' | 'tokenOf'>,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Waits until this process's reads show the position, 2 s at most, and names it in the reply, or how far they are by then: a
   * command that changes nothing gives the position of an older one, and who goes on from that would see less than before.
   */
  async waitUntilVisible(position: Position, reply: FastifyReply): Promise<void> {
    await this.readModels.waitFor(position, POSITION_WAIT_MS);
    reply.header(POSITION_HEADER, this.reads.tokenOf(Math.max(position, this.readModels.position)));
  }

  /**
   * What a command has made. Reads that are behind would say that there is no such thing, and who believes that makes it
   * again: they are waited for longer, 10 s at most. Throws FailureError.
   */
  async waitUntilCreated<T>(position: Position, reply: FastifyReply, read: () => Promise<T>): Promise<T> {
    await this.waitUntilVisible(position, reply);
    if (!(await this.readModels.waitFor(position, CREATED_WAIT_MS - POSITION_WAIT_MS)))
      throw new FailureError(NOT_SHOWN);
    return read();
  }

  /** Waits for the request's Podium-Position, 2 s at most. Throws RejectedError `invalid-request` where it is malformed. */
  async waitForRequestPosition({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const inTime = await this.reads.waitForToken(headers['podium-position']);
    reply.header(POSITION_HEADER, this.reads.positionToken());
    if (!inTime) reply.header(STALE_HEADER, 'true');
  }
}
