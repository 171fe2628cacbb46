/** The stored query of `logs.all` gets a table for a source, whatever an operator has made of the query. */
import { describe, expect, it } from '@jest/globals';
import { LOGS_ALL_QUERY, withSource } from '../../../../src/logs/endpoints/stored/logs-all.js';
import { storedTables } from '../../../../src/logs/sql/compile.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';

const tablesOf = (text: string) => {
  const { tables, reads } = storedTables({ text, sandboxed: true });
  return { tables, reads };
};

describe('withSource', () => {
  it('adds a table behind the others, and changes nothing else', () => {
    const { tables, reads } = tablesOf(LOGS_ALL_QUERY);
    const text = withSource(LOGS_ALL_QUERY, 'audit_logs');
    expect(tablesOf(text)).toEqual({ tables: [...tables, 'audit_logs'], reads });
    expect(text).toContain('from audit_logs as t\n  where t.project = @project\n');
    const at = text.indexOf(',\naudit_logs as (');
    expect(LOGS_ALL_QUERY.startsWith(text.slice(0, at))).toBe(true);
    expect(LOGS_ALL_QUERY.endsWith(text.slice(-50))).toBe(true);
  });

  it.each(['edge_logs', 'function_logs'])('leaves a query as it is that has a table %s', (source) => {
    expect(withSource(LOGS_ALL_QUERY, source)).toBe(LOGS_ALL_QUERY);
  });

  it('filters by the field that names the project of a source that each installation has', () => {
    expect(withSource('select 1 as one', 'storage_logs')).toContain('where m.project = @project');
  });

  it.each([
    ['no named subquery', 'select 1 as one', ['x']],
    ['a trailing comma', 'with a as (select 1 as one), select one from a', ['a', 'x']],
    [
      'parentheses in texts and comments',
      "with a as (select ')' as one -- (\n) select one from a",
      ['a', 'x'],
    ],
    ['a name in capitals', 'with X as (select 1 as one) select one from X', ['X']],
  ])('takes a query with %s', (_, text, tables) => {
    expect(tablesOf(withSource(text, 'x')).tables).toEqual(tables);
  });

  it('refuses a query that cannot be read', () => {
    expect(() => withSource('with a as (select', 'x')).toThrow(QueryProblem);
  });
});
