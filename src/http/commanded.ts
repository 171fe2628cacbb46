/**
 * How a command over HTTP is answered: when reads show what it did, with the position that they show it at; and how a read that is
 * sent with such a position waits for it, also on another node.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Position } from '../eventstore/event-store.js';
import { READ_MODELS, type ReadModels } from '../projections/read-models.js';
import { POSITION_HEADER, STALE_HEADER } from './headers.js';
import { POSITION_WAIT } from './limits.js';
import { Reads } from './reads.js';

@Injectable()
export class Commanded {
  constructor(
    private readonly reads: Reads,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Waits until this process's reads show the position, 2 s at most, and names it in the reply, or how far they are by then: a
   * command that changes nothing gives the position of an older one, and who goes on from that would see less than before.
   */
  async shown(position: Position, reply: FastifyReply): Promise<void> {
    await this.readModels.waitFor(position, POSITION_WAIT);
    reply.header(POSITION_HEADER, this.reads.tokenOf(Math.max(position, this.readModels.position)));
  }

  /** Waits for the request's Podium-Position, 2 s at most. Throws RejectedError `invalid-request` where it is malformed. */
  async reached({ headers }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const inTime = await this.reads.reached(headers['podium-position']);
    reply.header(POSITION_HEADER, this.reads.positionToken());
    if (!inTime) reply.header(STALE_HEADER, 'true');
  }
}
