/**
 * Reads a CSV file with a header into rows whose cells know their line and column. A row with fewer or more cells
 * than the header is a fault, because a missing comma shifts values into the wrong attempt.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { FaultError, fail, type Place } from './contest-file.js';

export interface CsvCell extends Place {
  /** Without blanks at both ends. */
  readonly text: string;
}

export interface CsvRow {
  readonly place: Place;
  /** Finds a cell by header name. The cell is empty when there is no such column. */
  readonly cell: (column: string) => CsvCell;
}

export interface CsvTable {
  readonly header: readonly CsvCell[];
  readonly has: (column: string) => boolean;
  readonly rows: readonly CsvRow[];
}

/** A server reads a file of this size at once. A world championship has a twentieth of it. */
const MAX_LINES = 250_000;

interface RawRecord {
  readonly cells: readonly string[];
  readonly raw: string;
  /** The first line of the record. */
  readonly line: number;
}

/** Throws FaultError. `textOf`: what a cell below the header says, from the text that stands in it. */
export const readCsv = (
  file: string,
  text: string,
  textOf: (text: string) => string = (same) => same,
): CsvTable => {
  const delimiter = delimiterOf(text);
  const [head, ...body] = rawRecords(text, { file, delimiter });
  if (!head) return fail({ file, line: null, column: null }, 'the file is empty: it needs a header line');
  const header = cellsOf(head, { file, delimiter });
  const columns = new Map<string, number>();
  for (const [index, cell] of header.entries()) {
    if (cell.text !== '' && columns.has(cell.text)) fail(cell, `the column ${cell.text} is there twice`);
    columns.set(cell.text, index);
  }
  const rows = body.map((record): CsvRow => {
    const cells = cellsOf(record, { file, delimiter }).map((cell) => ({ ...cell, text: textOf(cell.text) }));
    checkWidth(header, cells, { file, line: record.line, column: null });
    const place = { file, line: record.line, column: 1 };
    return { place, cell: (name) => cells[columns.get(name) ?? -1] ?? { ...place, text: '' } };
  });
  return { header, has: (name) => columns.has(name), rows };
};

const checkWidth = (header: readonly CsvCell[], cells: readonly CsvCell[], place: Place): void => {
  const extra = cells.slice(header.length).find((cell) => cell.text !== '');
  if (extra) fail(extra, `the row has ${cells.length} cells, the header names ${header.length} columns`);
  if (cells.length < header.length) {
    fail(place, `the row has ${cells.length} cells, the header names ${header.length} columns`);
  }
};

interface CsvFormat {
  /** Named in faults. */
  readonly file: string;
  readonly delimiter: string;
}

/** Where commas mark decimals, spreadsheets write semicolons between the cells, or tabs. No column has one in its name. */
const delimiterOf = (text: string): string => {
  const [header = ''] = /^[^\r\n]*/.exec(text) ?? [];
  return [',', ';', '\t'].find((mark) => header.includes(mark)) ?? ',';
};

const rawRecords = (text: string, { file, delimiter }: CsvFormat): readonly RawRecord[] => {
  const lines = lineBreaks(text);
  if (lines > MAX_LINES)
    fail(
      { file, line: null, column: null },
      `the file has ${lines} lines; ${MAX_LINES} are the most: split it by contest`,
    );
  try {
    const records: readonly unknown[] = parse(text, {
      bom: true,
      raw: true,
      relax_column_count: true,
      delimiter,
    });
    let line = 1;
    return records.filter(isParsed).flatMap(({ record, raw }) => {
      const begins = line;
      line += lineBreaks(raw);
      const blank = record.length <= 1 && record.every((cell) => cell.trim() === '');
      return blank ? [] : [{ cells: record, raw, line: begins }];
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FaultError({
      file,
      line: Number(error.lines ?? 1),
      column: null,
      reason: `no valid CSV: ${error.message}`,
    });
  }
};

/** The form in which the parser returns each record with its text. */
const isParsed = (value: unknown): value is { readonly record: readonly string[]; readonly raw: string } =>
  typeof value === 'object' && value !== null && 'record' in value && 'raw' in value;

const lineBreaks = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const isBreak = text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n');
    if (isBreak) count += 1;
  }
  return count;
};

/** Returns the cells with their columns, which are found in the record's own text. */
const cellsOf = (record: RawRecord, { file, delimiter }: CsvFormat): readonly CsvCell[] => {
  let offset = 0;
  let line = record.line;
  let lineBegin = 0;
  return record.cells.map((text) => {
    const cell = { file, line, column: offset - lineBegin + 1, text: text.trim() };
    const end = endOfCell(record.raw, offset, delimiter) + 1;
    const own = record.raw.slice(offset, end);
    const lastBreak = Math.max(own.lastIndexOf('\n'), own.lastIndexOf('\r'));
    if (lastBreak !== -1) lineBegin = offset + lastBreak + 1;
    line += lineBreaks(own);
    offset = end;
    return cell;
  });
};

/** Returns the index of the delimiter or line end after the cell that starts here. */
const endOfCell = (raw: string, begin: number, delimiter: string): number => {
  let at = begin;
  if (raw[at] === '"') {
    for (at += 1; at < raw.length; at += 1) {
      if (raw[at] !== '"') continue;
      if (raw[at + 1] !== '"') break;
      at += 1;
    }
  }
  const next = raw.indexOf(delimiter, at);
  return next === -1 ? raw.length : next;
};
