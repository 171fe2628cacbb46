/**
 * Which methods each path has, as the routes themselves say, so that no list of paths can fall behind them: what a wrong
 * method (405) and OPTIONS are told. The pages' route for whatever has no other is left out, or every path would have it.
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

/** To be called before the first route is made. */
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

/** Where a page names its space in the first place; below these words nothing is a page. */
const OF_SPACE = '/:spaceId';
const ANY_SPACE = '/(?!(api|metrics)(/|$))[^/]+';

const patternOf = (url: string): RegExp => {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  const literal = escaped.startsWith(OF_SPACE) ? ANY_SPACE + escaped.slice(OF_SPACE.length) : escaped;
  return new RegExp(`^${literal.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);
};
