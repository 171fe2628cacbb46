/**
 * Headers of every reply, early or routed. No browser may take a body for another type than its Content-Type, and
 * a browser that came by https must not come back without it. Other browsers ignore that second header, so it is
 * sent behind https only.
 */
import type { IncomingMessage } from 'node:http';
import { trustedProxies } from './client-address.js';

const PLAIN = { 'x-content-type-options': 'nosniff' };
/** For a year, and for this host alone: other hosts of the domain may have no https. */
const BEHIND_HTTPS = { ...PLAIN, 'strict-transport-security': 'max-age=31536000' };

/** Returns the values by name. */
export const safetyFields = (isHttps: boolean): Readonly<Record<string, string>> =>
  isHttps ? BEHIND_HTTPS : PLAIN;

const PLAIN_LIST: readonly string[] = Object.entries(PLAIN).flat();
const BEHIND_HTTPS_LIST: readonly string[] = Object.entries(BEHIND_HTTPS).flat();

/** Returns names and values in turn, as writeHead takes them. */
export const safetyHeaders = (isHttps: boolean): readonly string[] =>
  isHttps ? BEHIND_HTTPS_LIST : PLAIN_LIST;

/**
 * Returns whether a request came by https, for requests that are answered before Fastify: the same as Fastify's
 * `request.protocol`. `trustProxy` as PODIUM_TRUST_PROXY has it.
 */
export const httpsCheck = (trustProxy: boolean | string): ((request: IncomingMessage) => boolean) => {
  if (trustProxy === false) return () => false;
  const trusts = trustedProxies(trustProxy);
  return ({ headers, socket }) => {
    const protocols = headers['x-forwarded-proto']?.toString();
    if (protocols === undefined || !trusts(socket.remoteAddress ?? '', 0)) return false;
    return protocols.slice(protocols.lastIndexOf(',') + 1).trim() === 'https';
  };
};
