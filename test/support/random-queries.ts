/** Queries of the dialect made at random, in shapes that mostly mean something, and the same with words exchanged. */
import fc from 'fast-check';

const FIELDS = [
  'id',
  'timestamp',
  'event_message',
  'metadata',
  'm.text',
  'm.request.path',
  'm.request.n',
  'm.tags',
  'm.mixed',
  'm.none.at.all',
];

const field = fc.constantFrom(...FIELDS);

const literal = fc.oneof(
  fc.constantFrom("'mine'", "'two'", "'/mine'", 'null', 'true', '@project', '@other'),
  fc.integer({ min: -5, max: 5 }).map(String),
);

const expression: fc.Arbitrary<string> = fc.letrec<{ value: string; call: string; test: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, withCrossShrink: true }, field, literal, tie('call'), tie('test')),
  call: fc.oneof(
    fc
      .tuple(fc.constantFrom('lower', 'upper', 'length', 'to_json_string', 'trim'), tie('value'))
      .map(([name, of]) => `${name}(${of})`),
    fc
      .tuple(fc.constantFrom('coalesce', 'concat', 'ifnull', 'nullif', 'strpos'), tie('value'), tie('value'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc.tuple(tie('test'), tie('value'), tie('value')).map(([test, a, b]) => `if(${test}, ${a}, ${b})`),
    fc
      .tuple(tie('value'), fc.constantFrom('string', 'int64', 'float64', 'timestamp', 'bool'))
      .map(([of, type]) => `cast(${of} as ${type})`),
  ),
  test: fc.oneof(
    fc
      .tuple(tie('value'), fc.constantFrom('=', '<>', '<', '>=', 'like'), tie('value'))
      .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    fc.tuple(tie('value'), fc.constantFrom('is null', 'is not null')).map(([of, test]) => `(${of} ${test})`),
    fc
      .tuple(tie('test'), fc.constantFrom('and', 'or'), tie('test'))
      .map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    tie('value').map((of) => `regexp_contains(cast(${of} as string), 'm.*e')`),
  ),
})).value;

const source = (tables: readonly string[]) => fc.constantFrom(...tables);

const simpleQuery = (tables: readonly string[]): fc.Arbitrary<string> =>
  fc
    .record({
      table: source(tables),
      items: fc.array(expression, { minLength: 1, maxLength: 3 }),
      where: fc.option(expression),
      order: fc.constantFrom('', ' order by 1', ' order by timestamp desc', ' limit 2'),
    })
    .map(({ table, items, where, order }) => {
      const filter = where === null ? '' : ` where cast(cast(${where} as string) as bool) is not false`;
      return `select ${items.join(', ')} from ${table} as t cross join unnest(t.metadata) as m${filter}${order}`;
    });

/** Over the tables that are named, in most of the shapes that a query can have. */
export const anyQuery = (tables: readonly string[]): fc.Arbitrary<string> => {
  const simple = simpleQuery(tables);
  const one = fc
    .tuple(source(tables), field)
    .map(([table, of]) => `select ${of} as x from ${table}, unnest(metadata) m`);
  return fc.oneof(
    simple,
    fc
      .tuple(one, source(tables))
      .map(([inner, table]) => `with a as (${inner}) select a.x, b.event_message from a, ${table} as b`),
    fc
      .tuple(one, one)
      .map(
        ([left, right]) =>
          `select to_json_string(x) as x from (${left}) union all select to_json_string(x) from (${right})`,
      ),
    fc
      .tuple(simple, one)
      .map(
        ([outer, inner]) =>
          `${outer.replace(' from ', `, (select max(to_json_string(x)) from (${inner})) from `)}`,
      ),
    fc
      .tuple(source(tables), expression)
      .map(
        ([table, of]) =>
          `select ${of} as x, count(*) as n, max(event_message) from ${table}, unnest(metadata) m group by 1`,
      ),
    fc
      .tuple(source(tables), source(tables))
      .map(([a, b]) => `select * from ${a} as p left join ${b} as q on p.event_message = q.event_message`),
    fc
      .tuple(source(tables), field)
      .map(
        ([table, of]) =>
          `select ${of}, row_number() over (order by timestamp) as n from ${table}, unnest(metadata) m qualify n < 3`,
      ),
    source(tables).map((table) => `select tag, t.* from ${table} as t, unnest(t.metadata.tags) as tag`),
    fc
      .tuple(source(tables), expression, expression)
      .map(
        ([table, a, b]) =>
          `select struct(${a} as a, ${b} as b) as s, array(select x.event_message from ${table} as x) from ${table}, unnest(metadata) m`,
      ),
    fc
      .tuple(source(tables), expression, fc.constantFrom('rollup', 'cube', 'grouping sets'))
      .map(
        ([table, of, sets]) =>
          `select ${of} as x, count(*), to_json_string(array_agg(t)) from ${table} t, unnest(metadata) m group by ${sets} (x, event_message)`,
      ),
    fc
      .tuple(source(tables), field)
      .map(
        ([table, of]) =>
          `select * replace (${of} as event_message), lag(event_message) over w from ${table}, unnest(metadata) m window w as (order by timestamp)`,
      ),
    fc.tuple(source(tables), one).map(([table, inner]) => `select t, array(${inner}) from ${table} as t`),
  );
};

const FOREIGN = [
  'auth_logs',
  'realtime_logs',
  'main.edge_logs',
  '`main`.`auth_logs`',
  'information_schema.tables',
  'duckdb_tables()',
  "read_text('/etc/passwd')",
  'project',
  't1',
  'c1',
  't2.project',
  'rowid',
  '*',
  '(select * from auth_logs)',
  'union all select event_message from auth_logs',
  '; select * from auth_logs',
  "' or true --",
  '`',
  '"',
  '/*',
  '\u0000',
  '@project',
  'or true',
];

/** The same with some of its words exchanged for others, of its own or of the engine's. */
export const tampered = (queries: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(queries, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...FOREIGN)), { minLength: 1, maxLength: 4 }))
    .map(([sql, changes]) => {
      const words = sql.split(/\b/);
      for (const [at, foreign] of changes) words[at % words.length] = foreign;
      return words.join('');
    });
