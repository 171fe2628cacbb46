/**
 * Renders pages to HTML in a worker thread. A page of a hundred entries takes milliseconds, which would delay
 * attempts on the main event loop.
 */
import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { RequestThread } from '../foundation/basics/request-thread.js';
import { threadUrl } from '../foundation/basics/threads.js';
import type { PageAssets } from './page-head.js';
import type { PageModel } from './page-models.js';
import { readPageAssets, serverEntry } from './web-build.js';

/** The start data of the thread. */
export interface RendererData {
  readonly serverEntry: string;
  readonly assets: PageAssets;
}

@Injectable()
export class PageRenderer implements OnApplicationShutdown {
  readonly #assets = readPageAssets();
  readonly #thread: RequestThread<PageModel, Uint8Array> | null;

  constructor() {
    const assets = this.#assets;
    this.#thread =
      assets &&
      new RequestThread(() => {
        const workerData: RendererData = { serverEntry, assets };
        return new Worker(threadUrl('page-renderer.worker.js', import.meta.url), { workerData });
      });
  }

  /** Whether the pages were built. */
  get isBuilt(): boolean {
    return this.#thread !== null;
  }

  async start(): Promise<void> {
    await this.#thread?.start();
  }

  /** The whole document, UTF-8. */
  render(model: PageModel): Promise<Uint8Array> {
    return this.#thread?.request(model) ?? Promise.reject(new Error('the pages are not built'));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#thread?.close();
  }
}
