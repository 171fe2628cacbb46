/** LQL, read, lowered, compiled and run by the engine, finds the entries for which every term holds, said plainly. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QueryProblem } from '../../../../src/logs/sql/query-problem.js';
import { logEntry } from '../../../support/log-entries.js';
import { type LogQueries, openLogQueries } from '../../../support/log-queries.js';
import { askLql } from '../../../support/lql-queries.js';
import { ALL_KINDS, filters, sketches } from '../../../support/lql-terms.js';
import { propertyRuns } from '../../../support/property-runs.js';

let queries: LogQueries;

beforeAll(async () => {
  queries = await openLogQueries({ edge_logs: [{ metadata: ALL_KINDS, project: 'kinds' }] });
  // What is one thing here and another there is known as neither.
  await queries.store.append('edge_logs', [logEntry({ metadata: { mixed: 'text' }, project: 'kinds' })]);
});
afterAll(() => queries.close());

it('agrees with a plain reading of its terms, newest first', async () => {
  const queriesOfOne = fc.array(fc.array(filters, { maxLength: 3 }), { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sketches, queriesOfOne, async (drawn, asked) => {
      const project = randomUUID();
      const entries = drawn.map((sketch) => logEntry({ ...sketch, project }));
      if (entries.length > 0) await queries.store.append('edge_logs', entries);
      for (const terms of asked) {
        const text = terms.map(({ text: term }) => term).join(' ');
        if (terms.some(({ refused }) => refused)) {
          await expect(askLql(queries, text, { parameters: { project } })).rejects.toThrow(QueryProblem);
          continue;
        }
        const { rows } = await askLql(queries, text, { parameters: { project } });
        const expected = entries.filter((entry) => terms.every(({ holds }) => holds(entry)));
        const found = rows.map(({ id }) => id).sort();
        expect([text, found]).toEqual([text, expected.map(({ id }) => id).sort()]);
        const times = rows.map(({ timestamp }) => timestamp);
        expect(times).toEqual([...times].sort().reverse());
      }
    }),
    propertyRuns(40),
  );
});
