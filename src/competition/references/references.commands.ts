/** The reference records of a space, for the buses: the set, what a file would change, and changing it. */
import { Command, Query } from '@nestjs/cqrs';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { FaultInFile } from '../exchange/importing/import-preview.js';
import type { NamedReference, ReferencesSource } from './reference-file.js';

/** What a file changes in the set, in reference records. */
export interface ReferenceCounts {
  readonly added: number;
  /** With another value or holder. */
  readonly changed: number;
  /** Not in the file. */
  readonly removed: number;
  readonly same: number;
}

export interface ReferencesPreview extends ReferenceCounts {
  /** An import with this fingerprint is refused when it would make other changes by then. Empty with faults. */
  readonly fingerprint: string;
  /** Why the file is not imported. With faults the counts are 0. */
  readonly faults: readonly FaultInFile[];
}

export interface ReferencesReport extends Receipt, ReferenceCounts {}

/** In the order of events, kinds, categories, regions and days. Throws RejectedError `space-not-found`. */
export class ListReferences extends Query<readonly NamedReference[]> {
  constructor(readonly spaceId: string) {
    super();
  }
}

/** Throws RejectedError `space-not-found`. */
export class PreviewReferences extends Query<ReferencesPreview> {
  constructor(
    readonly spaceId: string,
    readonly source: ReferencesSource,
  ) {
    super();
  }
}

/**
 * Replaces the whole set by that of the file. Throws RejectedError `space-not-found`, `invalid-request` for a file with faults,
 * and `import-changed` when `preview` is the fingerprint of other changes. Then nothing is changed.
 */
export class ImportReferences extends Command<ReferencesReport> {
  constructor(
    readonly spaceId: string,
    readonly source: ReferencesSource,
    readonly preview: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** The set as a file, which can be imported again. Throws RejectedError `space-not-found`. */
export class ExportReferences extends Query<string> {
  constructor(
    readonly spaceId: string,
    readonly format: ReferencesSource['format'],
  ) {
    super();
  }
}
