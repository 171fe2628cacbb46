/**
 * Texts as cells of a CSV. A spreadsheet runs a cell that begins like a formula, so such a text gets an apostrophe in
 * front, which spreadsheets take for "this is text". A reader takes the mark off again: both ways together change no text.
 */

const FORMULA = /^'*[=+\-@\t\r]/;
const MARKED = /^'+[=+\-@\t\r]/;

/** A text that is marked already gets a second mark, so that the reader gives it back with the first. */
export const withFormulaMark = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

export const withoutFormulaMark = (text: string): string => (MARKED.test(text) ? text.slice(1) : text);
