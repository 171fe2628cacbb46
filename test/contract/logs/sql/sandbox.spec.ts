/**
 * Getting out of the sandbox: a corpus of attempts, each refused before it reaches the engine, with the reason and the
 * place; and queries that are allowed but want more than there is, each stopped by a limit that costs them alone.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LogQueryFailedError } from '../../../../src/foundation/log-store/log-store.js';
import { withSource } from '../../../../src/logs/endpoints/stored/logs-all.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';
import { logEntries, logEntry } from '../../../support/log-entries.js';
import { LOGS_ALL, type LogQueries, openLogQueries } from '../../../support/log-queries.js';
import { SANDBOX_ATTEMPTS } from '../../../support/sandbox-attempts.js';

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    audit_logs: [logEntry({ eventMessage: 'audited' })],
    edge_logs: logEntries(2_000, (at) => ({ metadata: { text: `${'ab'.repeat(500)}${at}` } })),
  });
});
afterAll(() => world.close());

const refusal = (sql: string): QueryProblem => {
  try {
    world.compiled(sql);
  } catch (error) {
    if (error instanceof QueryProblem) return error;
    throw error;
  }
  throw new Error('this query was let through');
};

describe.each(Object.entries(SANDBOX_ATTEMPTS))('%s', (_, attempts) => {
  it.each(
    attempts.map(([sql, reason]) => ({
      sql,
      reason,
      name: sql.length > 100 ? `${sql.slice(0, 100)}…` : sql,
    })),
  )('$name', ({ sql, reason }) => {
    const { message, place } = refusal(sql);
    expect(message).toContain(reason);
    expect(place).not.toBeNull();
    expect(place?.offset).toBeLessThanOrEqual(sql.length);
  });
});

it('lets a source of one’s own be read once the stored query has a table for it, and nothing more', async () => {
  const stored = { ...LOGS_ALL, text: withSource(LOGS_ALL.text, 'audit_logs') };
  expect(await world.rows('select event_message from audit_logs', { stored })).toEqual([
    { event_message: 'audited' },
  ]);
  expect(() => world.compiled('select project from audit_logs', { stored })).toThrow(/no column project/);
});

it('is tried in at least 150 ways', () => {
  expect(Object.values(SANDBOX_ATTEMPTS).flat().length).toBeGreaterThanOrEqual(150);
});

describe('what is allowed but wants too much', () => {
  const failure = async (sql: string): Promise<string> => {
    try {
      await world.ask(sql, { timeoutMs: 1_500 });
    } catch (error) {
      if (error instanceof LogQueryFailedError) return error.failure;
      throw error;
    }
    throw new Error('this query ended well');
  };

  it.each([
    'select count(*) from edge_logs a, edge_logs b, edge_logs c, edge_logs d where a.event_message <> b.event_message or c.id < d.id',
    'select a.id, b.id, c.id from edge_logs a, edge_logs b, edge_logs c order by c.id, a.id, b.id',
    'select string_agg(to_json_string(a.metadata)), string_agg(to_json_string(b.metadata)) from edge_logs a, edge_logs b, edge_logs c',
    'select array_agg(a.metadata) from edge_logs a, edge_logs b, edge_logs c',
    "select count(*) from edge_logs a, edge_logs b, edge_logs c where regexp_contains(concat(a.metadata.text, b.id, c.id), '(a|b|ab)*(ba|a)*x[0-9]{1,100}y')",
  ])('%s', async (sql) => {
    expect(['time', 'memory', 'crash']).toContain(await failure(sql));
    expect(await world.rows('select count(*) as n from edge_logs')).toEqual([{ n: 2_000 }]);
  });
});
