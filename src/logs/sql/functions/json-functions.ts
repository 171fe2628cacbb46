/** Functions of JSON values and arrays. */
import { type EngineSql, joined, jsonPlace, sql, textLiteral } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import { asCommon, commonType, convert, jsonInText, jsonOf, recordOf } from '../values/convert.js';
import {
  elementType,
  isJson,
  placeOf,
  plainValue,
  type ScalarKind,
  type Shape,
  type Value,
  valueAt,
} from '../values/values.js';
import {
  argument,
  type Call,
  type Functions,
  has,
  listOf,
  literalText,
  MAX_ARGUMENTS,
  of,
  simple,
  text,
} from './call.js';
import { compare } from './compared.js';

const STEP =
  /\.([A-Za-z_][A-Za-z0-9_]*)|\.?\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\]|\."((?:[^"\\]|\\.)*)"|\[(\d+)\]/y;

/** The steps of a JSONPath such as `$.request.headers[0]`; none: the whole value. */
const stepsOf = (call: Call): readonly (string | number)[] => {
  if (!has(call, 1)) return [];
  const path = literalText(call, 1, 'the JSONPath');
  const { span } = argument(call, 1);
  if (!path.startsWith('$')) return refuse(span, 'a JSONPath begins with $');
  const steps: (string | number)[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const at = STEP.lastIndex;
    const match = STEP.exec(path);
    if (match === null) return refuse(span, `this JSONPath cannot be read from character ${at + 1} on`);
    const [, word, bracketed, single, quoted, index] = match;
    const name = word ?? bracketed ?? single ?? quoted;
    steps.push(name === undefined ? Number(index) : name.replace(/\\(.)/g, '$1'));
  }
  return steps;
};

/** The JSON of the first argument. A text is parsed, and is NULL when it is not JSON. */
const placeIn = (call: Call): { readonly base: EngineSql; readonly path: readonly (string | number)[] } => {
  const value = argument(call, 0);
  const steps = stepsOf(call);
  if (isJson(value.type)) {
    const { base, path } = placeOf(value);
    return { base, path: [...path, ...steps] };
  }
  if (value.type.kind !== 'string' && value.type.kind !== 'null')
    return refuse(value.span, `${call.name} takes JSON, or a text that holds it`);
  return { base: jsonInText(text(call, 0)), path: steps };
};

/** The scalar at the path as text; NULL for a record or an array. */
const jsonValue = (call: Call): Shape => {
  const { base, path } = placeIn(call);
  const place = jsonPlace(path);
  return of(
    'string',
    sql`CASE WHEN json_type(${base}, ${place}) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string(${base}, ${place}) END`,
  );
};

const jsonQuery = (call: Call): Shape => valueAt(placeIn(call), { kind: 'json' });

/** The cast gives the type of a list even if the engine knows that the value is NULL. */
const elements = (base: EngineSql, path: readonly (string | number)[]): EngineSql =>
  sql`CAST(CASE WHEN json_type(${base}, ${jsonPlace(path)}) = 'ARRAY' THEN json_extract(json_extract(${base}, ${jsonPlace(path)}), '$[*]') END AS JSON[])`;

/** Returns a list of the engine for an array in any form; NULL when the value is not an array. */
export const listIn = (value: Value): EngineSql => {
  if (value.type.kind === 'array' && value.type.form === 'list') return value.sql;
  if (!isJson(value.type)) return refuse(value.span, 'this is not an array');
  const { base, path } = placeOf(value);
  return elements(base, path);
};

const arrayLength = (call: Call): Shape => {
  const value = argument(call, 0);
  if (!isJson(value.type)) return of('integer', sql`len(${listIn(value)})`);
  const { base, path } = placeOf(value);
  const place = jsonPlace(path);
  return of(
    'integer',
    sql`CASE WHEN json_type(${base}, ${place}) = 'ARRAY' THEN CAST(json_array_length(${base}, ${place}) AS BIGINT) END`,
  );
};

/** Texts of all elements. */
const textsIn = (value: Value): EngineSql => {
  const list = listIn(value);
  if (isJson(value.type)) return sql`list_transform(${list}, lambda x: json_extract_string(x, '$'))`;
  return sql`list_transform(${list}, lambda x: CAST(x AS VARCHAR))`;
};

const arrayToString = (call: Call): Shape => {
  const texts = textsIn(argument(call, 0));
  const list = has(call, 2) ? sql`list_transform(${texts}, lambda x: COALESCE(x, ${text(call, 2)}))` : texts;
  return of('string', sql`array_to_string(${list}, ${textLiteral(literalText(call, 1, 'the delimiter'))})`);
};

/** Whether an element of the array equals the value, by the rules of `=`. */
const arrayIncludes = (call: Call): Shape => {
  const [array, wanted] = [argument(call, 0), argument(call, 1)];
  const element = plainValue(elementOf(array), array.span);
  return of(
    'boolean',
    sql`(len(list_filter(${listIn(array)}, lambda x: ${compare('=', element, wanted)})) > 0)`,
  );
};

