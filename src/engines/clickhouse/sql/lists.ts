/** Lists as ClickHouse has them, and how it spells their operations. */
import { type EngineSql, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import type { Operation } from '../../../foundation/log-store/query-operations.js';
import { textLiteral } from './clickhouse-sql.js';
import {
  as,
  common,
  engineType,
  type Printed,
  printed,
  refuse,
  type Spelling,
  type Type,
  written,
} from './printed.js';

export const listOf = (items: Type, text: EngineSql): Printed => ({
  sql: text,
  type: { kind: 'list', items },
});

export const itemsOf = ({ type }: Printed): Type =>
  type.kind === 'list' ? type.items : type.kind === 'null' ? type : refuse('a list of this value');

/** A value as an element of an array. */
export const element = ({ sql: text, type }: Printed): EngineSql => {
  if (type.kind === 'list' || type.kind === 'counted') return text;
  if (type.kind === 'boolean' || type.kind === 'integer' || type.kind === 'null')
    return sql`CAST(${text} AS ${engineType(type)})`;
  return sql`toNullable(${text})`;
};

/** A list of each text that is not NULL. `write` gets it as `s`. */
export const listOfText = (text: EngineSql, write: EngineSql): Printed =>
  listOf(
    { kind: 'string' },
    sql`arrayMap(s -> arrayMap(e -> toNullable(e), ${write}), arrayMap(n -> assumeNotNull(n), arrayFilter(n -> isNotNull(n), [${text}])))`,
  );

/** What is made of the array in a list, which `write` gets as `b`; NULL for NULL. Its value is Nullable. */
export const ofArray = (list: Printed, write: EngineSql): EngineSql =>
  sql`arrayMap(b -> toNullable(${write}), ${list.sql})[1]`;

export type ListOperation = Extract<
  Operation,
  | 'split'
  | 'list'
  | 'list-length'
  | 'list-element'
  | 'list-start'
  | 'list-reversed'
  | 'list-joined'
  | 'flattened'
  | 'top-counts'
  | 'counted-value'
  | 'counted-times'
>;

const list = (...items: readonly Printed[]): Printed => {
  const type = common(items);
  if (items.length === 0) return listOf(type, sql`[CAST([] AS Array(${engineType(type)}))]`);
  const values = items.map((item) => element(as(item, type)));
  return listOf(type, sql`[[${joined(values, ', ')}]]`);
};

const elementAt = (of: Printed, at: Printed): Printed => {
  const place = typeof at.literal === 'number' ? at.sql : sql`ifNull(${at.sql}, 4294967295)`;
  return { sql: sql`(${of.sql}[1])[${place}]`, type: itemsOf(of) };
};

/** The texts that are not NULL. */
export const joinedText = (of: Printed, delimiter: Printed): Printed => {
  if (typeof delimiter.literal !== 'string') return refuse('a delimiter that is not written in the query');
  const texts = sql`arrayMap(e -> assumeNotNull(e), arrayFilter(e -> isNotNull(e), b))`;
  return printed('string', ofArray(of, sql`arrayStringConcat(${texts}, ${textLiteral(delimiter.literal)})`));
};

const flattened = (lists: Printed): Printed => {
  const items = itemsOf(lists);
  const type: Type = items.kind === 'list' ? items.items : items;
  if (type.kind === 'list') return refuse('arrays of arrays of arrays');
  const empty = sql`CAST([] AS Array(${engineType(type)}))`;
  return listOf(type, sql`arrayMap(b -> arrayConcat(${empty}, arrayFlatten(b)), ${lists.sql})`);
};

const topCounts = (counts: Printed, most: Printed): Printed => {
  if (counts.type.kind !== 'counts') return refuse('the most frequent of this value');
  const pairs = sql`arraySort(p -> (-toInt64(tupleElement(p, 2)), tupleElement(p, 1)), arrayZip(tupleElement(c, 1), tupleElement(c, 2)))`;
  return listOf(
    { kind: 'counted', of: counts.type.of },
    sql`arrayMap(c -> arraySlice(${pairs}, 1, ${most.sql}), [${counts.sql}])`,
  );
};

const counted = ({ type }: Printed): Type =>
  type.kind === 'counted' ? type.of : refuse('a part of this value');

const array = (of: Printed, write: EngineSql): Printed =>
  listOf(itemsOf(of), sql`arrayMap(b -> ${write}, ${of.sql})`);

export const LIST_SPELLINGS: Readonly<Record<ListOperation, Spelling>> = {
  split: (text, delimiter) =>
    listOfText(text.sql, sql`splitByString(${written(delimiter, 'SPLIT by a text')}, s)`),
  list,
  'list-length': (of) => printed('integer', ofArray(of, sql`toInt64(length(b))`)),
  'list-element': elementAt,
  'list-start': (of, most) => array(of, sql`arraySlice(b, 1, ${most.sql})`),
  'list-reversed': (of) => array(of, sql`arrayReverse(b)`),
  'list-joined': joinedText,
  flattened,
  'top-counts': topCounts,
  'counted-value': (pair) => ({ sql: sql`tupleElement(${pair.sql}, 1)`, type: counted(pair) }),
  'counted-times': (pair) => printed('integer', sql`toInt64(tupleElement(${pair.sql}, 2))`),
};
