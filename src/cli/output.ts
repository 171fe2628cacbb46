/**
 * The output of a command. With --json it prints one JSON value on stdout and nothing else there; without it,
 * text. Messages and progress go to stderr.
 */

import { resolve } from 'node:path';
import { writeResultFile } from './result-file.js';

export class Output {
  constructor(readonly json: boolean) {}

  /** Prints the result of the command: `value` as JSON for scripts, `text` for people. */
  answer(value: unknown, text: string | (() => string)): void {
    console.log(this.json ? JSON.stringify(value) : typeof text === 'string' ? text : text());
  }

  /** Prints a list as the result: JSON for scripts, a table for people. */
  list<T>(items: readonly T[], columns: Columns<T>): void {
    this.answer(items, () => table(items, columns));
  }

  /** Prints a text as the result, or writes it to the file of --out and says so: of what it is, with the facts about it. */
  async save(
    text: string,
    path: string | undefined,
    { of, ...facts }: { readonly of: string } & Readonly<Record<string, string>>,
  ): Promise<void> {
    if (path === undefined) {
      process.stdout.write(text);
      return;
    }
    const file = resolve(path);
    const bytes = Buffer.from(text);
    await writeResultFile(path, (append) => append(bytes));
    this.answer({ ...facts, file, bytes: bytes.length }, `${of} is in ${file}`);
  }

  /** Prints a line on stderr, beside the result. */
  note(line: string): void {
    console.error(line);
  }
}

/** The cell of a column: the name of a field, or a function of the item. */
type Column<T> = keyof T | ((item: T) => string | number | boolean | null);
/** Columns of a table by their heading, from left to right. */
export type Columns<T> = Readonly<Record<string, Column<T>>>;

/** Lays out a table with columns as wide as their widest cell; `—` stands for null and for an empty text. */
export const table = <T>(items: readonly T[], columns: Columns<T>): string => {
  const readers = Object.values(columns);
  const cells = [
    Object.keys(columns),
    ...items.map((item) =>
      readers.map((column) => cellText(typeof column === 'function' ? column(item) : item[column])),
    ),
  ];
  const widths = readers.map((_, index) => Math.max(...cells.map((row) => [...(row[index] ?? '')].length)));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - [...cell].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const cellText = (cell: unknown): string => (cell === null || cell === '' ? '—' : String(cell));

/** Lays out `label  value` lines with aligned values. */
export const keyValueLines = (
  entries: readonly (readonly [label: string, value: string | number | boolean | null])[],
): string => {
  const width = Math.max(...entries.map(([label]) => label.length));
  return entries.map(([label, value]) => `${label.padEnd(width)}  ${value ?? '—'}`).join('\n');
};
