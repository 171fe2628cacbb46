/**
 * Whether a request that changes something comes from this site's own pages. The cookie is SameSite=Lax already; this
 * holds for browsers and neighbours (another port, another subdomain) that the cookie's rule lets by. A header of our own
 * cannot be sent by a form, nor by another site's script, which would have to be allowed first.
 */
import type { FastifyRequest } from 'fastify';
import { RejectedError } from '../domain/rejections.js';

const HEADER = 'x-podium-request';

/** Throws RejectedError `cross-site`. */
export const requireSameSite = (request: FastifyRequest): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers[HEADER] !== '1') refuse('send the header X-Podium-Request: 1');
  if (!isSameOrigin(request)) refuse('what changes something is taken from the pages of this site only');
};

/** Browsers say so of https and localhost in Sec-Fetch-Site, and everywhere in Origin. One of them has to be there. */
const isSameOrigin = (request: FastifyRequest): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.host;
};

const refuse = (detail: string): never => {
  throw new RejectedError({ code: 'cross-site', detail });
};
