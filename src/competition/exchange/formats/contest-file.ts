/**
 * The neutral shape that every exchange format lowers onto: a whole contest with its rules, results and competitors as
 * the file has them, and where in the file each stands, so that a fault found by a later rule can still be pointed at.
 */

import { textOrder } from '../../../domain/text-order.js';
import type { ContestDetails, PlannedRound } from '../../aggregates/contest/contest.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';

/** A place in a file. Lines and columns count from 1; null: the file as a whole. */
export interface Place {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** Something wrong, or worth knowing, at a place. */
export interface Fault extends Place {
  readonly reason: string;
}

/** `file:line:column: reason`, as editors and terminals jump to it. */
export const faultText = ({ file, line, column, reason }: Fault): string =>
  `${[file, line, column].filter((part) => part !== null).join(':')}: ${reason}`;

/** Stops the reading of whatever holds the fault; caught by FaultList. */
export class FaultError extends Error {
  constructor(readonly fault: Fault) {
    super(faultText(fault));
    this.name = 'FaultError';
  }
}

export const fail = (place: Place, reason: string): never => {
  throw new FaultError({ ...placeOf(place), reason });
};

/** Just the place, of a value that has more. */
export const placeOf = ({ file, line, column }: Place): Place => ({ file, line, column });

/** What is wrong with a file as a whole comes before what is wrong in it. */
const inFileOrder = (a: Place, b: Place): number =>
  textOrder(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

const MAX_PART_LENGTH = 250;

/** What a file has in a wrong place may be as long as the file; both ends of the sentence are kept. */
const shortened = (reason: string): string =>
  reason.length <= 2 * MAX_PART_LENGTH
    ? reason
    : `${reason.slice(0, MAX_PART_LENGTH)} … ${reason.slice(-MAX_PART_LENGTH)}`.toWellFormed();

/** More help nobody: what is wrong everywhere is wrong in one way. */
const MAX_FAULTS = 1_000;
const MORE = `more is wrong than the ${MAX_FAULTS} places that are named here`;

/** Gathers faults, so that one reading names all of them instead of the first; those beyond the first thousand as one. */
export class FaultList {
  readonly #found: Fault[] = [];

  /** In the order of the files and of what stands in them, whenever each was come upon. */
  get faults(): readonly Fault[] {
    return [...this.#found].sort(inFileOrder);
  }

  add(place: Place, reason: string): void {
    const { length } = this.#found;
    if (length < MAX_FAULTS) this.#found.push({ ...placeOf(place), reason: shortened(reason) });
    if (length === MAX_FAULTS) this.#found.push({ file: place.file, line: null, column: null, reason: MORE });
  }

  /** The value, or null when reading it met a fault (which is then in the list). */
  attempt<T>(read: () => T): T | null {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      this.add(error.fault, error.fault.reason);
      return null;
    }
  }

  /** The same of what is still being read. */
  async awaited<T>(reading: Promise<T>): Promise<T | null> {
    const [read] = await Promise.allSettled([reading]);
    return this.attempt(() => {
      if (read.status === 'rejected') throw read.reason;
      return read.value;
    });
  }
}

/** A person as a file names one. */
export interface FilePerson {
  readonly name: string;
  /** The name in the person's own script. */
  readonly localizedName: string | null;
  readonly assocId: string | null;
  /** ISO 3166-1 alpha-2 */
  readonly regionCode: string | null;
  /** How the file itself tells persons apart (a registrant's number, a person id); null: by name alone. */
  readonly ref: string | null;
}

/** What the file itself says a result comes to; null where it says nothing. */
export interface PublishedResult {
  readonly best: number | null;
  readonly average: number | null;
  readonly rank: number | null;
}

export interface FileResult {
  /** A team in its order. */
  readonly competitors: readonly FilePerson[];
  /** One value for each attempt of the format, 0 where none is in. */
  readonly attempts: readonly number[];
  readonly published: PublishedResult;
  /** Of the result. */
  readonly place: Place;
  /** Of each attempt. */
  readonly attemptPlaces: readonly Place[];
}

export interface FileRound extends PlannedRound {
  readonly results: readonly FileResult[];
  readonly place: Place;
}

/** A competitor with the number that the file calls them by; also without a result. */
export interface FileCompetitor {
  readonly person: FilePerson;
  readonly number: number;
  readonly place: Place;
}

export interface ContestFile {
  /** The file or folder that it was read from. */
  readonly source: string;
  readonly competitionId: string;
  readonly details: Omit<ContestDetails, 'organizerIds'>;
  readonly organizers: readonly FilePerson[];
  /** Each number once. */
  readonly competitors: readonly FileCompetitor[];
  /** Of all events that the rounds name: from the catalogue, else from what the data says. */
  readonly events: readonly EventDefinition[];
  /** By event in the file's order, then round number. */
  readonly rounds: readonly FileRound[];
  /** What was in the file and is not read. */
  readonly notes: readonly Fault[];
  readonly place: Place;
}

/** What reading one file or folder came to: the contest, or everything that is wrong with it. */
export type Reading =
  | { readonly ok: true; readonly contest: ContestFile }
  | { readonly ok: false; readonly source: string; readonly faults: readonly Fault[] };

export const resultCount = (contest: ContestFile): number =>
  contest.rounds.reduce((sum, round) => sum + round.results.length, 0);
