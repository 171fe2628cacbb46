/**
 * The id of a request, in its reply, its log line and the metadata of the events it causes. A caller's own
 * `X-Request-Id` is taken when it is harmless to log; else one is made: a random part a process, then a counter.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const SAFE_ID = /^[A-Za-z0-9_.:@=+/-]{1,128}$/;
const processPart = randomBytes(6)
  .toString('base64url')
  .replace(/[^A-Za-z0-9]/g, 'x');
let count = 0;

export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given)
    ? given
    : `${processPart}-${(++count).toString(36)}`;
};
