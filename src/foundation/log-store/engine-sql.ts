/**
 * An engine's SQL as text. Only this file creates it: from templates in our own sources, from names and literals that it
 * quotes, and from numbers. A text of a query's author has another type, so TypeScript does not let it into a template
 * unquoted.
 */

declare const printed: unique symbol;

/** Engine SQL that is safe to print. */
export type EngineSql = string & { readonly [printed]: true };

const trusted = (text: string): EngineSql => text as EngineSql;

/** A template with safe parts: sql`lower(${printed})`. */
export const sql = (template: TemplateStringsArray, ...pieces: readonly EngineSql[]): EngineSql =>
  trusted(String.raw(template, ...pieces));

export const joined = (
  pieces: readonly EngineSql[],
  separator: ', ' | ' AND ' | ' OR ' | ' || ' | ' ' | '',
): EngineSql => trusted(pieces.join(separator));

/**
 * A text or a name between two quotation marks. `escapes`: what an engine writes for the mark itself, and for each character
 * that it does not read as itself there. No engine reads a character of code 0 as itself.
 */
export const quoted = (
  text: string,
  mark: '"' | "'" | '`',
  escapes: Readonly<Record<string, string>>,
): EngineSql => {
  if (escapes[mark] === undefined) throw new Error(`nothing is written for ${mark}`);
  if (text.includes('\0') && escapes['\0'] === undefined)
    throw new Error('the engine reads no character of code 0 here');
  return trusted(
    `${mark}${Array.from(text, (character) => escapes[character] ?? character).join('')}${mark}`,
  );
};

export const integerLiteral = (value: number): EngineSql => {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number that the engine takes`);
  return trusted(value < 0 ? `(${value})` : `${value}`);
};

/** The digits of a number, without a type. */
export const numberText = (value: number): EngineSql => {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number that the engine takes`);
  return trusted(`${value}`);
};

/** A name that stands without quotes. */
export const parameterName = (name: string): EngineSql => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Error('a parameter is named with letters, digits and _');
  return trusted(name);
};
