/**
 * Read-your-writes over HTTP. A command is answered when reads show its result, with the position of that. A
 * request that sends this position waits for it, also on another node.
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
  detail: 'It was created, but reads do not show it yet. Look for it later; do not create it again.',
  headers: { 'Retry-After': '1' },
};

@Injectable()
export class ReadYourWrites {
  constructor(
    @Inject(Reads) private readonly reads: Pick<Reads, 'positionToken' | 'waitForToken' | 'tokenOf'>,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Waits at most 2 s until reads of this process show the position, and sends it as Podium-Position. When
   * reads are further already, their position is sent: a command that changed nothing has an old one.
   */
  async waitUntilVisible(position: Position, reply: FastifyReply): Promise<void> {
    await this.readModels.waitFor(position, POSITION_WAIT_MS);
    reply.header(POSITION_HEADER, this.reads.tokenOf(Math.max(position, this.readModels.position)));
  }

  /**
   * Waits at most 10 s until reads show what a command has created, then reads it. A client that gets a 404
   * would create it again. Throws FailureError `unavailable` when reads do not show it in time.
   */
  async waitUntilCreated<T>(position: Position, reply: FastifyReply, read: () => Promise<T>): Promise<T> {
    await this.waitUntilVisible(position, reply);
    if (!(await this.readModels.waitFor(position, CREATED_WAIT_MS - POSITION_WAIT_MS)))
      throw new FailureError(NOT_SHOWN);
    return read();
  }

  /**
   * Waits at most 2 s for the Podium-Position of the request. Throws RejectedError `invalid-request` when it is
   * malformed.
   */
  async waitForRequestPosition({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const inTime = await this.reads.waitForToken(headers['podium-position']);
    reply.header(POSITION_HEADER, this.reads.positionToken());
    if (!inTime) reply.header(STALE_HEADER, 'true');
  }
}
