/** A line of CSV by RFC 4180. Records and arrays are JSON texts. */
import { withFormulaMark } from '../../domain/formula-mark.js';

export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`;

/** Any client can write into logs, so a text must not run as a formula of a spreadsheet. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? withFormulaMark(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
