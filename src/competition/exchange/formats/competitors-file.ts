/** What a file of competitors says for the list of one contest, be it a CSV or the persons of a WCIF. */
import type { KnownBest } from '../../../domain/known-bests.js';
import type { RegistrationState } from '../../../domain/registrations.js';
import type { Fault, FilePerson, Place } from './contest-file.js';

/** A competitor whom a file registers. */
export interface FileRegistration {
  readonly person: FilePerson;
  /** Null: the file gives none. */
  readonly number: number | null;
  readonly eventIds: readonly string[];
  /** Null: the file says none. */
  readonly state: RegistrationState | null;
  /** Of all contests when the file was written. Missing: the format has none. */
  readonly bests?: readonly KnownBest[];
  readonly place: Place;
}

export interface CompetitorsFile {
  /** At least one. */
  readonly registrations: readonly FileRegistration[];
  /** Parts of the file that are not read. */
  readonly notes: readonly Fault[];
}

/** The result of reading a file: its competitors, or all its faults. */
export type CompetitorsReading =
  | { readonly ok: true; readonly file: CompetitorsFile }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** The contest whose list the file is for. */
export interface ListedContest {
  readonly competitionId: string;
  /** Of its planned rounds. */
  readonly eventIds: ReadonlySet<string>;
}
