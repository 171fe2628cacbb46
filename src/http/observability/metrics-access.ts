/**
 * Who may read the metrics, which tell of every path and of the load. With a token: the clients that send it. Without
 * one: direct clients of this machine or a private network, as scrapers are. A request that a proxy passed on from a
 * public address is refused.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Failure } from '../problems/failure.js';

const isPrivate = proxyAddr.compile(['loopback', 'linklocal', 'uniquelocal']);

const NO_TOKEN: Failure = {
  code: 'metrics-token',
  status: 401,
  detail: 'send the token of the metrics (PODIUM_METRICS_TOKEN) as Authorization: Bearer TOKEN',
  headers: { 'WWW-Authenticate': 'Bearer realm="podium-metrics"' },
};
const NOT_PRIVATE: Failure = {
  code: 'metrics-private',
  status: 403,
  detail:
    'the metrics are for this machine and private networks; an operator can set PODIUM_METRICS_TOKEN or PODIUM_METRICS_PORT',
};

/** Returns why the request may not read the metrics, or null. `token`: null when none is set. */
export const metricsRefusal = (request: IncomingMessage, token: string | null): Failure | null => {
  if (token !== null) return sendsToken(request, token) ? null : NO_TOKEN;
  return addressesOf(request).every((address) => isPrivate(address, 0)) ? null : NOT_PRIVATE;
};

/** The whole way of the request: a client can only add to it, and what it adds can only refuse it. */
const addressesOf = ({ headers, socket }: IncomingMessage): readonly string[] => {
  const told = headers['x-forwarded-for']?.toString().split(',') ?? [];
  const unread = headers.forwarded === undefined ? [] : ['unknown'];
  return [socket.remoteAddress ?? '', ...told.map((address) => address.trim()), ...unread];
};

const sendsToken = ({ headers: { authorization = '' } }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digestOf(authorization), digestOf(`Bearer ${token}`));

/** Of one length, which the comparison needs. */
const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
