/**
 * Finds the names in an unfinished SQL query: tables, their aliases, and unnested fields. An unfinished query has no syntax
 * tree, so this only looks for FROM, JOIN and UNNEST. Only the server decides what a query means.
 */
import { type Field, fieldsAt, type QueryOutline, tableNamed } from '../outline.js';

interface NamesInSql {
  /** The fields of each record, by the name of its table or its alias. */
  readonly records: ReadonlyMap<string, readonly Field[]>;
  /** The fields that need no alias: columns, and unnested fields. */
  readonly fields: readonly Field[];
}

const TABLES = /\b(?:from|join)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?/gi;
const UNNESTS = /\bunnest\s*\(\s*([\w.]+)\s*\)(?:\s+(?:as\s+)?(\w+))?/gi;
const NO_ALIAS =
  /^(?:where|cross|left|right|inner|full|join|on|group|order|limit|union|using|having|qualify|window)$/i;

const aliasOf = (word: string | undefined): string | null =>
  word === undefined || NO_ALIAS.test(word) ? null : word;

export const namesInSql = (text: string, outline: QueryOutline): NamesInSql => {
  const records = new Map<string, readonly Field[]>();
  const fields: Field[] = [];
  for (const [, name = '', alias] of text.matchAll(TABLES)) {
    const table = tableNamed(outline, name);
    if (table === null) continue;
    records.set(aliasOf(alias) ?? table.name, table.columns);
    fields.push(...table.columns);
  }
  if (records.size === 0) fields.push(...(tableNamed(outline, outline.reads)?.columns ?? []));
  for (const [, path = '', alias] of text.matchAll(UNNESTS)) {
    const unnested = fieldsOfPath(path.split('.'), { records, fields });
    const named = aliasOf(alias);
    if (named !== null) records.set(named, unnested);
    fields.push(...unnested);
  }
  return { records, fields };
};

/** The fields at the end of a path that begins with a known name. */
export const fieldsOfPath = (path: readonly string[], { records, fields }: NamesInSql): readonly Field[] => {
  const [first = '', ...rest] = path;
  const record = [...records].find(([name]) => name.toLowerCase() === first.toLowerCase());
  return record === undefined ? fieldsAt(fields, path) : fieldsAt(record[1], rest);
};
