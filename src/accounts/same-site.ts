/**
 * Refuses requests that change something and do not come from a page of this site. The cookie is SameSite=Lax,
 * but that rule lets another port or subdomain of the same site through. A form, or a script of another site,
 * cannot send our own header.
 */
import type { FastifyRequest } from 'fastify';
import { RejectedError } from '../domain/rejections.js';

const HEADER = 'x-podium-request';

/** Throws RejectedError `cross-site`. */
export const requireSameSite = (request: FastifyRequest): void => {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers[HEADER] !== '1') refuse('send the header X-Podium-Request: 1');
  if (!isSameOrigin(request)) refuse('requests that change something are taken from pages of this site only');
};

/** Browsers send Sec-Fetch-Site to https and localhost, and Origin everywhere. The request needs one of them. */
const isSameOrigin = (request: FastifyRequest): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.host;
};

const refuse = (detail: string): never => {
  throw new RejectedError({ code: 'cross-site', detail });
};
