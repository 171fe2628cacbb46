/**
 * DuckDB's SQL as text. Only this file creates it: from templates in our own sources, from identifiers and literals that it
 * quotes, and from parameters. A text of a query's author has another type, so TypeScript does not let it into a template
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

/** A name, always in quotes. */
export const identifier = (name: string): EngineSql => {
  if (name.includes('\0')) throw new Error('the engine has no names with the character of code 0');
  return trusted(`"${name.replaceAll('"', '""')}"`);
};

/** A text literal. The engine has no escapes in it. A character of code 0 would end the statement, so it is written as a call. */
export const textLiteral = (value: string): EngineSql => {
  const parts = value.split('\0').map((part) => `'${part.replaceAll("'", "''")}'`);
  return trusted(parts.length === 1 ? parts.join('') : `(${parts.join(' || chr(0) || ')})`);
};

export const integerLiteral = (value: number): EngineSql => {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a whole number that the engine takes`);
  return trusted(value < 0 ? `(${value})` : `${value}`);
};

export const doubleLiteral = (value: number): EngineSql => {
  if (!Number.isFinite(value)) throw new Error(`${value} is not a number that the engine takes`);
  return trusted(`CAST('${value}' AS DOUBLE)`);
};

/** The value of a parameter: a text or NULL. */
export const parameterSql = (name: string): EngineSql => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Error('a parameter is named with letters, digits and _');
  return trusted(`CAST($${name} AS VARCHAR)`);
};

/** A JSON pointer (RFC 6901), by which the engine reads a place in JSON; `$` for the whole value. */
export const jsonPlace = (path: readonly (string | number)[]): EngineSql =>
  path.length === 0
    ? sql`'$'`
    : textLiteral(path.map((step) => `/${`${step}`.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
