/** Reserved words of the dialect, and functions whose arguments are words. */

/** Names only in backquotes. Source: the reserved keywords of the BigQuery dialect. */
export const RESERVED: ReadonlySet<string> = new Set(
  `all and any array as asc assert_rows_modified at between by case cast collate contains create cross cube current
  default define desc distinct else end enum escape except exclude exists extract false fetch following for from full
  group grouping groups hash having if ignore in inner intersect interval into is join lateral left like limit lookup
  merge natural new no not null nulls of on or order outer over partition preceding proto qualify range recursive
  respect right rollup rows select set some struct tablesample then to treat true unbounded union unnest using when
  where window with within`.split(/\s+/),
);

/** Reserved words that are functions when a parenthesis follows. */
export const RESERVED_FUNCTIONS: ReadonlySet<string> = new Set([
  'if',
  'left',
  'right',
  'contains',
  'grouping',
]);

/** Functions that read the clock, with or without parentheses. */
export const CLOCK_FUNCTIONS: ReadonlySet<string> = new Set([
  'current_timestamp',
  'current_date',
  'current_datetime',
]);

/** The index of the argument that is a unit of time, by function. */
export const UNIT_ARGUMENT: Readonly<Record<string, number>> = {
  timestamp_trunc: 1,
  datetime_trunc: 1,
  date_trunc: 1,
  timestamp_diff: 2,
  datetime_diff: 2,
  date_diff: 2,
};
