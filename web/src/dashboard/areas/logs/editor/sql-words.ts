/** The keywords and types of the SQL dialect of log queries, for highlighting and completion. */
export const SQL_KEYWORDS: readonly string[] =
  `select distinct from where group by order having qualify window limit offset with as on rollup cube grouping sets struct array
  using join cross inner left right full outer unnest union all except replace in is null not and or like between case when then
  else end cast safe_cast extract over partition rows range preceding following unbounded current row asc desc nulls first
  last interval true false exists timestamp date datetime ignore respect`.split(/\s+/);

export const SQL_TYPES = 'string int64 float64 bool timestamp date datetime numeric json';
