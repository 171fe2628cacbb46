/**
 * Text for the engine, DuckDB. Only this file makes it: from templates in our own sources, from identifiers and literals
 * that it quotes, and from parameters. A string of a query's author is of another type, so the compiler refuses to put
 * one into a template unquoted.
 */

declare const printed: unique symbol;

/** A piece of the engine's SQL that is safe to print. */
export type EngineSql = string & { readonly [printed]: true };

const trusted = (text: string): EngineSql => text as EngineSql;

/** A template of our own with safe pieces in it. */
export const sql = (template: TemplateStringsArray, ...pieces: readonly EngineSql[]): EngineSql =>
  trusted(String.raw(template, ...pieces));

export const joined = (
  pieces: readonly EngineSql[],
  separator: ', ' | ' AND ' | ' OR ' | ' || ' | ' ',
): EngineSql => trusted(pieces.join(separator));

/** A name, always in quotes. */
export const identifier = (name: string): EngineSql => {
  if (name.includes('\0')) throw new Error('the engine has no names with the character of code 0');
  return trusted(`"${name.replaceAll('"', '""')}"`);
};

/** A text literal. The engine reads no escapes in it; a character of code 0 would end the statement and is spelled out. */
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

/** A name that this compiler makes: it can meet no name of an author. */
export const internalName = (prefix: 't' | 'u' | 'c' | 'k' | 'x', number: number): EngineSql =>
  trusted(`${prefix}${number}`);

/** The path of an RFC 6901 pointer, which the engine takes as a place within JSON; `$` is the whole. */
export const jsonPlace = (path: readonly (string | number)[]): EngineSql =>
  path.length === 0
    ? sql`'$'`
    : textLiteral(path.map((step) => `/${`${step}`.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));

/** A literal and nothing else, in parentheses or not: what the engine takes for the place of a column where it orders. */
export const isBareLiteral = (text: EngineSql): boolean =>
  /^\(*(?:-?\d+|'(?:[^']|'')*'|TRUE|FALSE|NULL)\)*$/.test(text);
