/** Which queries count the entries of a result by severity, and how counts become bars. */
import { describe, expect, it } from '@jest/globals';
import type { LogQuery } from '../../../../web/src/dashboard/areas/logs/log-query.js';
import {
  countingPlan,
  runPlan,
  withoutSeverities,
} from '../../../../web/src/dashboard/areas/logs/severity-counts.js';
import { logsOutline } from '../../../support/log-outline.js';

const ASKED: LogQuery = {
  endpoint: 'logs.all',
  language: 'lql',
  query: 'call',
  parameters: { project: 'todo-app' },
  range: { kind: 'last', last: '1h' },
  redact: false,
};
const AT = Date.parse('2026-02-03T05:00:00Z');
const RESULT = {
  rows: [{ timestamp: '2026-02-03T04:30:00Z' }],
  isTruncated: false,
  ageSeconds: null,
  durationMs: 1,
  at: AT,
  followedFrom: null,
  read: null,
};

const planOf = (part: Partial<LogQuery>, result: Partial<typeof RESULT> = {}) =>
  countingPlan({ ...ASKED, ...part }, { result: { ...RESULT, ...result }, outline: logsOutline() });

it('says what the query reads, and has only that counted once', async () => {
  const plan = planOf({});
  if (!plan) throw new Error('there is no plan');
  const costed: string[] = [];
  const counts = await runPlan(plan, async ({ query }, cost) => {
    if (cost) costed.push(query);
    const rows = [{ timestamp: '2026-02-03T04:30:00Z', count: 3 }];
    return { ...RESULT, rows, read: cost ? { entries: 900, bytes: 4_000 } : null };
  });
  expect([counts?.read, costed]).toEqual([{ entries: 900, bytes: 4_000 }, [plan.all.query]]);
});

describe('the plan', () => {
  it('of a filter counts all, errors and warnings of the time of the result', () => {
    const plan = planOf({});
    expect(plan?.all).toMatchObject({
      query: 'call c:count(*) c:group_by(t::minute)',
      range: { kind: 'between', from: '2026-02-03T04:00:00.000Z', to: '2026-02-03T05:00:00.000Z' },
    });
    expect([plan?.unit, plan?.errors?.query, plan?.warnings?.query]).toEqual([
      'minute',
      'call m.response.status_code:>=500 c:count(*) c:group_by(t::minute)',
      'call m.response.status_code:400..499 c:count(*) c:group_by(t::minute)',
    ]);
  });

  it('of the stored query counts the table that it reads', () =>
    expect(planOf({ language: 'stored', query: '' })?.errors).toMatchObject({
      language: 'lql',
      query: 'm.response.status_code:>=500 c:count(*) c:group_by(t::minute)',
    }));

  it('of a table without a severity counts all alone', () => {
    const plan = planOf({ query: 'f:pgbouncer_logs' });
    expect([plan?.all.query, plan?.errors, plan?.warnings]).toEqual([
      'f:pgbouncer_logs c:count(*) c:group_by(t::minute)',
      null,
      null,
    ]);
  });

  it('of SQL counts what the endpoint cut off', () => {
    const sql = { language: 'sql', query: 'select timestamp from edge_logs;' } as const;
    expect(planOf(sql)).toBeNull();
    expect(planOf(sql, { isTruncated: true })?.all.query).toContain(
      'from (select timestamp from edge_logs\n)',
    );
    expect(planOf(sql, { isTruncated: true, rows: [] })).toBeNull();
  });

  it.each(['c:count(*)', 'call s:id'])('of %s does not exist: its rows are no entries', (query) =>
    expect(planOf({ query })).toBeNull(),
  );
});

it('counts without severities are all of other severity', () => {
  const bucket = { start: 0, end: 1_000, count: 3 };
  expect(withoutSeverities({ unit: 'second', buckets: [bucket] })).toEqual({
    unit: 'second',
    hasSeverity: false,
    read: null,
    buckets: [{ ...bucket, of: { error: 0, warning: 0, other: 3 } }],
  });
});
