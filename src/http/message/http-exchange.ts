/** A request and its reply as one parameter of a handler. What the handler returns is still sent as the body. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface HttpExchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** `@Http() http: HttpExchange` */
export const Http = createParamDecorator((_: unknown, context: ExecutionContext): HttpExchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<FastifyRequest>(), reply: http.getResponse<FastifyReply>() };
});
