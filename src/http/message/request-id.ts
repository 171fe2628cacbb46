/**
 * The id of a request: in its reply, its log line and the metadata of its events. A client's own `X-Request-Id`
 * is used when it is safe to log. Otherwise the id is a random part per process, then a counter.
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
  if (typeof given === 'string' && SAFE_ID.test(given)) return given;
  const id = `${processPart}-${(++count).toString(36)}`;
  // Who asks again for the same request gets the same id.
  request.headers['x-request-id'] = id;
  return id;
};
