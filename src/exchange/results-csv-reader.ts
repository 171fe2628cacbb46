/** Reads Podium's own CSV (its columns: results-csv.ts), with the line and column of whatever is wrong. */
import {
  type Advancement,
  CONTEST_TYPES,
  ROUND_FORMATS,
  type RoundRules,
  VALUE_FORMATS,
} from '../domain/attempts.js';
import { isDate } from '../domain/ids.js';
import { isCountry } from '../domain/regions.js';
import { attemptsOf } from '../domain/scoring.js';
import { catalogueEvent, unknownEvent } from '../spaces/catalogue.js';
import type { EventDefinition } from '../spaces/space.events.js';
import {
  type ContestFile,
  FaultError,
  FaultList,
  type FilePerson,
  type FileResult,
  type FileRound,
  fail,
  placeOf,
  type Reading,
} from './contest-file.js';
import { type CsvCell, type CsvRow, type CsvTable, readCsv } from './csv-table.js';
import { splitNames } from './name-list.js';

/** One reading for each contest in the file, in the order in which they appear. */
export const readResultsCsv = (file: string, text: string): readonly Reading[] => {
  const contests = new Map<string, CsvRow[]>();
  const faults = new FaultList();
  const table = faults.attempt(() => {
    const read = readCsv(file, text);
    if (!read.has('competitionId'))
      fail({ file, line: 1, column: 1 }, 'the header has no column competitionId');
    if (read.rows.length === 0) fail({ file, line: null, column: null }, 'the file has no rows');
    return read;
  });
  if (!table) return [{ ok: false, source: file, faults: faults.faults }];
  for (const row of table.rows) {
    const id = row.cell('competitionId').text;
    const rows = contests.get(id);
    if (rows) rows.push(row);
    else contests.set(id, [row]);
  }
  return [...contests.values()].map((rows) => readContest(file, table, rows));
};

const readContest = (file: string, table: CsvTable, rows: readonly CsvRow[]): Reading => {
  const faults = new FaultList();
  const contest = faults.attempt((): ContestFile => {
    const [first] = rows;
    if (!first) throw new FaultError({ file, line: null, column: null, reason: 'the file has no rows' });
    const events = new Map<string, EventDefinition>();
    const rounds = new Map<string, { readonly round: FileRound; readonly results: FileResult[] }>();
    for (const row of rows) faults.attempt(() => addRow(table, row, { events, rounds }));
    return {
      source: file,
      competitionId: needed(first.cell('competitionId'), 'competitionId'),
      details: readDetails(first),
      organizers: organizersOf(first.cell('organizers').text),
      events: [...events.values()],
      rounds: [...rounds.values()].map(({ round, results }) => ({ ...round, results })),
      competitors: [],
      notes: [],
      place: first.place,
    };
  });
  return contest && faults.faults.length === 0
    ? { ok: true, contest }
    : { ok: false, source: file, faults: faults.faults };
};

const addRow = (
  table: CsvTable,
  row: CsvRow,
  into: {
    readonly events: Map<string, EventDefinition>;
    readonly rounds: Map<string, { readonly round: FileRound; readonly results: FileResult[] }>;
  },
): void => {
  const competitors = readCompetitors(table, row);
  const event = readEvent(row, competitors.length, into.events);
  const roundNumber = integer(row.cell('roundNumber'), 'roundNumber');
  const key = `${event.eventId}-r${roundNumber}`;
  const known = into.rounds.get(key) ?? {
    round: { eventId: event.eventId, roundNumber, rules: readRules(row), results: [], place: row.place },
    results: [],
  };
  into.rounds.set(key, known);
  if (competitors.length > 0) known.results.push(readResult(row, competitors, known.round.rules));
};

const readEvent = (row: CsvRow, members: number, events: Map<string, EventDefinition>): EventDefinition => {
  const eventId = needed(row.cell('eventId'), 'eventId');
  const name = row.cell('eventName').text;
  const base =
    events.get(eventId) ??
    catalogueEvent(eventId) ??
    unknownEvent(eventId, {
      defaultRoundFormat: oneOf(row.cell('defaultRoundFormat'), 'defaultRoundFormat', ROUND_FORMATS),
      participants:
        optional(row.cell('participants'), (cell) => integer(cell, 'participants')) ?? Math.max(1, members),
    });
  if (members > 0 && base.participants !== members) {
    fail(row.place, `the row names ${members} competitors, but ${base.name} has ${base.participants}`);
  }
  const format = row.cell('valueFormat');
  const event: EventDefinition = {
    ...base,
    ...(name === '' ? {} : { name }),
    ...(format.text === '' ? {} : { format: oneOf(format, 'valueFormat', VALUE_FORMATS) }),
  };
  events.set(eventId, event);
  return event;
};

