/**
 * Which names a SQL query under way makes known: its tables, their aliases, and what it unnests. Half-written queries have
 * no tree, so this reads no further than FROM, JOIN and UNNEST; the server alone decides what a query means.
 */
import { type Field, fieldsAt, type QueryOutline, tableNamed } from '../outline.js';

interface NamesInSql {
  /** Names that stand for a record: of tables, and of what was unnested. */
  readonly records: ReadonlyMap<string, readonly Field[]>;
  /** What goes without an alias: columns, and fields of what was unnested. */
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

/** The fields at the end of a path that begins with any known name. */
export const fieldsOfPath = (path: readonly string[], { records, fields }: NamesInSql): readonly Field[] => {
  const [first = '', ...rest] = path;
  const record = [...records].find(([name]) => name.toLowerCase() === first.toLowerCase());
  return record === undefined ? fieldsAt(fields, path) : fieldsAt(record[1], rest);
};
