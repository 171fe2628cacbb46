/** Reads the CSV of a competitor list and reports the line and column of every fault. competitors-csv.ts has the columns. */
import { withoutFormulaMark } from '../../../domain/formula-mark.js';
import { REGISTRATION_STATES } from '../../../domain/registrations.js';
import { MAX_COMPETITOR_NUMBER } from '../../aggregates/competitor-list/competitor-rows.js';
import { COMPETITOR_COLUMNS } from './competitors-csv.js';
import type {
  CompetitorsFile,
  CompetitorsReading,
  FileRegistration,
  ListedContest,
} from './competitors-file.js';
import { FaultList, fail } from './contest-file.js';
import { country, integer, needed, oneOf, optional } from './csv-cells.js';
import { type CsvCell, type CsvRow, type CsvTable, readCsv } from './csv-table.js';

/** A list is one event of the contest, and a request to replace it has the same limit. */
const MAX_COMPETITORS = 5_000;

const NEEDED = ['name', 'events'] as const;

/** Never throws because of the content of the file. */
export const readCompetitorsCsv = (
  file: string,
  text: string,
  contest: ListedContest,
): CompetitorsReading => {
  const faults = new FaultList();
  const read = faults.attempt((): CompetitorsFile => {
    const table = readCsv(file, text, withoutFormulaMark);
    for (const column of NEEDED)
      if (!table.has(column)) fail({ file, line: 1, column: 1 }, `the header has no column ${column}`);
    if (table.rows.length === 0) fail({ file, line: null, column: null }, 'the file has no rows');
    if (table.rows.length > MAX_COMPETITORS)
      fail({ file, line: null, column: null }, `the file has more than ${MAX_COMPETITORS} competitors`);
    const numbers = new Map<number, CsvCell>();
    const registrations = table.rows.flatMap(
      (row) => faults.attempt(() => readRow(row, { contest, numbers })) ?? [],
    );
    return { registrations, notes: unreadColumns(table) };
  });
  return read && faults.faults.length === 0 ? { ok: true, file: read } : { ok: false, faults: faults.faults };
};

const unreadColumns = ({ header }: CsvTable): CompetitorsFile['notes'] =>
  header
    .filter(({ text }) => !COMPETITOR_COLUMNS.some((known) => known === text))
    .map(({ text, ...place }) => ({ ...place, reason: `the column “${text}” is not read` }));

const readRow = (
  row: CsvRow,
  { contest, numbers }: { readonly contest: ListedContest; readonly numbers: Map<number, CsvCell> },
): FileRegistration => {
  const personId = optional(row.cell('personId'), positive('personId'));
  return {
    person: {
      name: needed(row.cell('name'), 'name'),
      localizedName: row.cell('localizedName').text || null,
      assocId: row.cell('assocId').text || null,
      regionCode: optional(row.cell('region'), (cell) => country(cell, 'region')),
      ref: null,
      ...(personId !== null && { personId }),
    },
    number: optional(row.cell('number'), (cell) => numberIn(cell, numbers)),
    eventIds: eventsIn(row.cell('events'), contest),
    state: optional(row.cell('state'), (cell) => oneOf(cell, 'state', REGISTRATION_STATES)),
    place: row.place,
  };
};

const positive =
  (column: string) =>
  (cell: CsvCell): number => {
    const value = integer(cell, column);
    return value >= 1 ? value : fail(cell, `${column} is ${value}; it must be above 0`);
  };

const numberIn = (cell: CsvCell, numbers: Map<number, CsvCell>): number => {
  const number = positive('number')(cell);
  if (number > MAX_COMPETITOR_NUMBER)
    fail(cell, `number is ${number}; it must be at most ${MAX_COMPETITOR_NUMBER}`);
  const first = numbers.get(number);
  if (first) fail(cell, `number ${number} is in line ${first.line} too`);
  numbers.set(number, cell);
  return number;
};

const eventsIn = (cell: CsvCell, { competitionId, eventIds }: ListedContest): readonly string[] => {
  const events = cell.text.split(/\s+/).filter((eventId) => eventId !== '');
  const other = events.find((eventId) => !eventIds.has(eventId));
  return other === undefined
    ? events
    : fail(cell, `events names ${other}, which ${competitionId} does not have`);
};
