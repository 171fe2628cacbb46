/**
 * What a command prints: with --json one JSON value on stdout and nothing else there, without it a text for people.
 * Messages and progress go to stderr.
 */

export class Output {
  constructor(readonly json: boolean) {}

  /** The command's answer: `value` for scripts, `text` for people. */
  answer(value: unknown, text: string | (() => string)): void {
    console.log(this.json ? JSON.stringify(value) : typeof text === 'string' ? text : text());
  }

  /** A list as the answer: a table for people. */
  list<T>(items: readonly T[], columns: Columns<T>): void {
    this.answer(items, () => table(items, columns));
  }

  /** For people who watch; scripts find it on stderr. */
  note(line: string): void {
    console.error(line);
  }
}

/** The cell of a column: the name of a field, or what is made of the item. */
type Column<T> = keyof T | ((item: T) => string | number | boolean | null);
/** Columns of a table by their heading, from left to right. */
export type Columns<T> = Readonly<Record<string, Column<T>>>;

/** Columns as wide as their widest cell; `—` stands for null and for an empty text. */
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

/** `label: value` lines with the values under each other. */
export const keyValueLines = (
  entries: readonly (readonly [label: string, value: string | number | boolean | null])[],
): string => {
  const width = Math.max(...entries.map(([label]) => label.length));
  return entries.map(([label, value]) => `${label.padEnd(width)}  ${value ?? '—'}`).join('\n');
};
