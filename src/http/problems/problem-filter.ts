/** Sends every failure as a problem document, and logs failures of the server with the request id. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { messageOf } from '../../foundation/basics/error-message.js';
import { CORS_HEADERS } from '../message/headers.js';
import { isLogPath, isPrivatePath, pathOf } from '../message/paths.js';
import { requestIdOf } from '../message/request-id.js';
import { safetyFields } from '../message/safety-headers.js';
import type { Failure } from './failure.js';
import { outageLines } from './outage-lines.js';
import { failureOf, PROBLEM_CONTENT_TYPE, type Problem, problemOf } from './problems.js';

type Asked = Pick<FastifyRequest, 'id' | 'method' | 'url'>;

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
  addCommonHeaders(request, request.protocol === 'https', reply);
  // Fastify would close the connection while the body still comes: its sender, as a node that forwards, may miss the answer.
  reply.removeHeader('connection');
  reply
    .code(failure.status)
    .headers({ ...failure.headers, 'Content-Type': PROBLEM_CONTENT_TYPE, 'Cache-Control': 'no-store' })
    .send(JSON.stringify(problemFor(failure, request)));
};

/** Answers a request outside the router, which may hold it still. */
export const sendRawFailure = (
  failure: Failure,
  request: IncomingMessage,
  response: ServerResponse,
  isHttps: boolean,
): void => {
  const asked = { id: requestIdOf(request), method: request.method ?? '', url: request.url ?? '' };
  addCommonHeaders(asked, isHttps, { header: (name, value) => response.setHeader(name, value) });
  const headers = { ...failure.headers, 'Content-Type': PROBLEM_CONTENT_TYPE, 'Cache-Control': 'no-store' };
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = failure.status;
  response.end(JSON.stringify(problemFor(failure, asked)));
};

/** Clients of log endpoints read the reason from `error`. */
const problemFor = (failure: Failure, { id, url }: Asked): Problem & { readonly error?: string } => {
  const problem = problemOf(failure, id);
  return isLogPath(url) ? { ...problem, error: failure.detail } : problem;
};

/** Returns the failure for the client, and logs it when the fault is the server's. */
export const logFailure = (error: unknown, request: FastifyRequest): Failure => {
  const failure = asPathProblem(failureOf(error), request);
  if (isOutageReply(failure))
    outageLines.note(request.log, request.raw, { reqId: request.id, reason: messageOf(error) });
  else if (failure.status >= 500) request.log.error({ reqId: request.id, err: error }, 'request failed');
  return failure;
};

/** An unavailable store fails every request in the same way: the reason is logged, without a stack. */
const isOutageReply = ({ status }: Failure): boolean => status === 503;

/**
 * Adds the request id and the safety headers to every reply. Pages of any site may read it, unless it answers a device, needs a token
 * or is private; no cache keeps those.
 */
export const addCommonHeaders = (
  { id, method, url }: Asked,
  isHttps: boolean,
  reply: { header(name: string, value: string): unknown },
): void => {
  reply.header('X-Request-Id', id);
  for (const [name, value] of Object.entries(safetyFields(isHttps))) reply.header(name, value);
  if (isPrivatePath(url) || isLogPath(url)) reply.header('Cache-Control', 'no-store');
  else if (method !== 'POST') for (const [name, value] of CORS_HEADERS) reply.header(name, value);
};

/** An unrouted request gets a 405 when the path has other methods, else a 404, whatever its body was. */
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
    detail: `${method} is not a method of this path; its methods are ${allowed}`,
    headers: { Allow: allowed },
  };
};

/** A path that cannot be decoded has no route: the client gets the decoding error. */
const isReadable = (url: string): boolean => {
  try {
    decodeURI(pathOf(url));
    return true;
  } catch {
    return false;
  }
};
