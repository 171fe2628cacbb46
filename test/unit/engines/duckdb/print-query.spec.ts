/** The text that DuckDB gets: quoted where an author wrote it, and no longer than the tree says. */
import { describe, expect, it } from '@jest/globals';
import { SPELLINGS } from '../../../../src/engines/duckdb/sql/operations.js';
import { printQuery } from '../../../../src/engines/duckdb/sql/print-query.js';
import { type EngineSql, sql } from '../../../../src/foundation/log-store/engine-sql.js';
import { OPERATIONS, type Operation } from '../../../../src/foundation/log-store/query-operations.js';
import { checked, WITH_NAMES, WITH_QUOTES } from '../../../support/printed-queries.js';

const printed = (text: string, onlyProject: string | null = null): string =>
  printQuery(checked(text, onlyProject));

describe('a printed query', () => {
  it('holds no word of the author but the names of the columns, quoted', () => {
    const text = printed(WITH_NAMES);
    expect(text).toContain('AS "a""b"');
    expect(text).not.toMatch(/mine|secret_name/);
  });

  it('has literals in quotes that they cannot leave', () => {
    expect(printed(WITH_QUOTES)).toContain(`('it''s' || ' -- '' or 1=1 /*')`);
  });

  it('filters each source by the project of a token, before anything else', () => {
    const text = printed('select id from edge_logs', "o'neil");
    expect(text).toContain(`FROM "edge_logs" WHERE project = 'o''neil')`);
  });
});

/** More arguments than any operation takes. */
const MARKS: readonly EngineSql[] = [sql`0x1`, sql`0x2`, sql`0x3`, sql`0x4`, sql`0x5`, sql`0x6`];

describe.each(Object.keys(OPERATIONS) as Operation[])('the operation %s', (operation) => {
  it.each([2, 3, 6])('writes each of %i arguments no more often than the tree counts', (count) => {
    const text = SPELLINGS[operation](...MARKS.slice(0, count));
    const times = MARKS.map((mark) => text.split(mark).length - 1);
    expect(Math.max(...times)).toBeGreaterThan(0);
    expect(Math.max(...times)).toBeLessThanOrEqual(OPERATIONS[operation]);
  });
});
