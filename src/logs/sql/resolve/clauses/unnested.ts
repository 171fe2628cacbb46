/**
 * Prints the elements of an array as rows. A record counts as an array of one element, a scalar as an empty one. JSON
 * elements stay JSON, so their fields are read where they are used.
 */
import { type EngineSql, jsonPlace, sql } from '../../engine-sql.js';
import { isJson, placeOf, type Shape, type Value, type ValueType, valueAt } from '../../values/values.js';

export interface Unnested {
  /** SQL for the FROM. */
  readonly sql: EngineSql;
  /** The value of each row. */
  readonly element: Shape;
  /** Its index in the array, from 0. */
  readonly offset: Shape;
}

/** `name`: the alias of the rows. */
export const unnested = (array: Value, name: EngineSql): Unnested => {
  const { list, type } = listOf(array);
  const rows = sql`SELECT unnest(l) AS e, generate_subscripts(l, 1) - 1 AS o FROM (SELECT ${list} AS l)`;
  return {
    sql: sql`(${rows}) AS ${name}`,
    element: elementShape(sql`${name}.e`, array, type),
    offset: { sql: sql`${name}.o`, type: { kind: 'integer' } },
  };
};

/** Returns the array as a list of the engine, and the type of its elements. */
const listOf = (value: Value): { list: EngineSql; type: ValueType } => {
  if (value.type.kind === 'array' && value.type.form === 'list')
    return { list: value.sql, type: value.type.items };
  if (!isJson(value.type)) return { list: sql`CAST([] AS JSON[])`, type: { kind: 'json' } };
  const { base, path } = placeOf(value);
  const place = jsonPlace(path);
  const elements = sql`json_extract(json_extract(${base}, ${place}), '$[*]')`;
  const list = sql`CAST(CASE json_type(${base}, ${place}) WHEN 'ARRAY' THEN ${elements} WHEN 'OBJECT' THEN [json_extract(${base}, ${place})] END AS JSON[])`;
  const type = value.type.kind === 'array' ? value.type.items : value.type;
  return { list, type };
};

/** Elements of JSON are JSON. Elements of a list keep their type. */
const elementShape = (at: EngineSql, array: Value, type: ValueType): Shape =>
  isJson(array.type) || isJson(type) ? valueAt({ base: at, path: [] }, type) : { sql: at, type };
