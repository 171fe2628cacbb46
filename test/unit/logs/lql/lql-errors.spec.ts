/** Every way an LQL query can be wrong: where the error points (after the arrow) and what it says was expected. */
import { describe, expect, it } from '@jest/globals';
import { lowerLql } from '../../../../src/logs/lql/lower-lql.js';
import { parseLql } from '../../../../src/logs/lql/parse-lql.js';
import { storedTables } from '../../../../src/logs/sql/compile.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';

const TABLES = { tables: ['edge_logs', 'auth_logs'], defaultTable: 'edge_logs' };

const problemOf = (text: string, tables: Parameters<typeof lowerLql>[1] = TABLES): QueryProblem => {
  try {
    lowerLql(parseLql(text), tables);
  } catch (error) {
    if (error instanceof QueryProblem) return error;
    throw error;
  }
  throw new Error(`${text} is taken for a query`);
};

/** The text with `→` in front of the place. */
const marked = (text: string, { place }: QueryProblem): string =>
  place ? `${text.slice(0, place.offset)}→${text.slice(place.offset)}` : text;

const A_FIELD_TEST = 'a comparison, ~, @>~, @>, NULL, true, false, quoted text or a word or number';
const A_TIME_TEST = 'a comparison, last@, this@, today, yesterday, now, digits or {';
const A_TIME = 'today, yesterday, now, digits or {';
const A_VALUE = 'quoted text or a word or number';

