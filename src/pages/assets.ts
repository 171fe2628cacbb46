/**
 * Serves scripts, styles and flags. Caches keep files with a hash in their name for ever, the others for a day.
 * Files that the build has compressed are sent compressed.
 */
import fastifyStatic from '@fastify/static';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { FastifyExtension } from '../http/feature.js';
import { SECURITY_HEADERS } from './page-headers.js';
import { clientFolder, readPageAssets } from './web-build.js';

const FOR_EVER = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

@Injectable()
export class PageAssets implements FastifyExtension {
  /** Serves nothing where the pages were not built. */
  async install(fastify: FastifyInstance): Promise<void> {
    if (readPageAssets() === null) return;
    for (const [prefix, caching] of [
      ['/assets/', FOR_EVER],
      ['/static/', A_DAY],
    ] as const) {
      await fastify.register(fastifyStatic, {
        root: clientFolder + prefix.slice(1),
        prefix,
        decorateReply: false,
        cacheControl: false,
        preCompressed: true,
        setHeaders: (reply) => {
          reply.header('Cache-Control', caching);
          reply.header('Vary', 'Accept-Encoding');
          for (const [name, value] of SECURITY_HEADERS) reply.header(name, value);
        },
      });
    }
  }
}