const needed = (cell: CsvCell, column: string): string =>
  cell.text === '' ? fail(cell, `${column} is empty`) : cell.text;

const oneOf = <T extends string>(cell: CsvCell, column: string, allowed: readonly T[]): T =>
  allowed.find((known) => known === cell.text) ??
  fail(cell, `${column} is “${cell.text}”; it may be ${allowed.join(', ')}`);

const integer = (cell: CsvCell, column: string): number =>
  /^-?\d{1,16}$/.test(cell.text)
    ? Number(cell.text)
    : fail(cell, `${column} is “${cell.text}”; it must be a whole number`);

const optional = <T>(cell: CsvCell, read: (cell: CsvCell) => T): T | null =>
  cell.text === '' ? null : read(cell);

const date = (cell: CsvCell, column: string): string =>
  isDate(cell.text) ? cell.text : fail(cell, `${column} is “${cell.text}”; a date looks like 2023-07-29`);

const country = (cell: CsvCell, column: string): string =>
  isCountry(cell.text)
    ? cell.text
    : fail(cell, `${column} is “${cell.text}”, which is no ISO 3166-1 country code`);

const readDetails = (row: CsvRow): ContestFile['details'] => ({
  name: needed(row.cell('contestName'), 'contestName'),
  shortName: needed(row.cell('shortName'), 'shortName'),
  type: oneOf(row.cell('type'), 'type', CONTEST_TYPES),
  city: row.cell('city').text || null,
  regionCode: optional(row.cell('regionCode'), (cell) => country(cell, 'regionCode')),
  venue: row.cell('venue').text || null,
  startDate: date(row.cell('startDate'), 'startDate'),
  endDate: date(row.cell('endDate'), 'endDate'),
});

const organizersOf = (text: string): readonly FilePerson[] =>
  splitNames(text).map((name) => ({
    name,
    localizedName: null,
    assocId: null,
    regionCode: null,
    ref: null,
  }));

const readRules = (row: CsvRow): RoundRules => {
  const limit = optional(row.cell('timeLimit'), (cell) => integer(cell, 'timeLimit'));
  const cutoffAttempts = optional(row.cell('cutoffAttempts'), (cell) => integer(cell, 'cutoffAttempts'));
  return {
    format: oneOf(row.cell('format'), 'format', ROUND_FORMATS),
    date: optional(row.cell('date'), (cell) => date(cell, 'date')),
    timeLimit:
      limit === null
        ? null
        : {
            centiseconds: limit,
            cumulativeRounds: row
              .cell('cumulativeRounds')
              .text.split(/\s+/)
              .filter((code) => code !== ''),
          },
    cutoff:
      cutoffAttempts === null
        ? null
        : {
            numberOfAttempts: cutoffAttempts,
            attemptResult: integer(row.cell('cutoffResult'), 'cutoffResult'),
          },
    advancement: optional(
      row.cell('advancementType'),
      (cell): Advancement => ({
        type: oneOf(cell, 'advancementType', ['number', 'percent']),
        value: integer(row.cell('advancementValue'), 'advancementValue'),
      }),
    ),
  };
};

/** None in the row of a round that has no results. */
const readCompetitors = (table: CsvTable, row: CsvRow): readonly FilePerson[] => {
  const competitors: FilePerson[] = [];
  for (let number = 1; table.has(`name${number}`) && row.cell(`name${number}`).text !== ''; number += 1) {
    competitors.push({
      name: row.cell(`name${number}`).text,
      localizedName: row.cell(`localizedName${number}`).text || null,
      assocId: row.cell(`assocId${number}`).text || null,
      regionCode: optional(row.cell(`personRegion${number}`), (cell) =>
        country(cell, `personRegion${number}`),
      ),
      ref: row.cell(`personId${number}`).text || null,
    });
  }
  return competitors;
};

const readResult = (row: CsvRow, competitors: readonly FilePerson[], rules: RoundRules): FileResult => {
  const cells = Array.from({ length: attemptsOf(rules.format) }, (_, index) =>
    row.cell(`attempt${index + 1}`),
  );
  const published = (column: string): number | null =>
    optional(row.cell(column), (cell) => integer(cell, column));
  return {
    competitors,
    attempts: cells.map((cell, index) => optional(cell, () => integer(cell, `attempt${index + 1}`)) ?? 0),
    published: { best: published('best'), average: published('average') || null, rank: published('place') },
    place: row.place,
    attemptPlaces: cells.map(placeOf),
  };
};
