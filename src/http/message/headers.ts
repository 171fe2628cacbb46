/** Headers shared by ready replies, routed replies and problems. */
import { LRUCache } from 'lru-cache';
import type { Coding } from '../replies/ready-reply.js';

export const POSITION_HEADER = 'Podium-Position';
export const STALE_HEADER = 'Podium-Stale';

/** Pages of any site may read: reads use no cookie and no key. */
export const CORS_HEADERS: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Origin', '*'],
  [
    'Access-Control-Expose-Headers',
    'ETag, Podium-Position, Podium-Stale, X-Total-Count, Link, X-Request-Id, Retry-After',
  ],
];

export const PREFLIGHT_HEADERS: readonly (readonly [string, string])[] = [
  ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
  ['Access-Control-Allow-Headers', 'Podium-Position, If-None-Match, X-Request-Id, Content-Type'],
  ['Access-Control-Max-Age', '86400'],
];

/** Browsers send few different values. */
const choices = new LRUCache<string, Coding>({
  max: 200,
  memoMethod: (accept) => {
    const weights = new Map(accept.split(',').map(weightOf));
    const allowed = (coding: string): boolean => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
    return allowed('br') ? 'br' : allowed('gzip') ? 'gzip' : 'identity';
  },
});

/** Returns the best coding that an Accept-Encoding allows: br, gzip or identity. */
export const codingFor = (accept: string | undefined): Coding => (accept ? choices.memo(accept) : 'identity');

/** Returns one choice of an Accept header in lower case, and its weight. */
export const weightOf = (part: string): [string, number] => {
  const [choice = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [choice, q === undefined ? 1 : Number(q) || 0];
};

/** Returns whether the client's copy is current (RFC 9110, 13.1.2). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
};

/**
 * Returns whether the client has seen what this tag names (RFC 9110, 13.1.1), in any coding: a coding adds its name to
 * the tag of the identity.
 */
export const satisfiesIfMatch = (ifMatch: string, etag: string): boolean =>
  ifMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag.replace(/-(?:gzip|br)"$/, '"') === etag;
  });
