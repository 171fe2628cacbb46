/**
 * Reads a contest from a folder in the format of the collections of unofficial results. `competition-info.json` has
 * rounds, formats and dates; `round-results/<event>-round<N>.csv` has the results of one round. Every unknown part is
 * a fault with a place, and a contest with a fault is not imported.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ROUND_FORMATS, type RoundFormat } from '../../../domain/attempts.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import { catalogueEvent, unknownEvent } from '../../spaces/catalogue.js';
import {
  type ContestFile,
  type Fault,
  FaultError,
  FaultList,
  type FileRound,
  fail,
  type Place,
  type Reading,
} from './contest-file.js';
import { readText, unreadable } from './file-text.js';
import { JsonCursor } from './json-cursor.js';
import { readRoundCsv, teamSize } from './round-csv.js';
import { shortNameOf } from './short-name.js';
import { readDate } from './typed-values.js';

const INFO = 'competition-info.json';
const RESULTS = 'round-results';

/** Round formats, by their names in the collections. */
const FORMATS: Readonly<Record<string, RoundFormat>> = {
  bo1: '1',
  bo2: '2',
  bo3: '3',
  bo5: '5',
  mo3: 'm',
  avg5: 'a',
  ...Object.fromEntries(ROUND_FORMATS.map((format) => [format, format])),
};

interface PlannedFile {
  readonly eventId: string;
  readonly roundNumber: number;
  readonly format: RoundFormat;
  readonly date: string;
  readonly place: Place;
}

interface Info {
  readonly competitionId: string;
  readonly name: string;
  readonly rounds: readonly PlannedFile[];
  readonly place: Place;
}

export const isUnofficialFolder = (entries: readonly string[]): boolean => entries.includes(INFO);

/** Reads the whole folder. Never throws because of the content of a file. */
export const readUnofficialFolder = async (folder: string): Promise<Reading> => {
  const faults = new FaultList();
  const infoFile = join(folder, INFO);
  const source = await faults.awaited(readText(infoFile));
  const info = source === null ? null : faults.attempt(() => readInfo(infoFile, source, faults));
  const contest = info && (await faults.awaited(readRounds(folder, info, faults)));
  return contest && faults.faults.length === 0
    ? { ok: true, contest }
    : { ok: false, source: folder, faults: faults.faults };
};

const readInfo = (file: string, source: string, faults: FaultList): Info => {
  const root = JsonCursor.parse(file, source);
  const competitionId = root.field('id').nonEmptyString();
  const rounds = root
    .field('roundsByEvent')
    .entries()
    .flatMap(([eventId, list]) =>
      (faults.attempt(() => list.items()) ?? []).flatMap((round, index) => {
        const planned = faults.attempt(() => readPlanned(eventId, index + 1, round));
        return planned ? [planned] : [];
      }),
    );
  if (rounds.length === 0 && faults.faults.length === 0) root.field('roundsByEvent').fail('names no round');
  return { competitionId, name: root.field('fullName').nonEmptyString(), rounds, place: root.place };
};

const readPlanned = (eventId: string, roundNumber: number, round: JsonCursor): PlannedFile => {
  const format = round.field('roundFormatID');
  const typedDate = round.field('roundEndDate');
  return {
    eventId,
    roundNumber,
    format:
      FORMATS[format.string()] ??
      format.fail(`is “${format.string()}”; it may be ${Object.keys(FORMATS).join(', ')}`),
    date:
      readDate(typedDate.string()) ??
      typedDate.fail(`is “${typedDate.string()}”; a date looks like 2023-07-29`),
    place: round.place,
  };
};

const readRounds = async (folder: string, info: Info, faults: FaultList): Promise<ContestFile | null> => {
  const files = await roundFiles(folder);
  const expected = new Map(info.rounds.map((round) => [fileName(round), round]));
  for (const file of files.filter((name) => !expected.has(name))) {
    faults.add(
      { file: join(folder, RESULTS, file), line: null, column: null },
      `${INFO} plans no round of this name`,
    );
  }
  const notes: Fault[] = [];
  const events = new Map<string, EventDefinition>();
  const rounds: FileRound[] = [];
  for (const planned of info.rounds) {
    const name = fileName(planned);
    if (!files.includes(name)) {
      faults.add(planned.place, `there is no file ${RESULTS}/${name} for this round`);
      continue;
    }
    const file = join(folder, RESULTS, name);
    const text = await faults.awaited(readText(file));
    if (text === null) continue;
    const round = faults.attempt(() => readRound({ file, text, planned, events, notes, faults }));
    if (round) rounds.push(round);
  }
  return faults.faults.length > 0 ? null : contestOf(folder, info, { rounds, events, notes });
};

const fileName = ({ eventId, roundNumber }: PlannedFile): string => `${eventId}-round${roundNumber}.csv`;

/** Sorted, so that reports do not depend on the file system. Throws FaultError. */
const roundFiles = async (folder: string): Promise<readonly string[]> => {
  try {
    return (await readdir(join(folder, RESULTS))).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw unreadable(join(folder, RESULTS), error);
  }
};

interface RoundInput {
  readonly file: string;
  readonly text: string;
  readonly planned: PlannedFile;
  /** Collects the definitions of the contest's events. */
  readonly events: Map<string, EventDefinition>;
  readonly notes: Fault[];
  readonly faults: FaultList;
}

const readRound = ({ file, text, planned, events, notes, faults }: RoundInput): FileRound => {
  const { eventId, roundNumber, format, date } = planned;
  const table = readRoundCsv.table(file, text);
  const participants = teamSize(table);
  const event =
    events.get(eventId) ??
    catalogueEvent(eventId) ??
    unknownEvent(eventId, { defaultRoundFormat: format, participants });
  if (event.participants !== participants) {
    fail(
      { file, line: 1, column: null },
      `the header names ${participants} competitors a result, but ${event.name} has ${event.participants}`,
    );
  }
  events.set(eventId, event);
  return {
    eventId,
    roundNumber,
    rules: { format, date, timeLimit: null, cutoff: null, advancement: null },
    results: readRoundCsv.results(table, { event, format, notes, faults }),
    place: { file, line: null, column: null },
  };
};

const contestOf = (
  folder: string,
  info: Info,
  read: {
    readonly rounds: readonly FileRound[];
    readonly events: ReadonlyMap<string, EventDefinition>;
    readonly notes: readonly Fault[];
  },
): ContestFile => {
  const dates = info.rounds.map((round) => round.date).sort();
  const [startDate] = dates;
  const endDate = dates.at(-1);
  if (startDate === undefined || endDate === undefined) {
    throw new FaultError({ ...info.place, reason: 'the contest has no date' });
  }
  return {
    source: folder,
    competitionId: info.competitionId,
    details: {
      name: info.name,
      shortName: shortNameOf(info.name),
      type: 'competition',
      city: null,
      regionCode: null,
      venue: null,
      startDate,
      endDate,
    },
    organizers: [],
    competitors: [],
    events: [...read.events.values()],
    rounds: read.rounds,
    opaque: null,
    notes: read.notes,
    place: { file: join(folder, basename(info.place.file)), line: null, column: null },
  };
};
