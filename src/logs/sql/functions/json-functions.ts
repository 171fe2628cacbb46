/** Functions of JSON values and arrays. */
import { refuse } from '../query-problem.js';
import { apply, chain, choose, ELEMENT, each, literal, NULL, read, some } from '../terms.js';
import { asCommon, commonType, convert, jsonOf, recordOf } from '../values/convert.js';
import {
  elementType,
  isJson,
  type JsonPlace,
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
  listType,
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
const placeIn = (call: Call): JsonPlace => {
  const value = argument(call, 0);
  const steps = stepsOf(call);
  if (isJson(value.type)) {
    const { base, path } = placeOf(value);
    return { base, path: [...path, ...steps] };
  }
  if (value.type.kind !== 'string' && value.type.kind !== 'null')
    return refuse(value.span, `${call.name} takes JSON, or a text that holds it`);
  return { base: apply('text-as-json', text(call, 0)), path: steps };
};

/** The scalar at the path as text; NULL for a record or an array. */
const jsonValue = (call: Call): Shape => of('string', read('scalar', placeIn(call)));

const jsonQuery = (call: Call): Shape => valueAt(placeIn(call), { kind: 'json' });

/** Returns a list for an array in any form; NULL when the value is not an array. */
export const listIn = (value: Value): Shape['term'] => {
  if (value.type.kind === 'array' && value.type.form === 'list') return value.term;
  if (!isJson(value.type)) return refuse(value.span, 'this is not an array');
  return read('elements', placeOf(value));
};

const arrayLength = (call: Call): Shape => {
  const value = argument(call, 0);
  return of(
    'integer',
    isJson(value.type) ? read('length', placeOf(value)) : apply('list-length', listIn(value)),
  );
};

const ELEMENT_TEXT = read('text', { base: ELEMENT, path: [] });

/** Texts of all elements. */
const textsIn = (value: Value): Shape['term'] =>
  each(listIn(value), isJson(value.type) ? ELEMENT_TEXT : apply('as-text', ELEMENT));

const arrayToString = (call: Call): Shape => {
  const texts = textsIn(argument(call, 0));
  const list = has(call, 2) ? each(texts, apply('coalesce', ELEMENT, text(call, 2))) : texts;
  return of('string', apply('list-joined', list, literal(literalText(call, 1, 'the delimiter'))));
};

/** Whether an element of the array equals the value, by the rules of `=`. */
const arrayIncludes = (call: Call): Shape => {
  const [array, wanted] = [argument(call, 0), argument(call, 1)];
  const element = plainValue(elementOf(array), array.span);
  return of('boolean', some(listIn(array), compare('=', element, wanted)));
};

/** The element of an array, as `each` and `some` read it. */
const elementOf = (array: Value): Shape =>
  isJson(array.type)
    ? valueAt({ base: ELEMENT, path: [] }, elementType(array.type))
    : { term: ELEMENT, type: array.type.kind === 'array' ? array.type.items : { kind: 'null' } };

const toJsonString = (call: Call): Shape =>
  of('string', apply('coalesce', apply('json-as-text', jsonOf(argument(call, 0))), literal('null')));

const jsonArray = simple([1, 2], (call) => ({
  term: read('elements', placeIn(call)),
  type: listType({ kind: 'json' }),
}));

const jsonValues = simple([1, 2], (call) =>
  listOf('string', each(read('elements', placeIn(call)), ELEMENT_TEXT)),
);

/** Concatenates arrays; NULL when one of them is NULL. */
const arrayConcat = simple([1, MAX_ARGUMENTS], (call) => {
  const types = call.args.map(({ type }) => elementType(type));
  const items = commonType(types, call.span);
  const lists = call.args.map((value, at) => {
    const element = plainValue({ term: ELEMENT, type: types[at] ?? items }, value.span);
    return each(listIn(value), asCommon(element, items));
  });
  const missing = chain(
    'or',
    lists.map((list) => apply('is-null', list)),
  );
  const all = apply('flattened', apply('list', ...lists));
  return { term: choose([[missing, NULL]], all), type: listType(items) };
});

/** One element by its position; -1 is the last. */
const elementAt = (position: number) =>
  simple([1, 1], (call) => {
    const value = argument(call, 0);
    const element = apply('list-element', listIn(value), literal(position));
    return { term: element, type: elementType(value.type) };
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
  term: apply('json-array', ...call.args.map(jsonOf)),
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
  json_type: simple([1, 1], (call) => of('string', read('type', placeIn(call)))),
  parse_json: simple([1, 1], (call) => of('json', apply('text-as-json', text(call, 0)))),
  to_json: simple([1, 1], (call) => of('json', jsonOf(argument(call, 0)))),
  to_json_string: simple([1, 1], toJsonString),
  array_length: simple([1, 1], arrayLength),
  array_to_string: simple([2, 3], arrayToString),
  array_includes: simple([2, 2], arrayIncludes),
  array_concat: arrayConcat,
  array_first: elementAt(1),
  array_last: elementAt(-1),
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
    const value = argument(call, 0);
    return { term: apply('list-reversed', listIn(value)), type: listType(elementType(value.type)) };
  }),
};
