/** Writes rows as CSV. Lines end in `\n`. A text that a spreadsheet would run as a formula gets a mark (formula-mark.ts). */
import { withFormulaMark } from '../../../domain/formula-mark.js';

export type Cell = string | number | null | undefined;

export const csvText = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\n`).join('');

const quoted = (cell: Cell): string => {
  const text = typeof cell === 'string' ? withFormulaMark(cell) : String(cell ?? '');
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