/** The element of an array, as the variable of an engine lambda. */
const elementOf = (array: Value): Shape => {
  const x = sql`x`;
  if (isJson(array.type)) {
    return valueAt({ base: x, path: [] }, elementType(array.type));
  }
  return { sql: x, type: array.type.kind === 'array' ? array.type.items : { kind: 'null' } };
};

const toJsonString = (call: Call): Shape => {
  const value = argument(call, 0);
  const json = sql`CAST(${jsonOf(value)} AS VARCHAR)`;
  return of('string', sql`COALESCE(${json}, 'null')`);
};

const jsonArray = simple([1, 2], (call) => {
  const { base, path } = placeIn(call);
  return { sql: elements(base, path), type: { kind: 'array', items: { kind: 'json' }, form: 'list' } };
});

const jsonValues = simple([1, 2], (call) => {
  const { base, path } = placeIn(call);
  return listOf(
    'string',
    sql`list_transform(${elements(base, path)}, lambda x: json_extract_string(x, '$'))`,
  );
});

/** Concatenates arrays; NULL when one of them is NULL. */
const arrayConcat = simple([1, MAX_ARGUMENTS], (call) => {
  const types = call.args.map(({ type }) => elementType(type));
  const items = commonType(types, call.span);
  const lists = call.args.map((value, at) => {
    const element = plainValue({ sql: sql`x`, type: types[at] ?? items }, value.span);
    return sql`list_transform(${listIn(value)}, lambda x: ${asCommon(element, items)})`;
  });
  const missing = joined(
    lists.map((list) => sql`${list} IS NULL`),
    ' OR ',
  );
  return {
    sql: sql`CASE WHEN ${missing} THEN NULL ELSE flatten([${joined(lists, ', ')}]) END`,
    type: { kind: 'array', items, form: 'list' },
  };
});

/** One element by its position. The engine counts negative positions from the end. */
const elementAt = (place: EngineSql) =>
  simple([1, 1], (call) => {
    const value = argument(call, 0);
    return { sql: sql`list_extract(${listIn(value)}, ${place})`, type: elementType(value.type) };
  });

/** Reads a JSON scalar as a type; NULL for other values. The `lax_` functions do the same here. */
const scalarOf = (kind: ScalarKind) =>
  simple([1, 1], (call) => of(kind, convert(argument(call, 0), kind, call.span)));

/** `JSON_OBJECT('name', value, …)`. */
const jsonObject = simple([0, MAX_ARGUMENTS], (call) => {
  if (call.args.length % 2 === 1) return refuse(call.span, 'json_object takes names and values in turn');
  const fields = call.args.flatMap((value, at) =>
    at % 2 === 0
      ? [
          {
            name: literalText(call, at, 'the name of a field'),
            shape: argument(call, at + 1),
            span: value.span,
          },
        ]
      : [],
  );
  const twice = fields.find(({ name }, at) => fields.findIndex((other) => other.name === name) !== at);
  if (twice !== undefined) return refuse(twice.span, `two fields of this object are called ${twice.name}`);
  return recordOf(fields);
});

const jsonArrayOf = simple([0, MAX_ARGUMENTS], (call) => ({
  sql: sql`json_array(${joined(call.args.map(jsonOf), ', ')})`,
  type: { kind: 'array', items: { kind: 'json' }, form: 'json' },
}));

export const JSON_FUNCTIONS: Functions = {
  json_value: simple([1, 2], jsonValue),
  json_extract_scalar: simple([1, 2], jsonValue),
  json_query: simple([1, 2], jsonQuery),
  json_extract: simple([1, 2], jsonQuery),
  json_query_array: jsonArray,
  json_extract_array: jsonArray,
  json_value_array: jsonValues,
  json_type: simple([1, 1], (call) => {
    const { base, path } = placeIn(call);
    return of(
      'string',
      sql`CASE json_type(${base}, ${jsonPlace(path)}) WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' WHEN 'BIGINT' THEN 'number' WHEN 'UBIGINT' THEN 'number' WHEN 'DOUBLE' THEN 'number' END`,
    );
  }),
  parse_json: simple([1, 1], (call) => of('json', jsonInText(text(call, 0)))),
  to_json: simple([1, 1], (call) => of('json', jsonOf(argument(call, 0)))),
  to_json_string: simple([1, 1], toJsonString),
  array_length: simple([1, 1], arrayLength),
  array_to_string: simple([2, 3], arrayToString),
  array_includes: simple([2, 2], arrayIncludes),
  array_concat: arrayConcat,
  array_first: elementAt(sql`1`),
  array_last: elementAt(sql`-1`),
  json_object: jsonObject,
  json_array: jsonArrayOf,
  int64: scalarOf('integer'),
  float64: scalarOf('number'),
  bool: scalarOf('boolean'),
  lax_int64: scalarOf('integer'),
  lax_float64: scalarOf('number'),
  lax_bool: scalarOf('boolean'),
  lax_string: scalarOf('string'),
  array_reverse: simple([1, 1], (call) => {
    const { type } = argument(call, 0);
    return {
      sql: sql`list_reverse(${listIn(argument(call, 0))})`,
      type: { kind: 'array', items: elementType(type), form: 'list' },
    };
  }),
};
