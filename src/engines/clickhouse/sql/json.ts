/** JSON as text: how values become JSON, and how places in it are read. */
import { type EngineSql, integerLiteral, joined, sql } from '../../../foundation/log-store/engine-sql.js';
import type { JsonPath, JsonRead } from '../../../foundation/log-store/query-tree.js';
import { once, textLiteral } from './clickhouse-sql.js';
import { itemsOf, listOf, ofArray } from './lists.js';
import { nullOf, type Printed, printed, refuse } from './printed.js';

const JSON_TYPE = { kind: 'json' } as const;

export const isoText = (at: EngineSql): EngineSql => sql`concat(replaceOne(toString(${at}), ' ', 'T'), 'Z')`;

/**
 * ClickHouse writes 1e21 and 1e-7, and the dialect 1e+21 and 1e-07; and it writes numbers from 1e16 on, and from 1e-6 on, without an
 * exponent, which the dialect does not.
 */
export const numberAsText = (value: EngineSql): EngineSql =>
  once([sql`toFloat64(${value})`], (x) => {
    const digits = sql`toString(${x})`;
    const size = sql`abs(${x})`;
    const large = sql`concat(replaceRegexpOne(replaceRegexpOne(${digits}, '^(-?\d)(\d*?)0*$', '\1.\2'), '\.$', ''), 'e+', toString(length(toString(toInt256(${size}))) - 1))`;
    const small = sql`concat(replaceRegexpOne(replaceRegexpOne(${digits}, '^(-?)0\.0*(\d)(\d*)$', '\1\2.\3'), '\.$', ''), if(${size} < 1e-5, 'e-06', 'e-05'))`;
    const plain = sql`replaceRegexpOne(replaceRegexpOne(${digits}, 'e(\d)', 'e+\1'), 'e-(\d)$', 'e-0\1')`;
    return sql`multiIf(${size} >= 1e16 AND ${size} < 1e21, ${large}, ${size} >= 1e-6 AND ${size} < 1e-4, ${small}, ${plain})`;
  });

/** A value as JSON; NULL for NULL. Infinities are texts. */
export const asJson = (value: Printed): Printed => {
  const { sql: text, type } = value;
  switch (type.kind) {
    case 'json':
      return value;
    case 'null':
      return nullOf(JSON_TYPE);
    case 'boolean':
      return printed('json', sql`toString(CAST(${text} AS Nullable(Bool)))`);
    case 'integer':
      return printed('json', sql`toString(${text})`);
    case 'number':
      return printed(
        'json',
        sql`replaceRegexpOne(replaceRegexpOne(toString(${text}), '^(-?)inf$', '"\\1Infinity"'), '^nan$', '"NaN"')`,
      );
    case 'string':
      return printed('json', sql`toJSONString(${text})`);
    case 'timestamp':
      return printed('json', sql`concat('"', ${isoText(text)}, '"')`);
    case 'date':
      return printed('json', sql`concat('"', toString(${text}), '"')`);
    case 'list': {
      const item = asJson({ sql: sql`j`, type: itemsOf(value) });
      const items = sql`arrayMap(j -> ifNull(${item.sql}, 'null'), b)`;
      return printed('json', ofArray(value, sql`concat('[', arrayStringConcat(${items}, ','), ']')`));
    }
    default:
      return refuse('JSON of this value');
  }
};

const orNull = (value: Printed): EngineSql => sql`ifNull(${asJson(value).sql}, 'null')`;

const inCommas = (pieces: readonly EngineSql[]): readonly EngineSql[] =>
  pieces.flatMap((piece, at) => (at === 0 ? [piece] : [sql`','`, piece]));

export const jsonArray = (values: readonly Printed[]): Printed => {
  const pieces = [sql`'['`, ...inCommas(values.map(orNull)), sql`']'`];
  return printed('json', sql`concat(${joined(pieces, ', ')})`);
};

export const jsonRecord = (
  fields: readonly { readonly name: string; readonly value: Printed }[],
): Printed => {
  const pairs = fields.map(
    ({ name, value }) => sql`${textLiteral(`${JSON.stringify(name)}:`)}, ${orNull(value)}`,
  );
  const pieces = [sql`'{'`, ...inCommas(pairs), sql`'}'`];
  return printed('json', sql`concat(${joined(pieces, ', ')})`);
};

interface Place {
  readonly base: EngineSql;
  /** Names of fields. */
  readonly path: readonly string[];
}

/** The arguments of a function of JSON at a place. */
const at = ({ base, path }: Place): EngineSql => joined([base, ...path.map(textLiteral)], ', ');

const elementsAt = ({ base, path }: Place): EngineSql =>
  sql`JSONExtractArrayRaw(${at({ base: sql`ifNull(${base}, '')`, path })})`;

/** ClickHouse reads a number as the place of a field in a record too, so elements are read from the array before it. */
const placeOf = (base: EngineSql, path: JsonPath): Place => {
  let place: Place = { base, path: [] };
  for (const step of path)
    place =
      typeof step === 'string'
        ? { ...place, path: [...place.path, step] }
        : { base: sql`${elementsAt(place)}[${integerLiteral(step + 1)}]`, path: [] };
  return place;
};

const TYPE_NAMES = sql`WHEN 'Object' THEN 'object' WHEN 'Array' THEN 'array' WHEN 'String' THEN 'string' WHEN 'Bool' THEN 'boolean' WHEN 'Null' THEN 'null' WHEN 'Int64' THEN 'number' WHEN 'UInt64' THEN 'number' WHEN 'Double' THEN 'number'`;

export const jsonRead = (read: JsonRead, { sql: base }: Printed, path: JsonPath): Printed => {
  const place = placeOf(base, path);
  const type = sql`JSONType(${at(place)})`;
  const text = sql`JSONExtract(${at(place)}, 'Nullable(String)')`;
  const raw = sql`JSONExtractRaw(${at(place)})`;
  const items = sql`arrayMap(j -> toNullable(j), ${elementsAt(place)})`;
  switch (read) {
    case 'text':
      return printed('string', text);
    case 'scalar':
      return printed('string', sql`if(${type} IN ('Object', 'Array'), NULL, ${text})`);
    case 'value':
      return printed('json', sql`nullIf(nullIf(${raw}, ''), 'null')`);
    case 'is-record':
      return printed('boolean', sql`(${type} = 'Object')`);
    case 'type':
      return printed('string', sql`if(${raw} = '', NULL, CASE toString(${type}) ${TYPE_NAMES} END)`);
    case 'length':
      return printed('integer', sql`if(${type} = 'Array', toInt64(JSONLength(${at(place)})), NULL)`);
    case 'items':
      return listOf(JSON_TYPE, sql`[${items}]`);
    case 'elements':
      return listOf(JSON_TYPE, sql`if(ifNull(${type} = 'Array', 0), [${items}], [])`);
    case 'rows':
      return listOf(
        JSON_TYPE,
        sql`multiIf(ifNull(${type} = 'Array', 0), [${items}], ifNull(${type} = 'Object', 0), [[toNullable(${raw})]], [])`,
      );
    default:
      return read satisfies never;
  }
};
