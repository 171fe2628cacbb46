/**
 * Queries made at random, correct ones and ones that were tampered with: whatever is let through reads nothing but the
 * entries of the caller's project in the tables of the endpoint. Everything that must not be read says CANARY.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LogQueryFailedError } from '../../../../src/foundation/log-store/log-store.js';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';
import { logEntries } from '../../../support/log-entries.js';
import { type Asked, type LogQueries, openLogQueries } from '../../../support/log-queries.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { anyQuery, tampered } from '../../../support/random-queries.js';

const entries = (project: string, text: string) =>
  logEntries(3, (at) => ({
    project,
    eventMessage: `${text} ${at}`,
    metadata: {
      project,
      project_ref: project,
      text,
      request: { path: `/${text}`, n: at },
      tags: [text, 'x'],
    },
  }));

const table = (name: string, condition: string): string =>
  `${name} as (select t.id, t.timestamp, t.event_message, t.metadata from ${name} as t, unnest(t.metadata) as m where ${condition})`;

const endpoint = (...tables: readonly string[]) => ({
  sandboxed: true,
  text: `with ${tables.join(', ')} select id from edge_logs`,
});

/** Two of the sources, of one project; the others are all canaries. */
const FILTERED = endpoint(
  table('edge_logs', 't.project = @project'),
  table('function_logs', 'm.project_ref = @project'),
);

/** Filters nothing itself. */
const OPEN = endpoint(...['edge_logs', 'function_logs', 'realtime_logs'].map((name) => table(name, 'true')));

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({
    edge_logs: [...entries('one', 'mine'), ...entries('two', 'CANARY')],
    function_logs: [...entries('one', 'mine'), ...entries('two', 'CANARY')],
    realtime_logs: [...entries('one', 'mine'), ...entries('two', 'CANARY')],
    auth_logs: entries('one', 'CANARY'),
  });
});
afterAll(() => world.close());

/** What an engine says of a query that names something that there is not, may not be read, or is no query. */
const BROKEN =
  /Catalog|Permission|Parser|Binder|Unknown (expression|table|function)|does not exist|Syntax error|Not enough privileges|not under aggregate/;

type Outcome = 'rows' | 'refused' | 'failed';

/** Throws where a canary is among the rows, or the query broke in a way that no query may. */
const outcomeOf = async (sql: string, asked: Asked): Promise<Outcome> => {
  try {
    const { rows } = await world.ask(sql, { parameters: { project: 'one' }, timeoutMs: 3_000, ...asked });
    if (JSON.stringify(rows).includes('CANARY'))
      throw new Error(`a canary was read: ${JSON.stringify(rows)}`);
    return 'rows';
  } catch (error) {
    if (error instanceof QueryProblem) return 'refused';
    if (error instanceof LogQueryFailedError && !BROKEN.test(String(error.cause))) return 'failed';
    throw error;
  }
};

describe('a query made at random', () => {
  it('reads the entries of its project in the tables of its endpoint, and nothing else', async () => {
    const outcomes = new Map<Outcome, number>();
    await fc.assert(
      fc.asyncProperty(anyQuery(['edge_logs', 'function_logs']), async (sql) => {
        const outcome = await outcomeOf(sql, { stored: FILTERED });
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }),
      propertyRuns(300),
    );
    expect(outcomes.get('rows') ?? 0).toBeGreaterThan(outcomes.get('refused') ?? 0);
  });

  it('reads nothing else when it was tampered with', async () => {
    await fc.assert(
      fc.asyncProperty(tampered(anyQuery(['edge_logs', 'function_logs'])), async (sql) => {
        await outcomeOf(sql, { stored: FILTERED });
      }),
      propertyRuns(300),
    );
  });

  it('reads nothing of another project with a token of one, whatever project it asks for', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery(['edge_logs', 'function_logs', 'realtime_logs']), async (sql) => {
        await outcomeOf(sql, { stored: OPEN, onlyProject: 'one', parameters: { project: 'two' } });
      }),
      propertyRuns(150),
    );
  });
});
