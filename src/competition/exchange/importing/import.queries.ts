/** Queries on imports, for the query bus. */
import { Query } from '@nestjs/cqrs';
import type { ImportOptions } from '../exchange.commands.js';
import type { Reading } from '../formats/contest-file.js';
import type { ContestPreview } from './import-preview.js';

export interface ImportPreview {
  /** An import with this fingerprint is refused when it would make other changes by then. */
  readonly fingerprint: string;
  /** In the order of the readings. */
  readonly contests: readonly ContestPreview[];
}

/** Returns what ImportContests would change now, without writing. Throws RejectedError `space-not-found`. */
export class PreviewImport extends Query<ImportPreview> {
  constructor(
    readonly readings: readonly Reading[],
    readonly options: Pick<ImportOptions, 'spaceId' | 'choice' | 'replace' | 'overwriteList' | 'today'>,
  ) {
    super();
  }
}
