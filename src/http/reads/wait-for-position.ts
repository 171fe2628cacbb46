/**
 * Makes requests of a controller, commands included, wait for their Podium-Position before they use the read
 * models. So a moderator sees her own changes on every node.
 */
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { ReadYourWrites } from './read-your-writes.js';

@Injectable()
export class WaitForPosition implements NestInterceptor {
  constructor(private readonly readYourWrites: ReadYourWrites) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    await this.readYourWrites.waitForRequestPosition(
      http.getRequest<FastifyRequest>(),
      http.getResponse<FastifyReply>(),
    );
    return next.handle();
  }
}
