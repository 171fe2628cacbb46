/** The pages: their models, their rendering, and the files that they load. */
import type { ServerPart } from '../http/feature.js';
import { PageAssets } from './assets.js';
import { ContestPageModels } from './contest-page-models.service.js';
import { PageModels } from './page-models.service.js';
import { PageRenderer } from './page-renderer.js';
import { PageReplies } from './page-replies.js';

export const pagesServer: ServerPart = {
  providers: [PageModels, ContestPageModels, PageReplies, PageRenderer, PageAssets],
  threads: [PageRenderer],
  routes: [PageAssets],
};
