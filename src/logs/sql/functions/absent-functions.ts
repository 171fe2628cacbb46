/** Functions of the dialect that are not here, and what to use instead. docs/log-functions.md lists them with those that are. */

const NO_BYTES = 'there are no bytes';
const NO_BITS = 'there are no operators on bits';
const APPROXIMATE = 'see approx_count_distinct';
const ITEMS = 'see json_query_array';
const TEXTS = 'see json_value_array';
const BUILT = 'build the value with json_object';
const OVER_UNNEST = 'over UNNEST of the array';
const TIME = "see format_timestamp with '%T'";
const DIFFERENCE = 'see timestamp_diff';
const SEARCH = 'see contains_substr and regexp_contains';
const WRITTEN = 'write the characters in the text';

const INSTEAD: Readonly<Record<string, string>> = {
  // Texts
  ascii: 'compare the character as a text',
  chr: WRITTEN,
  code_points_to_bytes: NO_BYTES,
  code_points_to_string: WRITTEN,
  edit_distance: SEARCH,
  from_base32: NO_BYTES,
  from_base64: NO_BYTES,
  from_hex: NO_BYTES,
  initcap: 'see upper, left and substr',
  normalize: 'texts keep the form in which they were sent',
  normalize_and_casefold: 'see lower',
  regexp_instr: 'see strpos and regexp_extract',
  safe_convert_bytes_to_string: NO_BYTES,
  soundex: SEARCH,
  to_base32: NO_BYTES,
  to_base64: NO_BYTES,
  to_code_points: NO_BYTES,
  to_hex: NO_BYTES,
  translate: 'see replace and regexp_replace',
  unicode: 'compare the character as a text',
  // Times
  current_time: TIME,
  format_time: 'see format_timestamp',
  gap_fill: 'join with generate_timestamp_array',
  justify_days: DIFFERENCE,
  justify_hours: DIFFERENCE,
  justify_interval: DIFFERENCE,
  make_interval: 'write the interval, such as INTERVAL 5 MINUTE',
  parse_time: 'see parse_timestamp',
  time: TIME,
  time_add: 'see timestamp_add',
  time_diff: DIFFERENCE,
  time_sub: 'see timestamp_sub',
  time_trunc: 'see timestamp_trunc',
  // JSON
  bool_array: ITEMS,
  float32: 'see float64',
  float32_array: ITEMS,
  float64_array: ITEMS,
  int32: 'see int64',
  int32_array: ITEMS,
  int64_array: ITEMS,
  json_array_append: 'see array_concat',
  json_array_insert: 'see array_concat',
  json_extract_string_array: TEXTS,
  json_flatten: 'see UNNEST',
  json_keys: 'name the fields; the endpoint’s outline lists them',
  json_remove: BUILT,
  json_set: BUILT,
  json_strip_nulls: BUILT,
  lax_bool_array: ITEMS,
  lax_float64_array: ITEMS,
  lax_int64_array: ITEMS,
  lax_string_array: TEXTS,
  string_array: TEXTS,
  uint32: 'see int64',
  uint64: 'see int64',
  // Arrays
  array_avg: `see avg ${OVER_UNNEST}`,
  array_filter: 'see ARRAY(SELECT … FROM UNNEST(…) WHERE …)',
  array_includes_all: 'see array_includes',
  array_includes_any: 'see array_includes',
  array_is_distinct: `see count(DISTINCT …) ${OVER_UNNEST}`,
  array_max: `see max ${OVER_UNNEST}`,
  array_min: `see min ${OVER_UNNEST}`,
  array_slice: 'see ARRAY(SELECT … FROM UNNEST(…) WITH OFFSET … WHERE …)',
  array_sum: `see sum ${OVER_UNNEST}`,
  array_transform: 'see ARRAY(SELECT … FROM UNNEST(…))',
  // Aggregates
  approx_top_sum: 'see sum with GROUP BY, ORDER BY and LIMIT',
  bit_and: NO_BITS,
  bit_count: NO_BITS,
  bit_or: NO_BITS,
  bit_xor: NO_BITS,
  'hll_count.extract': APPROXIMATE,
  'hll_count.init': APPROXIMATE,
  'hll_count.merge': APPROXIMATE,
  'hll_count.merge_partial': APPROXIMATE,
};

export const absentFunctionNames: readonly string[] = Object.keys(INSTEAD);

/** Null: nothing is known of the name. */
export const insteadOf = (name: string): string | null =>
  Object.hasOwn(INSTEAD, name) ? (INSTEAD[name] ?? null) : null;
