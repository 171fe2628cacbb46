/** What a query of a token that is tied to a project may tell of entries of others: nothing, not even by failing. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BUILT_IN_SOURCES, PLATFORM_SOURCES } from '../../../../src/foundation/log-store/sources.js';
import { type LogQueries, openLogQueries } from '../../../support/log-queries.js';

const SOURCES = [...BUILT_IN_SOURCES, 'audit_logs'];
const OPEN = { text: 'select 1 as one from edge_logs', sandboxed: false };

const entryOf = (project: string, eventMessage: string) => ({
  eventMessage,
  project,
  metadata: { project, project_ref: project },
});

let world: LogQueries;
beforeAll(async () => {
  const entries = Array.from({ length: 300 }, (_, index) =>
    index % 3 === 0 ? entryOf('mine', 'heron') : entryOf('theirs', 'osprey'),
  );
  world = await openLogQueries(Object.fromEntries(SOURCES.map((source) => [source, entries])));
});
afterAll(() => world.close());

/** Fails where it is asked of an entry of the other project. */
const probe = (table: string): string =>
  `array_length(generate_array(1, if(starts_with(${table}.event_message, 'osprey'), 100000, 1))) > 0`;

it.each<[string, (source: string) => string]>([
  ['a condition', (source) => `select count(*) as n from ${source} f where ${probe('f')}`],
  [
    'a condition behind a join',
    (source) => `select count(*) as n from ${source} e join ${source} f on e.id = f.id where ${probe('f')}`,
  ],
  [
    'the condition of a join',
    (source) => `select count(*) as n from ${source} e join ${source} f on e.id = f.id and ${probe('f')}`,
  ],
  [
    'the condition of an outer join',
    (source) =>
      `select count(f.id) as n from ${source} e left join ${source} f on e.id = f.id and ${probe('f')}`,
  ],
  [
    'a subquery',
    (source) =>
      `select count(*) as n from ${source} e where exists (select 1 from ${source} f where f.id = e.id and ${probe('f')})`,
  ],
])('%s does not fail for the entries of others', async (_, query) => {
  for (const source of SOURCES) {
    const asked = { stored: OPEN, onlyProject: 'mine' };
    expect([source, await world.rows(query(source), asked)]).toEqual([source, [{ n: 100 }]]);
    if (!Object.hasOwn(PLATFORM_SOURCES, source)) continue;
    const inLogsAll = { onlyProject: 'mine', parameters: { project: 'mine' } };
    expect([source, await world.rows(query(source), inLogsAll)]).toEqual([source, [{ n: 100 }]]);
  }
});
