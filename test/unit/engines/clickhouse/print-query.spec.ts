/** The text that ClickHouse gets: quoted where an author wrote it, no longer than the tree says, and without files or settings. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { identifier, textLiteral } from '../../../../src/engines/clickhouse/sql/clickhouse-sql.js';
import { SPELLINGS } from '../../../../src/engines/clickhouse/sql/operations.js';
import { printQuery } from '../../../../src/engines/clickhouse/sql/print-query.js';
import type { Printed, Type } from '../../../../src/engines/clickhouse/sql/printed.js';
import { type EngineSql, sql } from '../../../../src/foundation/log-store/engine-sql.js';
import { LogQueryFailedError } from '../../../../src/foundation/log-store/log-store.js';
import { OPERATIONS, type Operation } from '../../../../src/foundation/log-store/query-operations.js';
import { PLATFORM_SOURCES } from '../../../../src/foundation/log-store/sources.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';
import { checked, checkedAlone, WITH_NAMES, WITH_QUOTES } from '../../../support/printed-queries.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { anyQuery, tampered } from '../../../support/random-queries.js';

const printed = (text: string, onlyProject: string | null = null): string =>
  printQuery(checked(text, onlyProject));

describe('a printed query', () => {
  it('holds no word of the author but the names of the columns, quoted', () => {
    const text = printed(WITH_NAMES);
    expect(text).toContain('AS `string:a"b`');
    expect(text).not.toMatch(/mine|secret_name/);
    expect(identifier('a`, 2 AS b\\')).toBe('`a\\`, 2 AS b\\\\`');
  });

  it('has literals in quotes that they cannot leave', () => {
    expect(printed(WITH_QUOTES)).toContain(String.raw`concat('it\'s', ' -- \' or 1=1 /*')`);
    expect(textLiteral("a\\' OR 1")).toBe(String.raw`'a\\\' OR 1'`);
  });

  it('filters each source by the project of a token, before anything else', () => {
    const text = printed('select id from edge_logs', "o'neil");
    expect(text).toContain(String.raw`FROM ${'`edge_logs`'} PREWHERE _owner = 'o\'neil')`);
  });

  it.each([
    ["project = 'x'", "`edge_logs` WHERE _owner = 'x')"],
    ['@p = project and id > @q', '`edge_logs` WHERE _owner = {p:Nullable(String)})'],
    ["project = 'x' and project = @p", "`edge_logs` WHERE _owner = 'x' AND _owner = {p:Nullable(String)})"],
    ["project = 'x' or id > 'y'", '`edge_logs`)'],
    ["not (project = 'x')", '`edge_logs`)'],
    ['project = id', '`edge_logs`)'],
    // Not where this source names the project.
    ["metadata.project = 'x'", '`edge_logs`)'],
  ])('scans by the key what WHERE %s leaves', (where, scan) => {
    const text = printQuery(checkedAlone(`select id from edge_logs where ${where}`));
    expect(text).toContain(`FROM ${scan}`);
  });

  it('scans by the key the side of a join that is compared', () => {
    const text = printQuery(
      checkedAlone(`select a.id from function_logs a left join edge_logs b on a.id = b.id
        where a.metadata.project_ref = @p and b.id > 'x'`),
    );
    expect(text).toContain("FROM `function_logs` WHERE _owner IN ({p:Nullable(String)}, ''))");
    expect(text).toContain('FROM `edge_logs`)');
  });

  it.each([
    ["format('%\\'d', 1000)", "the flag ' of a format"],
    ["parse_timestamp('%U', '11')", '%U of a time that is read from a text'],
    ['split(e.event_message, e.id)', 'SPLIT by a text'],
    ['trim(e.event_message, e.id)', 'trimming characters'],
    ['lpad(e.event_message, 9, e.id)', 'padding with a text'],
    ['nth_value(e.id, 1 ignore nulls) over ()', 'NTH_VALUE with IGNORE NULLS'],
    ['count(distinct e.id) over ()', 'DISTINCT in a window function'],
    ['array(select distinct f.id from edge_logs f order by 1)', 'an array of distinct rows'],
    ['array(select f.id from auth_logs f where f.id < e.id limit @n)', 'a limit that is a parameter'],
  ])('of %s is refused by name', (expression, said) => {
    const print = () => printed(`select ${expression} from edge_logs e`);
    expect(print).toThrow(LogQueryFailedError);
    expect(print).toThrow(`${said}`);
    expect(print).toThrow(/: not possible where the logs are in ClickHouse$/);
  });
});

/** What is left of a statement when its texts, names and parameters are taken out. */
const bare = (text: string): string =>
  text
    .replace(/'(?:[^'\\]|\\.)*'/gs, "''")
    .replace(/\{\w+:\w+(?:\(\w+\))?\}/g, '0')
    .replace(/`(?:[^`\\]|\\.)*`/gs, (name) => (SOURCE_NAMES.has(name) ? name : '``'));

const SOURCE_NAMES = new Set(Object.keys(PLATFORM_SOURCES).map((name) => `\`${name}\``));

