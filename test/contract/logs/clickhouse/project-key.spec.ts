/** A stored query that compares the project of a source reads the entries of that project alone, by the key of the table. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ClickhouseLogStore } from '../../../../src/engines/clickhouse/clickhouse-log-store.js';
import { printQuery, QUERY_SETTINGS } from '../../../../src/engines/clickhouse/sql/print-query.js';
import type { LogStore } from '../../../../src/foundation/log-store/log-store.js';
import { compile } from '../../../../src/logs/sql/compile.js';
import {
  type ClickhouseServer,
  describeOnClickhouse,
  someLogDatabase,
  startClickhouse,
} from '../../../support/clickhouse/clickhouse-server.js';
import { type EntrySketch, logEntries } from '../../../support/log-entries.js';
import { ASKED_AT, LOGS_ALL, MEMORY } from '../../../support/log-queries.js';

const PROJECTS = 5;
/** Two and a half granules of 8,192 rows. */
const OF_EACH = 20_000;

const NUMBERS = 2;
const NUMBER_IN_PLACE: EntrySketch = { metadata: { project_ref: 3 }, project: null };

describeOnClickhouse('the key of a table', () => {
  let server: ClickhouseServer;
  let store: LogStore;
  const database = someLogDatabase();

  beforeAll(async () => {
    server = await startClickhouse();
    store = await ClickhouseLogStore.open(server.url(database), MEMORY);
    for (let project = 1; project <= PROJECTS; project++) {
      const name = `${project}`;
      await store.append(
        'edge_logs',
        logEntries(OF_EACH, () => ({ project: name })),
      );
      await store.append(
        'function_logs',
        logEntries(OF_EACH, () => ({ project: null, metadata: { project_ref: name } })),
      );
    }
    await store.append(
      'function_logs',
      logEntries(NUMBERS, () => NUMBER_IN_PLACE),
    );
  });
  afterAll(async () => {
    await store?.close();
    await server?.stop();
  });

  const compiled = async (consumer: string) =>
    compile({
      stored: LOGS_ALL,
      consumer: { language: 'sql', text: consumer },
      onlyProject: null,
      catalogue: { ...(await store.catalogue(null)), ofAll: false },
    }).query;

  /** How many rows the engine reads. */
  const readBy = async (consumer: string, parameters: Readonly<Record<string, string>>): Promise<number> => {
    const query = printQuery(await compiled(consumer));
    const url = new URL(server.http);
    const given = { iso_timestamp_start: '', iso_timestamp_end: '', ...parameters };
    const values = Object.entries(given).map(([name, value]) => [`param_${name}`, value] as const);
    for (const [name, value] of [['database', database], ['wait_end_of_query', '1'], ...values] as const)
      url.searchParams.set(name, value);
    for (const [name, value] of Object.entries(QUERY_SETTINGS)) url.searchParams.set(name, `${value}`);
    const reply = await fetch(url, { method: 'POST', body: query });
    expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
    return Number(JSON.parse(reply.headers.get('x-clickhouse-summary') ?? '{}').read_rows);
  };

  it.each(['edge_logs', 'function_logs'])('narrows what logs.all reads of %s', async (source) => {
    const read = await readBy(`select count(distinct id) as n from ${source}`, { project: '3' });
    expect(read).toBeGreaterThanOrEqual(OF_EACH);
    expect(read).toBeLessThan((PROJECTS * OF_EACH) / 2);
  });

  const counted = async (consumer: string, project: string | null) => {
    const options = { parameters: { project }, now: ASKED_AT, maxRows: 10, timeoutMs: 200_000 };
    return (await store.run(await compiled(consumer), options)).rows;
  };

  it.each([
    ['edge_logs', '3', OF_EACH],
    // A number in the place of the project has its text, but is no owner.
    ['function_logs', '3', OF_EACH + NUMBERS],
    ['edge_logs', '', 0],
    ['function_logs', '', 0],
    ['edge_logs', null, 0],
    ['function_logs', null, 0],
  ] as const)('changes no result: %s of %j', async (source, project, n) => {
    expect(await counted(`select count(*) as n from ${source}`, project)).toEqual([{ n }]);
  });
});
