/** Merges over HTTP, and their process manager. */
import type { ServerPart } from '../../http/feature.js';
import { PersonMergeProcess } from './person-merge.process.js';

export const mergesServer: ServerPart = {
  providers: [PersonMergeProcess],
};
