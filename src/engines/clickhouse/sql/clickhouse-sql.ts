/** Names, literals and parameters in ClickHouse's SQL. */
import {
  type EngineSql,
  numberText,
  parameterName,
  quoted,
  sql,
} from '../../../foundation/log-store/engine-sql.js';

/** A name, always in quotes. */
export const identifier = (name: string): EngineSql => quoted(name, '`', { '`': '\\`', '\\': '\\\\' });

export const textLiteral = (value: string): EngineSql =>
  quoted(value, "'", { "'": "\\'", '\\': '\\\\', '\0': '\\0' });

export const withoutBlanks = (text: EngineSql): EngineSql => sql`trimBoth(${text}, ' \t\n\v\f\r')`;

export const doubleLiteral = (value: number): EngineSql => sql`CAST(${numberText(value)} AS Float64)`;

/** The value of a parameter: a text or NULL. */
export const parameterSql = (name: string): EngineSql => sql`{${parameterName(name)}:Nullable(String)}`;

/** Evaluates the arguments once, however often `write` names them. Its value has to be one that an array can hold. */
export const once = (
  args: readonly EngineSql[],
  write: (...names: readonly EngineSql[]) => EngineSql,
): EngineSql => {
  const names = args.map((_, at) => sql`tupleElement(v, ${numberText(at + 1)})`);
  const tuple = args.reduce((list, arg) => (list === '' ? arg : sql`${list}, ${arg}`), sql``);
  return sql`arrayMap(v -> ${write(...names)}, [tuple(${tuple})])[1]`;
};
