/** The pages: their models, their rendering, and the files that they load. */
import type { ServerPart } from '../http/feature.js';
import { PageAssets } from './assets.js';
import { PageModels } from './page-models.service.js';
import { PageRenderer } from './page-renderer.js';

export const pagesServer: ServerPart = {
  providers: [PageModels, PageRenderer, PageAssets],
  threads: [PageRenderer],
  routes: [PageAssets],
};
