/**
 * Answers requests that Node would refuse itself, with an empty reply, with a problem document: malformed and late ones, which
 * also lose their connection, and those with a wrong Host or Expect header.
 */

import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdOf } from '../message/request-id.js';
import type { Failure } from './failure.js';
import { PROBLEM_CONTENT_TYPE, problemOf } from './problems.js';

export const refuseBrokenRequest = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure = failureFor(error.code);
  const id = requestIdOf({ headers: {} });
  const body = JSON.stringify(problemOf(failure, id));
  const head = [
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`,
    `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};

/** Returns the failure of a request whose headers Node's server would refuse; null: none. */
export const headerFailure = ({ headers, httpVersion }: IncomingMessage): Failure | null => {
  if (httpVersion !== '1.1') return null;
  if (headers.host === undefined) {
    const detail = 'The request has no Host header';
    return { code: 'invalid-request', status: 400, detail, headers: { Connection: 'close' } };
  }
  if (headers.expect === undefined || CONTINUE.test(headers.expect)) return null;
  return { code: 'expectation-failed', status: 417, detail: 'The only expectation met here is 100-continue' };
};

const CONTINUE = /\b100-continue\b/i;

const failureFor = (code: string | undefined): Failure => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'headers-too-large', status: 431, detail: 'The headers of the request are too large' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { code: 'request-timeout', status: 408, detail: 'The request did not arrive in time' };
    default:
      return { code: 'invalid-request', status: 400, detail: 'This is not an HTTP/1.1 request' };
  }
};
