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

  /** For people who watch; scripts find it on stderr. */
  note(line: string): void {
    console.error(line);
  }
}

/** Columns as wide as their widest cell; `—` stands for null. */
export const table = (
  header: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
): string => {
  const cells = [
    header,
    ...rows.map((row) => row.map((cell) => (cell === null || cell === '' ? '—' : String(cell)))),
  ];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => [...(row[column] ?? '')].length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** `label: value` lines with the values under each other. */
export const keyValueLines = (
  entries: readonly (readonly [label: string, value: string | number | boolean | null])[],
): string => {
  const width = Math.max(...entries.map(([label]) => label.length));
  return entries.map(([label, value]) => `${label.padEnd(width)}  ${value ?? '—'}`).join('\n');
};
