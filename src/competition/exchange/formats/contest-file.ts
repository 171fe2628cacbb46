/**
 * The common shape that all exchange formats are read into: a whole contest with rules, results and competitors.
 * Every part keeps its place in the file, so that a later check can name the place of a fault.
 */

import type { KnownBest } from '../../../domain/known-bests.js';
import type { RecordTags } from '../../../domain/record-tags.js';
import { textOrder } from '../../../domain/text-order.js';
import type {
  ContestDetails,
  OpaqueParts,
  OpaqueResult,
  OpaqueRound,
  PlannedRound,
} from '../../aggregates/contest/contest.js';

import type { EventDefinition } from '../../aggregates/space/space.events.js';
import type { Activity, Room, Venue } from '../../schedule/schedule.events.js';

/** A place in a file. Lines and columns count from 1; null: the whole file. */
export interface Place {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** A fault or a note at a place. */
export interface Fault extends Place {
  readonly reason: string;
}

/** `file:line:column: reason`, a form that editors and terminals can open. */
export const faultText = ({ file, line, column, reason }: Fault): string =>
  `${[file, line, column].filter((part) => part !== null).join(':')}: ${reason}`;

/** Stops reading the part with the fault. FaultList catches it. */
export class FaultError extends Error {
  constructor(readonly fault: Fault) {
    super(faultText(fault));
    this.name = 'FaultError';
  }
}

export const fail = (place: Place, reason: string): never => {
  throw new FaultError({ ...placeOf(place), reason });
};

/** Copies only the place of a larger value. */
export const placeOf = ({ file, line, column }: Place): Place => ({ file, line, column });

/** Faults of the whole file come before faults at a line. */
const inFileOrder = (a: Place, b: Place): number =>
  textOrder(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

const MAX_PART_LENGTH = 250;

/** Limits a reason that quotes a long text of the file. Keeps the start and the end. */
const shortened = (reason: string): string =>
  reason.length <= 2 * MAX_PART_LENGTH
    ? reason
    : `${reason.slice(0, MAX_PART_LENGTH)} … ${reason.slice(-MAX_PART_LENGTH)}`.toWellFormed();

/** A file with more faults than this repeats the same fault. */
const MAX_FAULTS = 1_000;
const MORE = `more is wrong than the ${MAX_FAULTS} places that are named here`;

/** Collects faults, so that one reading reports all of them. Faults beyond the first 1,000 are reported as one. */
export class FaultList {
  readonly #found: Fault[] = [];

  /** Sorted by file and place. */
  get faults(): readonly Fault[] {
    return [...this.#found].sort(inFileOrder);
  }

  add(place: Place, reason: string): void {
    const { length } = this.#found;
    if (length < MAX_FAULTS) this.#found.push({ ...placeOf(place), reason: shortened(reason) });
    if (length === MAX_FAULTS) this.#found.push({ file: place.file, line: null, column: null, reason: MORE });
  }

  /** Returns the value, or adds the fault to the list and returns null. */
  attempt<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      this.add(error.fault, error.fault.reason);
      return null;
    }
  }

  /** Does the same for a promise. */
  async awaited<T>(reading: Promise<T>): Promise<T | null> {
    const [read] = await Promise.allSettled([reading]);
    return this.attempt(() => {
      if (read.status === 'rejected') throw read.reason;
      return read.value;
    });
  }
}

/** A person as a file describes it. */
export interface FilePerson {
  readonly name: string;
  /** The name in the person's own script. */
  readonly localizedName: string | null;
  readonly assocId: string | null;
  /** ISO 3166-1 alpha-2 */
  readonly regionCode: string | null;
  /** How the file itself identifies the person (registrant number, person id); null: by name alone. */
  readonly ref: string | null;
  /** The person's id in Podium, where the file names it. */
  readonly personId?: number;
}

/** The values that the file itself gives for a result; null: not given. */
export interface PublishedResult {
  readonly best: number | null;
  readonly average: number | null;
  readonly rank: number | null;
}

export interface FileResult {
  /** The team, in its order. */
  readonly competitors: readonly FilePerson[];
  /** One value for each attempt of the format; 0: not taken. */
  readonly attempts: readonly number[];
  readonly published: PublishedResult;
  /** Only of an export: no file is read for them, because they depend on the results of other contests. */
  readonly recordTags?: RecordTags;
  /** The place of the result. */
  readonly place: Place;
  /** The place of each attempt. */
  readonly attemptPlaces: readonly Place[];
}

export interface FileRound extends PlannedRound {
  readonly results: readonly FileResult[];
  readonly place: Place;
}

/** A competitor with their number in the file, also without a result. */
export interface FileCompetitor {
  readonly person: FilePerson;
  readonly number: number;
  /** Only of a competitor who is registered in the file: for these events. */
  readonly eventIds?: readonly string[];
  /** Of all contests when the file was written. Missing: the format has none. */
  readonly bests?: readonly KnownBest[];
  readonly place: Place;
}

/** A result of a round that Podium only keeps; null: not given. */
export interface FileOpaqueResult extends Omit<OpaqueResult, 'personIds'> {
  readonly competitors: readonly FilePerson[];
}

export interface FileOpaqueRound extends Omit<OpaqueRound, 'results'> {
  readonly results: readonly FileOpaqueResult[];
  /** Where it stands in the file. */
  readonly at: Place;
}

/** Parts of a file that Podium keeps as they are given. */
export interface FileOpaqueParts extends Pick<OpaqueParts, 'participation'> {
  readonly rounds: readonly FileOpaqueRound[];
}

type Placed<T> = T & { readonly place: Place };

/** A person at an activity. */
export interface FileAssignment {
  readonly person: FilePerson;
  readonly activityId: number;
  readonly role: string;
  readonly station: number | null;
}

export interface FileSchedule {
  readonly venues: readonly Placed<Venue>[];
  readonly rooms: readonly Placed<Room>[];
  readonly activities: readonly Placed<Activity>[];
  readonly assignments: readonly FileAssignment[];
}

export interface ContestFile {
  /** The file or folder that it was read from. */
  readonly source: string;
  readonly competitionId: string;
  readonly details: Omit<ContestDetails, 'organizerIds'>;
  readonly organizers: readonly FilePerson[];
  /** Each number only once. */
  readonly competitors: readonly FileCompetitor[];
  /** All events of the rounds: from the catalogue, otherwise from the data of the file. */
  readonly events: readonly EventDefinition[];
  /** By event in the order of the file, then by round number. */
  readonly rounds: readonly FileRound[];
  /** Null: the format cannot hold such parts, and says nothing about those that are stored. */
  readonly opaque: FileOpaqueParts | null;
  /** Missing: the file has none. */
  readonly schedule?: FileSchedule;
  /** Parts of the file that are not read. */
  readonly notes: readonly Fault[];
  readonly place: Place;
}

/** The result of reading one file or folder: the contest, or all its faults. */
export type Reading =
  | { readonly ok: true; readonly contest: ContestFile }
  | { readonly ok: false; readonly source: string; readonly faults: readonly Fault[] };

export const resultCount = (contest: ContestFile): number =>
  contest.rounds.reduce((sum, round) => sum + round.results.length, 0);