const ERRORS: readonly (readonly [string, string])[] = [
  // Terms
  ['error -→', 'expected a term, but the query ends'],
  ['-→ error', 'expected a term, but found a space'],
  ['-→-error', 'expected a term, but found -'],
  ['"a"→b', 'expected a space, but found b'],
  ['word→"quoted"', 'expected a space, but found "quoted"'],
  ['ok →"never closed', 'expected a closing quote'],
  ['ok →"escaped\\"', 'expected a closing quote'],
  ['~→', 'expected quoted text or a regular expression, but the query ends'],
  ['~→ x', 'expected quoted text or a regular expression, but found a space'],
  ['-→f:edge_logs', 'expected a filter behind the hyphen: f:, s: and c: filter nothing'],
  ['-→s:id', 'expected a filter behind the hyphen: f:, s: and c: filter nothing'],
  ['-→c:count(*)', 'expected a filter behind the hyphen: f:, s: and c: filter nothing'],
  ['-→c:group_by(t::day)', 'expected a filter behind the hyphen: f:, s: and c: filter nothing'],
  // Fields
  ['m.level:→', `expected ${A_FIELD_TEST}, but the query ends`],
  ['m.level:→ error', `expected ${A_FIELD_TEST}, but found a space`],
  ['m.level:→..5', `expected ${A_FIELD_TEST}, but found ..`],
  ['m.level:>→', `expected ${A_VALUE}, but the query ends`],
  ['m.level:>=→ 5', `expected ${A_VALUE}, but found a space`],
  ['m.level:>→true', `expected ${A_VALUE}, but found true`],
  ['m.level:<→NULL', `expected ${A_VALUE}, but found NULL`],
  ['m.level:>→>5', `expected ${A_VALUE}, but found >`],
  ['m.level:1..→', `expected ${A_VALUE}, but the query ends`],
  ['m.level:1..2→..3', 'expected a space, but found ..'],
  ['m.level:>1→..2', 'expected a space, but found ..'],
  ['m.level:"a"→b', 'expected a space, but found b'],
  ['m.level:→"a', 'expected a closing quote'],
  ['m.level:~→', 'expected quoted text or a regular expression, but the query ends'],
  ['m.tags:@>→', 'expected quoted text, a word or number, true or false, but the query ends'],
  ['m.tags:@>→NULL', 'expected quoted text, a word or number, true or false, but found NULL'],
  ['m.tags:@>~→', 'expected quoted text or a regular expression, but the query ends'],
  ['m→:5', 'expected a field of the metadata, such as m.path'],
  ['metadata→:NULL', 'expected a field of the metadata, such as m.path'],
  ['m.level:10..→5', 'expected a range that ends after it begins'],
  // Times
  ['t:→', `expected ${A_TIME_TEST}, but the query ends`],
  ['t:→tomorrow', `expected ${A_TIME_TEST}, but found tomorrow`],
  ['t:→"2026-04-07"', `expected ${A_TIME_TEST}, but found "`],
  ['t:>→', `expected ${A_TIME}, but the query ends`],
  ['t:>→last@5minutes', `expected ${A_TIME}, but found last@`],
  ['t:last@→', 'expected digits, but the query ends'],
  ['t:last@→week', 'expected digits, but found week'],
  ['t:last@5→', 'expected a unit of time, but the query ends'],
  ['t:last@5→fortnights', 'expected seconds, minutes, hours, days, weeks, months or years'],
  ['t:last@→0minutes', 'expected a number from 1 to 1000000'],
  ['t:last@→1000001minutes', 'expected a number from 1 to 1000000'],
  ['t:this@→', 'expected a unit of time, but the query ends'],
  ['t:this@→second', 'expected minute, hour, day, week, month or year'],
  ['t:this@→days', 'expected minute, hour, day, week, month or year'],
  ['t:→171068322', 'expected a date, or a Unix time of 10, 13 or 16 digits'],
  ['t:>→17106832220', 'expected a date, or a Unix time of 10, 13 or 16 digits'],
  ['t:1710683222..→17106842', 'expected a date, or a Unix time of 10, 13 or 16 digits'],
  ['t:→{1710683222..17106842223}', 'expected a date, or a Unix time of 10, 13 or 16 digits'],
  ['t:2026-04→', 'expected -, but the query ends'],
  ['t:2026-→', 'expected digits or {, but the query ends'],
  ['t:→26-04-07', 'expected a year from 0000 to 9999'],
  ['t:→0999-12-31', 'expected a time in the years 1000 to 9999'],
  ['t:→9999-12-31T23:59-00:01', 'expected a time in the years 1000 to 9999'],
  ['t:2026-→4-07', 'expected a month from 01 to 12'],
  ['t:2026-→13-07', 'expected a month from 01 to 12'],
  ['t:2026-02-→29', 'expected a day from 01 to 28'],
  ['t:2024-02-→30', 'expected a day from 01 to 29'],
  ['t:2026-04-→{00..09}', 'expected a day from 01 to 30'],
  ['t:2026-{01..02}-→{01..29}', 'expected a day from 01 to 28'],
  ['t:2026-04-07→x', 'expected a space, but found x'],
  ['t:2026-04-07T→', 'expected digits or {, but the query ends'],
  ['t:2026-04-07T10→', 'expected :, but the query ends'],
  ['t:2026-04-07T→24:00', 'expected an hour from 00 to 23'],
  ['t:2026-04-07T10:→60', 'expected a minute from 00 to 59'],
  ['t:2026-04-07T10:00:→60', 'expected a second from 00 to 59'],
  ['t:2026-04-07T10:00:00.→', 'expected digits or {, but the query ends'],
  ['t:2026-04-07T10:00:00.→1234567', 'expected at most six digits of a second'],
  ['t:2026-04-07T10:00:00+→', 'expected digits, but the query ends'],
  ['t:2026-04-07T10:00:00+02→', 'expected :, but the query ends'],
  ['t:2026-04-07T10:00:00+→24:00', 'expected hours of a zone from 00 to 23'],
  ['t:2026-04-07T10:00:00+02:→60', 'expected minutes of a zone from 00 to 59'],
  ['t:2026-04-07T10:00:00Z→Z', 'expected a space, but found Z'],
  ['t:2026-04-{07→}', 'expected .., but found }'],
  ['t:2026-04-{07..→}', 'expected digits, but found }'],
  ['t:2026-04-{07..09→', 'expected }, but the query ends'],
  ['t:→2026-04-{09..07}', 'expected a range that ends after it begins'],
  ['t:>→2026-04-{07..09}', 'expected one time, without braces'],
  ['t:2026-04-01..→2026-04-{07..09}', 'expected one time, without braces'],
  ['t:2026-04-02..→2026-04-01', 'expected a range that ends after it begins'],
  ['m.level:error..→warning', 'expected a range that ends after it begins'],
  ['t:2026-04-01T00:00Z..→2026-04-02T00:00+02:00', 'expected both ends of the range in one time zone'],
  ['t:2026-04-01..→2026-04-02T00:00-01:00', 'expected both ends of the range in one time zone'],
  ['t:2026-04-02..→', `expected ${A_TIME}, but the query ends`],
  ['t:yesterday..today→..now', 'expected a space, but found ..'],
  // Tables, columns, aggregates
  ['f:→', 'expected a name, but the query ends'],
  ['f:→5', 'expected a name, but found 5'],
  ['f:→secrets', 'expected edge_logs or auth_logs, but found secrets'],
  ['f:edge_logs f:→auth_logs', 'expected one table'],
  ['s:→', 'expected * or a name, but the query ends'],
  ['s:m.path@→', 'expected a name, but the query ends'],
  ['s:m.path@→a.b', 'expected a name of letters, digits and underscores'],
  ['s:m.a.path s:→m.b.path', 'expected another name: path is taken'],
  ['s:id s:→m.user@ID', 'expected another name: ID is taken'],
  ['c:→', 'expected group_by or a name, but the query ends'],
  ['c:count→', 'expected (, but the query ends'],
  ['c:count(→)', 'expected * or a name, but found )'],
  ['c:count(*→', 'expected ), but the query ends'],
  ['c:→median(m.x)', 'expected group_by, count, countd, sum, avg, max, p50, p95 or p99'],
  ['c:sum(→*)', 'expected a field: sum is of one'],
  ['c:group_by(→m.x::day)', 'expected t or timestamp'],
  ['c:group_by(t→:day)', 'expected ::, but found :'],
  ['c:group_by(t::→week)', 'expected second, minute, hour or day'],
  ['c:group_by(t::day) c:→group_by(t::day)', 'expected one group_by'],
  ['c:count(*) s:→*', 'expected a field: aggregates have a row for each of its values'],
  ['s:m.n@count c:→count(*)', 'expected another name: count is taken'],
];

