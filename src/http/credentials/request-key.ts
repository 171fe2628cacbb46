/**
 * The API key or access token of a request: from `x-api-key`, or from `Authorization: Bearer KEY` as devices
 * for the association's live-results API send it.
 */
import type { FastifyRequest } from 'fastify';

/** Returns null when the request has none. `x-api-key` takes precedence. */
export const keyOf = (headers: FastifyRequest['headers']): string | null => {
  const given = headers['x-api-key'];
  if (typeof given === 'string' && given !== '') return given;
  const [scheme = '', key = '', ...rest] = headers.authorization?.trim().split(/ +/) ?? [];
  return scheme.toLowerCase() === 'bearer' && key !== '' && rest.length === 0 ? key : null;
};

/** Returns the password of `Authorization: Basic`, for senders that cannot set another header; null when there is none. */
export const passwordOf = ({ authorization = '' }: FastifyRequest['headers']): string | null => {
  const given = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization.trim())?.[1];
  if (given === undefined) return null;
  const [, ...password] = Buffer.from(given, 'base64').toString().split(':');
  return password.join(':') || null;
};
