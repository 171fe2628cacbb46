/**
 * Reads the rows of one round as organisers type them: columns in any order, teams as `name1,wcaID1,name2,…`, a few
 * extra columns, and -2 in attempts beyond the round's format.
 */
import { DNF, DNS, NOT_TAKEN, type RoundFormat } from '../../../domain/attempts.js';
import { isAssocId } from '../../../domain/ids.js';
import { attemptsOf } from '../../../domain/scoring.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import {
  type Fault,
  type FaultList,
  type FilePerson,
  type FileResult,
  fail,
  type PublishedResult,
  placeOf,
} from './contest-file.js';
import { countryCode } from './countries.js';
import { type CsvCell, type CsvRow, type CsvTable, readCsv } from './csv-table.js';
import { splitName } from './person-name.js';
import { readTyped, readTypedAverage, type TypedValue } from './typed-values.js';

const MAX_ATTEMPTS = 5;
/** Ignored columns: values that follow from the attempts, or the name of a team, which its members identify. */
const NOT_NEEDED = ['', 'worst', 'teamName'];

interface RoundFacts {
  readonly event: EventDefinition;
  readonly format: RoundFormat;
  readonly notes: Fault[];
  readonly faults: FaultList;
}

/** Counts the name columns: `name` alone, or `name1`, `name2` and so on. */
export const teamSize = (table: CsvTable): number => {
  let members = 0;
  while (table.has(`name${members + 1}`)) members += 1;
  if (members > 0 && table.has('name')) fail(headerCell(table, 'name'), 'the header has both name and name1');
  if (members === 0 && !table.has('name')) {
    fail(table.header[0] ?? { file: '', line: 1, column: 1 }, 'the header has no column name');
  }
  return Math.max(1, members);
};

const headerCell = (table: CsvTable, name: string): CsvCell =>
  table.header.find((cell) => cell.text === name) ??
  fail(table.header[0] ?? { file: '', line: 1, column: 1 }, `no column ${name}`);

const results = (table: CsvTable, facts: RoundFacts): readonly FileResult[] => {
  noteStrayColumns(table, facts);
  const read: FileResult[] = [];
  for (const row of table.rows) {
    const result = facts.faults.attempt(() => readResult(table, row, facts));
    if (!result) continue;
    if (result.attempts.some((value) => value !== NOT_TAKEN)) read.push(result);
    else facts.notes.push({ ...placeOf(row.place), reason: 'the row has no attempt, so it gives no result' });
  }
  return read;
};

/** `table` reads the cells, `results` reads the rows when the event is known. Both throw FaultError. */
export const readRoundCsv = { table: readCsv, results };

const noteStrayColumns = (table: CsvTable, { event, notes }: RoundFacts): void => {
  const members = memberSuffixes(event.participants);
  const known = new Set([
    'rank',
    'best',
    'average',
    ...NOT_NEEDED,
    ...members.flatMap((suffix) => [`name${suffix}`, `wcaID${suffix}`, `country${suffix}`]),
    ...Array.from({ length: MAX_ATTEMPTS }, (_, index) => `attempt${index + 1}`),
  ]);
  for (const cell of table.header) {
    if (!known.has(cell.text))
      notes.push({ ...placeOf(cell), reason: `the column ${cell.text} is not read` });
  }
  for (const cell of table.has('') ? table.rows.map((row) => row.cell('')) : []) {
    if (cell.text !== '')
      notes.push({
        ...placeOf(cell),
        reason: `“${cell.text}” is in a column without a name and is not read`,
      });
  }
};

const memberSuffixes = (participants: number): readonly string[] =>
  participants === 1 ? [''] : Array.from({ length: participants }, (_, index) => String(index + 1));

const readResult = (table: CsvTable, row: CsvRow, facts: RoundFacts): FileResult => {
  const { event, format } = facts;
  const cells = Array.from({ length: attemptsOf(format) }, (_, index) => row.cell(`attempt${index + 1}`));
  for (let number = cells.length + 1; number <= MAX_ATTEMPTS; number += 1) {
    refuseBeyondFormat(row.cell(`attempt${number}`), number, facts);
  }
  return {
    competitors: memberSuffixes(event.participants).map((suffix) => readPerson(row, suffix)),
    attempts: cells.map((cell, index) =>
      checked(cell, `attempt${index + 1}`, readTyped(cell.text, event.format)),
    ),
    published: readPublished(table, row, event),
    place: row.place,
    attemptPlaces: cells.map(placeOf),
  };
};

const refuseBeyondFormat = (cell: CsvCell, number: number, { event, format }: RoundFacts): void => {
  const typed = readTyped(cell.text, event.format);
  if (typed.ok && (typed.value === NOT_TAKEN || typed.value === DNS)) return;
  fail(
    cell,
    `attempt${number} is “${cell.text}”, but a round of format ${format} has ${attemptsOf(format)} attempts`,
  );
};

const readPerson = (row: CsvRow, suffix: string): FilePerson => {
  const name = row.cell(`name${suffix}`);
  const assocId = row.cell(`wcaID${suffix}`);
  const country = row.cell(`country${suffix}`);
  if (name.text === '') fail(name, `name${suffix} is empty`);
  if (assocId.text !== '' && !isAssocId(assocId.text)) {
    fail(assocId, `wcaID${suffix} is “${assocId.text}”; it has letters and digits only, 32 at most`);
  }
  return {
    ...splitName(name.text),
    ref: null,
    assocId: assocId.text === '' ? null : assocId.text,
    regionCode:
      country.text === ''
        ? null
        : (countryCode(country.text) ??
          fail(country, `country${suffix} is “${country.text}”, which no country is called`)),
  };
};

const checked = (cell: CsvCell, column: string, typed: TypedValue): number =>
  typed.ok ? typed.value : fail(cell, `${column} ${typed.reason}`);

/** -2 means that there is no average, or no best when all attempts are DNS. */
const readPublished = (table: CsvTable, row: CsvRow, event: EventDefinition): PublishedResult => {
  const best = row.cell('best');
  const average = row.cell('average');
  const rank = row.cell('rank');
  if (!/^\d{0,6}$/.test(rank.text)) fail(rank, `rank is “${rank.text}”; it must be a whole number`);
  const bestValue = checked(best, 'best', readTyped(best.text, event.format));
  const averageValue = checked(average, 'average', readTypedAverage(average.text, event.format));
  return {
    best: !table.has('best') || best.text === '' ? null : bestValue === DNS ? DNF : bestValue,
    average: averageValue === DNS || averageValue === NOT_TAKEN ? null : averageValue,
    rank: rank.text === '' ? null : Number(rank.text),
  };
};