describe('a faulty LQL query', () => {
  it.each(ERRORS)('%s: %s', (text, message) => {
    const query = text.replace('→', '');
    const problem = problemOf(query);
    expect([marked(query, problem), problem.message]).toEqual([
      text,
      `${message} (line 1, column ${text.indexOf('→') + 1})`,
    ]);
    expect(problem.code).toBe('lql-syntax');
  });

  it('is pointed at by line and column', () => {
    expect(problemOf('error\n  m.a:5 m.b:').place).toEqual({ offset: 18, line: 2, column: 13 });
  });

  it('has to name its table where none is the default', () => {
    const problem = problemOf('error', { ...TABLES, defaultTable: null });
    expect(problem.message).toBe(
      'expected f: with the table to read from: edge_logs or auth_logs (line 1, column 6)',
    );
    expect(problem.place?.offset).toBe(5);
  });

  it('is none for a default table with a name that every object has', () => {
    const { reads: defaultTable, ...tables } = storedTables({
      text: 'select event_message from toString',
      sandboxed: false,
    });
    expect(() => lowerLql(parseLql('error'), { ...tables, defaultTable })).not.toThrow();
  });

  it('may not have terms without end', () => {
    expect(() => parseLql(' a'.repeat(200))).not.toThrow();
    expect(problemOf(' a'.repeat(201)).message).toBe('expected at most 200 terms (line 1, column 402)');
  });
});
