/** The command that imports contests, for the command bus, and its report. */

import { Command } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { ListCounts } from '../aggregates/competitor-list/competitor-list.decider.js';
import type { Fault, FilePerson, Reading } from './formats/contest-file.js';

/** The person that a person of the file was matched with, and how. */
export interface PersonDecision {
  readonly person: FilePerson;
  readonly personId: number;
  /** `personId`: the file names the id in Podium. `name`: exactly one person of the space has this name. */
  readonly by: 'personId' | 'assocId' | 'name' | 'new';
  /** Facts that the file has and the space did not have. */
  readonly learned: readonly ('assocId' | 'localizedName' | 'region')[];
}

export interface ContestOutcome {
  readonly source: string;
  /** Null: the id could not be read from the file. */
  readonly competitionId: string | null;
  /**
   * `completed`: the missing parts were entered, or different results were replaced. `unchanged`: nothing was
   * missing.
   */
  readonly outcome: 'imported' | 'completed' | 'unchanged' | 'left-out';
  /** Number of results in the file. */
  readonly results: number;
  /** Why the contest was left out. */
  readonly faults: readonly Fault[];
  /** Parts of the file that are not read, or read otherwise than they are written. */
  readonly notes: readonly Fault[];
  readonly persons: readonly PersonDecision[];
  /** Numbers of competitors whom the import added to the list, changed and dropped there, and kept against the file. */
  readonly list: ListCounts;
  /** The keys that ended with the contest. */
  readonly endedKeys: readonly EndingKey[];
}

/** An active API key of a contest that the import finishes. */
export interface EndingKey {
  readonly keyId: string;
  /** The organiser's name for the device that uses the key. */
  readonly device: string;
}

export interface ImportReport extends Receipt {
  /** In the order of the readings. */
  readonly contests: readonly ContestOutcome[];
}

export type ImportChoice = 'open' | 'finish';

export interface ImportOptions {
  readonly spaceId: string;
  /** YYYY-MM-DD. The dates of a new contest are compared with it. */
  readonly today: string;
  /**
   * `open`: leaves the contests ongoing, and opens their rounds. `finish`: finishes the contests that have results in
   * the file. Null or missing: leaves stored contests in their state.
   */
  readonly choice?: ImportChoice | null;
  /**
   * Replaces results of an ongoing contest that differ from the file, and adds missing ones. Needs `preview`. Keeps
   * every result that changed after the preview.
   */
  readonly replace?: boolean;
  /**
   * Brings the competitor list up to date also where moderators changed it since the last import. Otherwise their changes
   * stay.
   */
  readonly overwriteList?: boolean;
  /**
   * The fingerprint of the agreed preview. The import is refused when it would make other changes by now. The
   * readings are read twice.
   */
  readonly preview?: string;
  /** Called after each contest. */
  readonly onContest?: (outcome: ContestOutcome) => void;
}

/**
 * Imports contests. A contest with any fault is left out whole; the others are imported. An equal contest is left
 * unchanged, and an interrupted import is completed. Throws RejectedError `space-not-found`, `import-changed`.
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

/** Throws RejectedError `contest-not-found`, `invalid-request` with the faults of the file, and what the schedule refuses. */
export class ImportSchedule extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    /** Of one file; the first one counts. */
    readonly readings: readonly Reading[],
    readonly context: CommandContext,
  ) {
    super();
  }
}
