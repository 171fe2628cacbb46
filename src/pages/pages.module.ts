/** The pages, and what they are told live. */
import { Module } from '@nestjs/common';
import { HttpModule } from '../app/http.module.js';
import { LiveController } from '../competition/live/live.controller.js';
import { LiveRounds, TellViewers } from '../competition/live/live-rounds.js';
import { DashboardController } from './dashboard.controller.js';
import { PageModels } from './page-models.service.js';
import { PageRenderer } from './page-renderer.js';
import { PagesController } from './pages.controller.js';

@Module({
  imports: [HttpModule],
  controllers: [LiveController, DashboardController, PagesController],
  providers: [LiveRounds, TellViewers, PageModels, PageRenderer],
})
export class PagesModule {}
