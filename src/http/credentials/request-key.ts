/**
 * The API key or access token of a request: `x-api-key`, or `Authorization: Bearer KEY` as devices built for the
 * association's live-results API send it.
 */
import type { FastifyRequest } from 'fastify';

/** Null when there is none. `x-api-key` goes first. */
export const keyOf = (headers: FastifyRequest['headers']): string | null => {
  const given = headers['x-api-key'];
  if (typeof given === 'string' && given !== '') return given;
  const [scheme = '', key = '', ...rest] = headers.authorization?.trim().split(/ +/) ?? [];
  return scheme.toLowerCase() === 'bearer' && key !== '' && rest.length === 0 ? key : null;
};