/** Whether each FROM and JOIN is followed by a subquery, or by a name that the store or the printer gave. */
const readsTablesAlone = (text: string): boolean =>
  [...text.replaceAll('ARRAY JOIN', '').matchAll(/\b(?:FROM|JOIN) (.)/gs)].every(([, next = '']) =>
    /[(`]/.test(next),
  );

const FORBIDDEN =
  /\b(?:SETTINGS|FORMAT|INTO|OUTFILE|INSERT|ALTER|DROP|SYSTEM|ATTACH|GRANT|file|url|s3|remote|cluster|mysql|postgresql|jdbc|odbc|executable|input|merge|numbers|dictionary|dictGet|joinGet|getSetting|hostName|currentUser)\b\s*\(?|;|--|\/\*/;

describe('a query made at random', () => {
  it('has no function of tables and no setting, also when it was tampered with', () => {
    let texts = 0;
    fc.assert(
      fc.property(
        fc.oneof(anyQuery(['edge_logs', 'auth_logs']), tampered(anyQuery(['edge_logs']))),
        (query) => {
          let text: string;
          try {
            text = bare(printed(query));
          } catch (error) {
            if (error instanceof QueryProblem || error instanceof LogQueryFailedError) return;
            throw error;
          }
          texts++;
          expect(text).not.toMatch(FORBIDDEN);
          expect([text, readsTablesAlone(text)]).toEqual([text, true]);
        },
      ),
      propertyRuns(500),
    );
    expect(texts).toBeGreaterThan(100);
  });
});

/** More arguments than any operation takes. */
const MARKS: readonly EngineSql[] = [sql`0x1`, sql`0x2`, sql`0x3`, sql`0x4`, sql`0x5`, sql`0x6`];

const LIST: Type = { kind: 'list', items: { kind: 'string' } };

/** Of arguments that have to be written in the query, or of a type of their own: where they stand. */
const GIVEN: Readonly<Partial<Record<Operation, readonly Partial<Printed>[]>>> = {
  'list-as-text': [{ type: LIST }],
  'list-length': [{ type: LIST }],
  'list-element': [{ type: LIST }],
  'list-start': [{ type: LIST }],
  'list-reversed': [{ type: LIST }],
  'list-joined': [{ type: LIST }, { literal: ',' }],
  'timestamps-as-json': [{ type: LIST }],
  flattened: [{ type: { kind: 'list', items: LIST } }],
  'top-counts': [{ type: { kind: 'counts', of: { kind: 'string' } } }],
  'counted-value': [{ type: { kind: 'counted', of: { kind: 'string' } } }],
  'counted-times': [{ type: { kind: 'counted', of: { kind: 'string' } } }],
  printf: [{ literal: '%d' }],
  split: [{}, { literal: ',' }],
  trim: [{}, { literal: ',' }],
  'trim-start': [{}, { literal: ',' }],
  'trim-end': [{}, { literal: ',' }],
  'pad-start': [{}, {}, { literal: ',' }],
  'pad-end': [{}, {}, { literal: ',' }],
  'matches-whole': [{}, { literal: 'a' }],
  'start-of': [{ literal: 'day' }],
  'start-of-week': [{ literal: -1 }],
  'boundaries-between': [{ literal: 'day' }],
  'interval-of-days': [{}, { literal: 1 }],
  'interval-of-microseconds': [{}, { literal: 1 }],
  'interval-of-months': [{}, { literal: 1 }],
  'interval-of-minutes': [{ literal: 1 }],
};

describe.each(Object.keys(OPERATIONS) as Operation[])('the operation %s', (operation) => {
  it.each([3, 6])('writes each of %i arguments no more often than the tree counts', (count) => {
    const args = MARKS.slice(0, count).map(
      (mark, at): Printed => ({ sql: mark, type: { kind: 'string' }, ...GIVEN[operation]?.[at] }),
    );
    const text = SPELLINGS[operation](...(args as [Printed, Printed, ...Printed[]])).sql;
    const times = MARKS.map((mark) => text.split(mark).length - 1);
    expect(Math.max(...times)).toBeLessThanOrEqual(OPERATIONS[operation]);
  });
});
