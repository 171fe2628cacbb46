/**
 * The session cookie: 256 random bits that no script can read. Behind https its name begins with `__Host-`;
 * browsers accept that from this very host over https only. It is not signed: it holds only random bits.
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

/** Null when the request has no cookie of the form that Podium issues. */
export const sessionIdOf = (request: FastifyRequest): string | null => {
  const { cookie } = request.headers;
  if (cookie === undefined) return null;
  const value = request.server.parseCookie(cookie)[nameFor(request)];
  return value !== undefined && VALUE.test(value) ? value : null;
};

/** The cookie ends with the browser session, or when the server ends the session. */
export const setSessionCookie = (request: FastifyRequest, reply: FastifyReply, sessionId: string): void => {
  reply.setCookie(nameFor(request), sessionId, optionsFor(request));
};

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.clearCookie(nameFor(request), optionsFor(request));
};
