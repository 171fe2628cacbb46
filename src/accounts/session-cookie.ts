/** The cookie of a session. */
import type { FastifyRequest } from 'fastify';
import { RandomCookie } from './random-cookie.js';

export const sessionCookie = new RandomCookie('podium_session');

/** Null when the request has no cookie of the form that Podium issues. */
export const sessionIdOf = (request: FastifyRequest): string | null => sessionCookie.valueIn(request);
