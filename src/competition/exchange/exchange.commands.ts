/** Commands that bring whole contests in, as the command bus carries them, and the reports they answer with. */

import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { Fault, FilePerson, Reading } from './formats/contest-file.js';

/** Who a person of a file turned out to be, and by what. */
export interface PersonDecision {
  readonly person: FilePerson;
  readonly personId: number;
  /** `name`: just one person of the space bears exactly this name. */
  readonly by: 'assocId' | 'name' | 'new';
  /** What the file knew and the space did not. */
  readonly learned: readonly ('assocId' | 'localizedName' | 'region')[];
}

export interface ContestOutcome {
  readonly source: string;
  /** Null where the file could not be read so far. */
  readonly competitionId: string | null;
  /** `completed`: what was missing is entered, or what differed replaced. `unchanged`: all of it was there. */
  readonly outcome: 'imported' | 'completed' | 'unchanged' | 'left-out';
  /** In the file. */
  readonly results: number;
  /** Why it was left out. */
  readonly faults: readonly Fault[];
  /** What was in the file and is not read. */
  readonly notes: readonly Fault[];
  readonly persons: readonly PersonDecision[];
}

export interface ImportReport extends Receipt {
  /** In the order of the readings. */
  readonly contests: readonly ContestOutcome[];
}

export interface ImportOptions {
  readonly spaceId: string;
  /** Leaves the contests ongoing with their rounds open, instead of finished. */
  readonly open?: boolean;
  /**
   * Results that a contest which is going on has otherwise, or not at all, become those of the file; needs `preview`, and
   * whatever has changed since that was made is left as it is.
   */
  readonly replace?: boolean;
  /** Fingerprint of the preview that was agreed to: refused when the import would do something else by now. The readings are read twice. */
  readonly preview?: string;
  /** Called as each contest is done. */
  readonly onContest?: (outcome: ContestOutcome) => void;
}

/**
 * Puts contests in: a contest with any fault is left out whole, the others go in; one that is there already is left
 * alone, and one that an interrupted import began is completed. Throws RejectedError `space-not-found`,
 * `import-changed`.
 */
export class ImportContests extends Command<ImportReport> {
  constructor(
    readonly readings: Iterable<Reading> | AsyncIterable<Reading>,
    readonly options: ImportOptions,
    readonly context: CommandContext,
  ) {
    super();
  }
}
