/**
 * A cookie of 256 random bits that no script can read. Behind https its name begins with `__Host-`; browsers accept
 * that from this very host over https only. It is not signed: it holds only random bits.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const BYTES = 32;
const VALUE = /^[A-Za-z0-9_-]{43}$/;

const isSecure = ({ protocol }: FastifyRequest): boolean => protocol === 'https';
const optionsFor = (request: FastifyRequest) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const;

export const randomCookieValue = (): string => randomBytes(BYTES).toString('base64url');

/** The cookie ends with the browser session, or when the server ends it. */
export class RandomCookie {
  constructor(private readonly name: string) {}

  /** Null when the request has no cookie of the form that Podium issues. */
  valueIn(request: FastifyRequest): string | null {
    const { cookie } = request.headers;
    if (cookie === undefined) return null;
    const value = request.server.parseCookie(cookie)[this.nameFor(request)];
    return value !== undefined && VALUE.test(value) ? value : null;
  }

  set(request: FastifyRequest, reply: FastifyReply, value: string): void {
    reply.setCookie(this.nameFor(request), value, optionsFor(request));
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    reply.clearCookie(this.nameFor(request), optionsFor(request));
  }

  private nameFor(request: FastifyRequest): string {
    return isSecure(request) ? `__Host-${this.name}` : this.name;
  }
}
