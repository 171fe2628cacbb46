/** Answers requests with rendered pages, as reads are answered: position, ETag, compression. */
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Reads } from '../http/reads/reads.js';
import { ReadyReads } from '../http/reads/ready-reads.js';
import { ByteCache, ReadyReply } from '../http/replies/ready-reply.js';
import { SECURITY_HEADERS } from './page-headers.js';
import type { PageModel } from './page-models.js';
import { PageRenderer } from './page-renderer.js';

const HTML_TYPE = 'text/html; charset=utf-8';
const EXTRA_HEADERS = SECURITY_HEADERS.flat();

/** A page whose model tells which further tags it depends on. */
export interface WatchedModel {
  readonly model: PageModel;
  readonly watched: readonly string[];
}

@Injectable()
export class PageReplies {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly ready: ReadyReads,
    private readonly reads: Reads,
    private readonly cache: ByteCache,
  ) {}

  /**
   * Answers with a page that is cached until one of the tags changes. `reachOf`: the last ranked value that the page shows.
   * Default: it is no part of a ranking.
   */
  keep<M extends PageModel>(
    reply: FastifyReply,
    { key, tags: changedBy }: { readonly key: string; readonly tags: readonly string[] },
    model: () => Promise<M>,
    reachOf: (model: M) => number | undefined = () => undefined,
  ): Promise<void> {
    const make = async () => {
      const shown = await model();
      return this.rendered(shown, reachOf(shown));
    };
    return this.ready.answerMade(reply.request, reply, { key: `page ${key}`, tags: changedBy, make });
  }

  /** The same. The first reading tells the further tags. Only the second one is cached, as they are watched then. */
  keepWatched(
    reply: FastifyReply,
    kept: { readonly key: string; readonly tags: readonly string[] },
    read: () => Promise<WatchedModel>,
  ): Promise<void> {
    const key = `page ${kept.key}`;
    const make = async (): Promise<ReadyReply> => {
      const { watched } = await read();
      const secondModel = async () => (await read()).model;
      return this.cache.getOrMake(key, [...kept.tags, ...watched], async () =>
        this.rendered(await secondModel()),
      );
    };
    return this.ready.answer(reply.request, reply, {
      key,
      make: async () => this.cache.get(key) ?? make(),
    });
  }

  /** Answers with a page that is rendered for this request. */
  read(reply: FastifyReply, model: () => Promise<PageModel>): Promise<void> {
    return this.reads.answer(reply.request, reply, async () => this.rendered(await model()));
  }

  private async rendered(model: PageModel, reach?: number): Promise<ReadyReply> {
    const html = await this.renderer.render(model);
    return new ReadyReply(Buffer.from(html), EXTRA_HEADERS, HTML_TYPE, reach);
  }
}
