/** Shows the problem document of the API as a page. Paths below /api keep the JSON document. */
import { type ArgumentsHost, Catch, type ExceptionFilter, NotFoundException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { routedPathOf } from '../http/message/paths.js';
import { logFailure, sendFailure } from '../http/problems/problem-filter.js';
import { titleOf } from '../http/problems/problems.js';
import { PAGE_HEADERS } from './page-headers.js';
import type { PageModel } from './page-models.js';
import { PageRenderer } from './page-renderer.js';

const NOT_PAGES = /^\/(?:api|metrics)(?:\/|$)/;

@Catch()
export class PageProblemFilter implements ExceptionFilter {
  constructor(private readonly renderer: PageRenderer) {}

  async catch(error: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (NOT_PAGES.test(routedPathOf(request.url)) || !this.renderer.isBuilt) {
      // The route of a space's first page matched a path that is no page: it does not exist.
      sendFailure(new NotFoundException(), request, reply);
      return;
    }
    const { code, status, detail, headers } = logFailure(error, request);
    if (reply.sent) return;
    const model: PageModel = {
      page: 'problem',
      base: '',
      status,
      // A reader with a wrong link does not know spaces, and any first segment could name one.
      ...(code === 'space-not-found'
        ? { title: 'Page not found', detail: `There is nothing at ${request.url.slice(0, 200)}.` }
        : { title: titleOf(code), detail }),
    };
    const html = await this.renderer.render(model).catch(() => null);
    if (reply.sent) return;
    if (html === null) {
      sendFailure(error, request, reply);
      return;
    }
    reply
      .code(status)
      .headers({ ...headers, ...Object.fromEntries(PAGE_HEADERS), 'Cache-Control': 'no-store' })
      .send(Buffer.from(html));
  }
}
