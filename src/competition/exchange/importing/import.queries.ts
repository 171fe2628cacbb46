/** Queries on imports, as the query bus carries them. */
import { Query } from '@nestjs/cqrs';
import type { Reading } from '../formats/contest-file.js';
import type { ContestPreview } from './import-preview.js';

export interface ImportPreview {
  /** An import that names it is refused when it would do something else by then. */
  readonly fingerprint: string;
  /** In the order of the readings. */
  readonly contests: readonly ContestPreview[];
}

/** What ImportContests would change now. Nothing is written. Throws RejectedError `space-not-found`. */
export class PreviewImport extends Query<ImportPreview> {
  constructor(
    readonly readings: readonly Reading[],
    readonly options: { readonly spaceId: string; readonly open: boolean; readonly replace: boolean },
  ) {
    super();
  }
}
