/** Merges over HTTP, and their process manager. */
import type { ServerPart } from '../../http/feature.js';
import { MergeModerationController } from './merge-moderation.controller.js';
import { PersonMergeProcess } from './person-merge.process.js';

export const mergesServer: ServerPart = {
  controllers: [MergeModerationController],
  providers: [PersonMergeProcess],
};
