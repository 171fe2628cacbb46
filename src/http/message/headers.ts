/** Headers that replies share, so that ready bytes, routed replies and problems carry the same. */
import type { Coding } from '../../foundation/replies/ready-reply.js';

export const POSITION_HEADER = 'Podium-Position';
export const STALE_HEADER = 'Podium-Stale';

/** Everybody may read: no cookie and no key plays a part in a read. */
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

/**
 * A copy may be kept by anybody but is asked about before each use, which costs a 304: a correction of a result shows
 * at once everywhere.
 */
export const READ_HEADERS: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'public, no-cache'],
  ['Vary', 'Accept-Encoding'],
];

const choices = new Map<string, Coding>();

/** The best coding that an Accept-Encoding allows: br, gzip, else none. Remembered, for browsers send but a few. */
export const codingFor = (accept: string | undefined): Coding => {
  if (accept === undefined || accept === '') return 'identity';
  const known = choices.get(accept);
  if (known) return known;
  const weights = new Map(accept.split(',').map(weightOf));
  const allowed = (coding: string): boolean => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
  const chosen: Coding = allowed('br') ? 'br' : allowed('gzip') ? 'gzip' : 'identity';
  if (choices.size < 200) choices.set(accept, chosen);
  return chosen;
};

const weightOf = (part: string): [string, number] => {
  const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return [coding, q === undefined ? 1 : Number(q) || 0];
};

/** Whether the copy that the client has is this one (RFC 9110, 13.1.2). */
export const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean => {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
};
