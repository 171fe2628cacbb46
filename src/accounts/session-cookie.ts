/**
 * The cookie of a session: 256 random bits that no script can read. Behind https its name begins with `__Host-`, which
 * browsers take from this very host over https only. Nothing is signed, for nothing but the bits is in it.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'podium_session';
const BYTES = 32;
const VALUE = /^[A-Za-z0-9_-]{43}$/;

const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === 'https';
const nameFor = (request: FastifyRequest): string => (isSecure(request) ? `__Host-${NAME}` : NAME);
const optionsFor = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const;

export const newSessionId = (): string => randomBytes(BYTES).toString('base64url');

/** Null where the request has none that Podium could have given. */
export const sessionIdOf = (request: FastifyRequest): string | null => {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  const value = request.server.parseCookie(cookie)[nameFor(request)];
  return value !== undefined && VALUE.test(value) ? value : null;
};

/** It ends with the browser, or when the server ends the session. */
export const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, sessionId: string): void => {
  reply.setCookie(nameFor(request), sessionId, optionsFor(request));
};

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.clearCookie(nameFor(request), optionsFor(request));
};
