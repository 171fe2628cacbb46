/** Names and literals in DuckDB's SQL. */
import {
  type EngineSql,
  joined,
  numberText,
  parameterName,
  quoted,
  sql,
} from '../../../foundation/log-store/engine-sql.js';

/** A name, always in quotes. */
export const identifier = (name: string): EngineSql => quoted(name, '"', { '"': '""' });

/** A text literal. The engine has no escapes in it. A character of code 0 would end the statement, so it is written as a call. */
export const textLiteral = (value: string): EngineSql => {
  const [first = sql`''`, ...others] = value.split('\0').map((part) => quoted(part, "'", { "'": "''" }));
  if (others.length === 0) return first;
  return sql`(${joined([first, ...others.map((part) => sql`chr(0) || ${part}`)], ' || ')})`;
};

export const doubleLiteral = (value: number): EngineSql => sql`CAST('${numberText(value)}' AS DOUBLE)`;

/** The value of a parameter: a text or NULL. */
export const parameterSql = (name: string): EngineSql => sql`CAST($${parameterName(name)} AS VARCHAR)`;

/** A JSON pointer (RFC 6901), by which the engine reads a place in JSON; `$` for the whole value. */
export const jsonPlace = (path: readonly (string | number)[]): EngineSql =>
  path.length === 0
    ? sql`'$'`
    : textLiteral(path.map((step) => `/${`${step}`.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''));
