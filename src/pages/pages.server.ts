/** The pages: their models, their rendering, and the files that they load. */
import type { ServerPart } from '../http/feature.js';
import { PageAssets } from './assets.js';
import { DashboardController } from './dashboard.controller.js';
import { PageModels } from './page-models.service.js';
import { PageRenderer } from './page-renderer.js';
import { PagesController } from './pages.controller.js';

export const pagesServer: ServerPart = {
  controllers: [DashboardController, PagesController],
  providers: [PageModels, PageRenderer, PageAssets],
  routes: [PageAssets],
};
