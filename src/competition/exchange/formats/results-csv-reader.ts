/** Reads Podium's own CSV and reports the line and column of every fault. results-csv.ts describes the columns. */
import {
  ADVANCEMENT_TYPES,
  CONTEST_TYPES,
  NOT_TAKEN,
  ROUND_FORMATS,
  type RoundFormat,
  type RoundRules,
  VALUE_FORMATS,
} from '../../../domain/attempts.js';
import { withoutFormulaMark } from '../../../domain/formula-mark.js';
import { attemptsOf } from '../../../domain/scoring.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import { catalogueEvent, unknownEvent } from '../../spaces/catalogue.js';
import { cappedAdvancement } from './capped-advancement.js';
import {
  type ContestFile,
  type Fault,
  FaultError,
  FaultList,
  type FilePerson,
  type FileResult,
  type FileRound,
  fail,
  placeOf,
  type Reading,
} from './contest-file.js';
import { country, date, integer, needed, oneOf, optional } from './csv-cells.js';
import { type CsvCell, type CsvRow, type CsvTable, readCsv } from './csv-table.js';
import { splitNames } from './name-list.js';
import { CONTEST_COLUMNS, EVENT_COLUMNS, ROUND_COLUMNS } from './results-csv.js';

/** Returns one reading for each contest of the file, in the order of appearance. */
export const readResultsCsv = (file: string, text: string): readonly Reading[] => {
  const contests = new Map<string, CsvRow[]>();
  const faults = new FaultList();
  const table = faults.attempt(() => {
    const read = readCsv(file, text, withoutFormulaMark);
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
    const notes: Fault[] = [];
    const firsts = new Map<string, CsvRow>();
    for (const row of rows) {
      faults.attempt(() => {
        agree(row, firsts);
        addRow(table, row, { events, rounds, notes });
      });
    }
    return {
      source: file,
      competitionId: needed(first.cell('competitionId'), 'competitionId'),
      details: readDetails(first),
      organizers: organizersOf(first.cell('organizers').text),
      events: [...events.values()],
      rounds: [...rounds.values()].map(({ round, results }) => ({ ...round, results })),
      competitors: [],
      opaque: null,
      notes,
      place: first.place,
    };
  });
  return contest && faults.faults.length === 0
    ? { ok: true, contest }
    : { ok: false, source: file, faults: faults.faults };
};

/**
 * Checks that repeated values are equal in all rows. An empty cell always agrees. Adds the first row of each value to
 * `firsts`.
 */
const agree = (row: CsvRow, firsts: Map<string, CsvRow>): void => {
  const eventId = row.cell('eventId').text;
  const repeated = [
    ['', CONTEST_COLUMNS],
    [eventId, EVENT_COLUMNS],
    [`${eventId} ${row.cell('roundNumber').text}`, ROUND_COLUMNS],
  ] as const;
  for (const [subject, columns] of repeated) {
    const first = firsts.get(subject) ?? row;
    firsts.set(subject, first);
    for (const column of columns) {
      const cell = row.cell(column);
      const said = first.cell(column).text;
      if (cell.text !== '' && cell.text !== said)
        fail(cell, `${column} is “${cell.text}”, but “${said}” in line ${first.place.line}`);
    }
  }
};

const addRow = (
  table: CsvTable,
  row: CsvRow,
  into: {
    readonly events: Map<string, EventDefinition>;
    readonly rounds: Map<string, { readonly round: FileRound; readonly results: FileResult[] }>;
    readonly notes: Fault[];
  },
): void => {
  const competitors = readCompetitors(table, row);
  const event = readEvent(row, competitors.length, into.events);
  const roundNumber = integer(row.cell('roundNumber'), 'roundNumber');
  const key = `${event.eventId}-r${roundNumber}`;
  const known = into.rounds.get(key) ?? {
    round: {
      eventId: event.eventId,
      roundNumber,
      rules: readRules(row, into.notes),
      results: [],
      place: row.place,
    },
    results: [],
  };
  into.rounds.set(key, known);
  if (competitors.length === 0) {
    refuseNameless(row);
    return;
  }
  const result = readResult(row, competitors, known.round.rules);
  if (result.attempts.some((value) => value !== NOT_TAKEN)) known.results.push(result);
  else into.notes.push({ ...placeOf(row.place), reason: 'the row has no attempt, so it gives no result' });
};

const MAX_ATTEMPTS = 5;

const attemptCells = (row: CsvRow): readonly CsvCell[] =>
  Array.from({ length: MAX_ATTEMPTS }, (_, index) => row.cell(`attempt${index + 1}`));

const isTaken = ({ text }: CsvCell): boolean => text !== '' && text !== String(NOT_TAKEN);

/** A row without competitors means that the round has no results. */
const refuseNameless = (row: CsvRow): void => {
  if (attemptCells(row).some(isTaken)) fail(row.cell('name1'), 'name1 is empty, but the row has attempts');
};

const readEvent = (row: CsvRow, members: number, events: Map<string, EventDefinition>): EventDefinition => {
  const eventId = needed(row.cell('eventId'), 'eventId');
  const readFormat = (cell: CsvCell): RoundFormat => oneOf(cell, 'defaultRoundFormat', ROUND_FORMATS);
  const defaultRoundFormat = row.cell('defaultRoundFormat');
  const participants = optional(row.cell('participants'), (cell) => integer(cell, 'participants'));
  const base =
    events.get(eventId) ??
    catalogueEvent(eventId) ??
    unknownEvent(eventId, {
      defaultRoundFormat: readFormat(defaultRoundFormat),
      participants: Math.max(1, members),
    });
  const event: EventDefinition = {
    ...base,
    name: row.cell('eventName').text || base.name,
    format:
      optional(row.cell('valueFormat'), (cell) => oneOf(cell, 'valueFormat', VALUE_FORMATS)) ?? base.format,
    defaultRoundFormat: optional(defaultRoundFormat, readFormat) ?? base.defaultRoundFormat,
    participants: participants ?? base.participants,
  };
  if (members > 0 && event.participants !== members) {
    fail(row.place, `the row names ${members} competitors, but ${event.name} has ${event.participants}`);
  }
  events.set(eventId, event);
  return event;
};

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

const readRules = (row: CsvRow, notes: Fault[]): RoundRules => {
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
    advancement: optional(row.cell('advancementType'), (cell) => {
      const type = oneOf(cell, 'advancementType', ADVANCEMENT_TYPES);
      const value = row.cell('advancementValue');
      return cappedAdvancement({ type, value: integer(value, 'advancementValue') }, value, notes);
    }),
  };
};

/** Returns no competitors for the row of a round without results. */
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
  const count = attemptsOf(rules.format);
  const cells = attemptCells(row).slice(0, count);
  for (const [index, cell] of attemptCells(row).entries()) {
    if (index < count || !isTaken(cell)) continue;
    const attempt = `attempt${index + 1} is “${cell.text}”`;
    fail(cell, `${attempt}, but a round of format ${rules.format} has ${count} attempts`);
  }
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
