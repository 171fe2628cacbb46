/** Imports of competitors into the list of one contest, for the buses: what a file would change, and changing it. */

import { Command, Query } from '@nestjs/cqrs';
import type { ContestRef } from '../../../domain/references.js';
import type { CommandContext } from '../../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../../foundation/aggregates/outcome.js';
import type { ListCounts } from '../../aggregates/competitor-list/competitor-list.decider.js';
import type { FaultInFile, PersonPreview } from './import-preview.js';
import type { ListChangeView } from './list-comparison.js';

/** A file of competitors: the CSV of competitors-csv.ts, or a WCIF of the contest, of which it reads the registrations and personal bests. */
export interface CompetitorsSource {
  readonly format: 'csv' | 'wcif';
  /** Its name, for faults. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface CompetitorsPreview {
  /** An import with this fingerprint is refused when it would make other changes by then. */
  readonly fingerprint: string;
  /** Why the file is not imported. */
  readonly faults: readonly FaultInFile[];
  /** Parts of the file that are not read, or read otherwise than they are written. */
  readonly notes: readonly FaultInFile[];
  /** In the order of the file. */
  readonly persons: readonly PersonPreview[];
  /** Without those who are the same on the list and in the file. */
  readonly competitors: readonly ListChangeView[];
  readonly sameCompetitors: number;
  /** Number of persons of whom the import would learn better bests from before the contest. */
  readonly personalBests: number;
}

export interface CompetitorsReport extends Receipt, ListCounts {
  /** Number of new persons. */
  readonly registered: number;
  /** Number of persons of whom better bests from before the contest were learned. */
  readonly personalBests: number;
  readonly notes: readonly FaultInFile[];
}

export interface CompetitorsOptions {
  /** Also where the list was changed by hand since the last import. */
  readonly overwrite: boolean;
  /** YYYY-MM-DD. Bests are learned only before and during the contest. */
  readonly today: string;
}

/** Throws RejectedError `contest-not-found`, and `contest-state` when the contest takes no competitors. */
export class PreviewCompetitors extends Query<CompetitorsPreview> {
  constructor(
    readonly contest: ContestRef,
    readonly source: CompetitorsSource,
    readonly options: CompetitorsOptions,
  ) {
    super();
  }
}

/**
 * Brings the list up to date with the file, all or nothing. Throws RejectedError as the preview does, `invalid-request` for
 * a file with faults, `import-changed` when `preview` is the fingerprint of other changes, and `competitors-changed` when the
 * list is changed meanwhile.
 */
export class ImportCompetitors extends Command<CompetitorsReport> {
  constructor(
    readonly contest: ContestRef,
    readonly source: CompetitorsSource,
    readonly options: CompetitorsOptions & { readonly preview: string | null },
    readonly context: CommandContext,
  ) {
    super();
  }
}
