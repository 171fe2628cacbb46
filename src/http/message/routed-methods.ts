/**
 * The methods of each path, recorded from the routes themselves, for replies to a wrong method (405) and to
 * OPTIONS. The catch-all route of the pages does not count, since every path would match it.
 */
import type { FastifyInstance, RouteOptions } from 'fastify';
import { routedPathOf } from './paths.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods of a path, `url` with or without its query; empty when there is no such path. */
    methodsOf(url: string): readonly string[];
  }
}

const ORDER = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

interface Routed {
  readonly path: RegExp;
  readonly methods: Set<string>;
}

/** Call it before the first route is declared. */
export const recordMethods = (fastify: FastifyInstance): void => {
  const routes = new Map<string, Routed>();
  fastify.addHook('onRoute', ({ url, method }: RouteOptions) => {
    if (isCatchAll(url)) return;
    const routed = routes.get(url) ?? { path: patternOf(url), methods: new Set<string>() };
    for (const each of [method].flat()) routed.methods.add(each);
    routes.set(url, routed);
  });
  fastify.decorate('methodsOf', (url) => {
    const path = routedPathOf(url);
    const fitting = [...routes.values()].filter((routed) => routed.path.test(path));
    const methods = new Set(fitting.flatMap((routed) => [...routed.methods]));
    return methods.size === 0 ? [] : [...ORDER.filter((method) => methods.has(method)), 'OPTIONS'];
  });
};

const isCatchAll = (url: string): boolean => url === '*' || url === '/*';

/** Pages name the space in the first segment; no page is below these words. */
const OF_SPACE = '/:spaceId';
const ANY_SPACE = '/(?!(api|metrics)(/|$))[^/]+';

const patternOf = (url: string): RegExp => {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  const literal = escaped.startsWith(OF_SPACE) ? ANY_SPACE + escaped.slice(OF_SPACE.length) : escaped;
  return new RegExp(`^${literal.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);
};
