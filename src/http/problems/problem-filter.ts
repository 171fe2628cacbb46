/** Sends every failure as a problem document, and logs those that are ours under the request's id. */

import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CORS_HEADERS } from '../message/headers.js';
import { isLogPath, isPrivatePath, pathOf } from '../message/paths.js';
import type { Failure } from './failure.js';
import { failureOf, PROBLEM_CONTENT_TYPE, type Problem, problemOf } from './problems.js';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendFailure(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }
}

export const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  const failure = logFailure(error, request);
  if (reply.sent) return;
  addCommonHeaders(request, reply);
  reply
    .code(failure.status)
    .headers({ ...failure.headers, 'Content-Type': PROBLEM_CONTENT_TYPE, 'Cache-Control': 'no-store' })
    .send(JSON.stringify(problemFor(failure, request)));
};

/** Consumers of log endpoints look for the reason in `error`. */
const problemFor = (failure: Failure, { id, url }: FastifyRequest): Problem & { readonly error?: string } => {
  const problem = problemOf(failure, id);
  return isLogPath(url) ? { ...problem, error: failure.detail } : problem;
};

/** What a failure is to the client; one that is ours is in the log from here on. */
export const logFailure = (error: unknown, request: FastifyRequest): Failure => {
  const failure = asPathProblem(failureOf(error), request);
  if (isOutageReply(failure))
    request.log.warn({ reqId: request.id, reason: messageOf(error) }, 'request failed');
  else if (failure.status >= 500) request.log.error({ reqId: request.id, err: error }, 'request failed');
  return failure;
};

/** A store that is away fails every request in the same way: why is worth a line, where in the code is not. */
const isOutageReply = ({ status }: Failure): boolean => status === 503;

/**
 * On every reply: whose it is, and that any page may see it, unless it answers a device, needs a token or is for whoever is
 * signed in: that one nobody keeps.
 */
export const addCommonHeaders = ({ id, method, url }: FastifyRequest, reply: FastifyReply): void => {
  reply.header('X-Request-Id', id);
  if (isPrivatePath(url) || isLogPath(url)) reply.header('Cache-Control', 'no-store');
  else if (method !== 'POST') for (const [name, value] of CORS_HEADERS) reply.header(name, value);
};

/** What no route took is a 405 where the path has other methods, else a 404, whatever the body was. */
const asPathProblem = (failure: Failure, { method, url, is404, server }: FastifyRequest): Failure => {
  const isNotTaken = is404 && failure.status < 500 && isReadable(url);
  if (failure.code !== 'path-not-found' && !isNotTaken) return failure;
  const methods = server.methodsOf(url);
  if (methods.length === 0 || methods.includes(method)) {
    const detail = `There is nothing at ${method} ${url.slice(0, 200)}; see /api/docs`;
    return { code: 'path-not-found', status: 404, detail };
  }
  const allowed = methods.join(', ');
  return {
    code: 'method-not-allowed',
    status: 405,
    detail: `${method} is not a method of this path; it has ${allowed}`,
    headers: { Allow: allowed },
  };
};

/** Of a path that cannot be decoded no route was looked for: what is told is that. */
const isReadable = (url: string): boolean => {
  try {
    decodeURI(pathOf(url));
    return true;
  } catch {
    return false;
  }
};
