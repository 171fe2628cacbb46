/** What every adapter of the LogStore promises. `open` gives an empty store. */

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckedQuery } from '../../../../src/foundation/log-store/checked-query.js';
import { knownFieldsOf, PLATFORM_CATALOGUE } from '../../../../src/foundation/log-store/known-fields.js';
import {
  LogQueryFailedError,
  type LogRows,
  type LogStore,
  LogStoreUnavailableError,
  type RunOptions,
} from '../../../../src/foundation/log-store/log-store.js';
import { packEntries } from '../../../../src/foundation/log-store/packed-entries.js';
import { OWNER_COLUMN, POSITION_COLUMN } from '../../../../src/foundation/log-store/query-tree.js';
import { BUILT_IN_SOURCES, type LogSource } from '../../../../src/foundation/log-store/sources.js';
import { compile } from '../../../../src/logs/sql/compile.js';
import { tailedTable, tailOf } from '../../../../src/logs/sql/tail.js';
import { logEntries, logEntry, NOON } from '../../../support/log-entries.js';
import { openForEach } from '../../../support/open-for-each.js';

export interface LogStoreFixture {
  readonly store: LogStore;
  /** The same store after a restart of the process. */
  reopen(): Promise<LogStore>;
  close(): Promise<void>;
}

/** A store that a restart opens again; `discard` runs when it is closed for good. */
export const reopenable = async (
  open: () => Promise<LogStore>,
  discard: () => Promise<void> = async () => undefined,
): Promise<LogStoreFixture> => {
  let store = await open();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await open();
      return store;
    },
    close: async () => {
      await store.close();
      await discard();
    },
  };
};

const ID = '0b5c9f1e-7a52-4c0e-8d67-2f6d1a3c4b5e';

/** A stored query in the dialect: it reads the sources themselves. */
const run = async (store: LogStore, text: string, options: Partial<RunOptions> = {}): Promise<LogRows> => {
  const catalogue = PLATFORM_CATALOGUE;
  const { query } = compile({
    stored: { text, sandboxed: false },
    consumer: null,
    onlyProject: null,
    catalogue,
  });
  return store.run(query, { parameters: {}, now: NOON, maxRows: 1_000, timeoutMs: 200_000, ...options });
};

/** A million million rows, of lists that are short: an engine may hold one beside each row of a block. */
const ENDLESS = ['a', 'b', 'c', 'd', 'e', 'f']
  .map((name) => `unnest(generate_array(1, 100)) as ${name}`)
  .join(' cross join ');

const total = async (store: LogStore, source: LogSource): Promise<number> =>
  (await store.counts())[source] ?? 0;

export const logStoreContract = (adapter: string, open: () => Promise<LogStoreFixture>): void => {
  describe(`LogStore on ${adapter}`, () => {
    let store: LogStore;
    let reopen: LogStoreFixture['reopen'];
    const opened = openForEach(open);
    beforeEach(() => {
      ({ store, reopen } = opened());
    });

    describe('appending', () => {
      it('gives an entry back as it was', async () => {
        const metadata = { request: { path: '/rest/v1', n: 1.5 }, tags: ['ä', null, [true]], empty: {} };
        const entry = logEntry({
          id: ID,
          timestamp: NOON + 1,
          eventMessage: 'päth\n"1"\u0000',
          metadata,
          project: 'p1',
        });
        expect(await store.append('edge_logs', [entry])).toEqual({ accepted: 1, duplicates: 0 });
        const { columns, rows } = await run(
          store,
          'select id, timestamp, event_message, metadata, project from edge_logs',
        );
        expect(columns).toEqual(['id', 'timestamp', 'event_message', 'metadata', 'project']);
        expect(rows).toEqual([
          {
            id: ID,
            timestamp: '2026-03-01T12:00:00.000001Z',
            event_message: 'päth\n"1"\u0000',
            metadata,
            project: 'p1',
          },
        ]);
      });

      it('keeps text that is no Unicode as what can be read again', async () => {
        await store.append('edge_logs', [
          logEntry({
            eventMessage: 'half \ud83d',
            metadata: { 'k\udc00': 'a\ud800b', literal: '\\ud800' },
            project: '\udfff',
          }),
        ]);
        const { rows } = await run(store, 'select event_message, metadata, project from edge_logs');
        expect(rows).toEqual([
          { event_message: 'half �', metadata: { 'k�': 'a�b', literal: '\\ud800' }, project: '�' },
        ]);
      });

      it('takes more entries at once than an engine holds in one piece', async () => {
        const entries = logEntries(5_000, (index) => ({
          timestamp: NOON + index,
          project: index % 3 ? 'a' : null,
        }));
        expect(await store.append('auth_logs', entries)).toEqual({ accepted: 5_000, duplicates: 0 });
        const { rows } = await run(
          store,
          'select count(*) as n, count(distinct id) as ids, count(project) as named, max(timestamp) as last from auth_logs',
        );
        expect(rows).toEqual([{ n: 5_000, ids: 5_000, named: 3_333, last: '2026-03-01T12:00:00.004999Z' }]);
      });

      it('keeps sources apart, and counts them', async () => {
        await Promise.all([
          store.append('edge_logs', logEntries(3)),
          store.append('pgbouncer_logs', logEntries(2)),
          store.append('edge_logs', logEntries(4)),
        ]);
        expect(await store.counts()).toMatchObject({ edge_logs: 7, pgbouncer_logs: 2, postgres_logs: 0 });
      });

      it('takes entries that were packed elsewhere', async () => {
        const packed = packEntries('edge_logs', logEntries(10), () => knownFieldsOf('edge_logs'));
        expect(await store.append('edge_logs', packed)).toEqual({ accepted: 10, duplicates: 0 });
      });

      it('takes nothing at all', async () => {
        expect(await store.append('edge_logs', [])).toEqual({ accepted: 0, duplicates: 0 });
      });
    });

    describe('the same entry again', () => {
      it('is one entry, the first', async () => {
        await store.append('edge_logs', [logEntry({ id: ID, eventMessage: 'first' })]);
        const again = logEntry({ id: ID, eventMessage: 'second', timestamp: NOON + 1 });
        expect(await store.append('edge_logs', [again, logEntry()])).toEqual({ accepted: 1, duplicates: 1 });
        const { rows } = await run(store, `select event_message from edge_logs where id = '${ID}'`);
        expect(rows).toEqual([{ event_message: 'first' }]);
      });

      it('is one entry within a batch and between batches that wait together', async () => {
        const entry = logEntry();
        const answers = await Promise.all(
          Array.from({ length: 8 }, () => store.append('edge_logs', [entry, entry])),
        );
        expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1);
        expect(await total(store, 'edge_logs')).toBe(1);
      });

      it('is known by project, source and id, each project by its own source', async () => {
        const inOne = logEntry({ id: ID, metadata: { project_ref: 'one' }, project: 'x' });
        const inTwo = logEntry({ id: ID, metadata: { project_ref: 'two' }, project: 'x' });
        expect(await store.append('function_logs', [inOne, inTwo])).toEqual({ accepted: 2, duplicates: 0 });
        expect(await store.append('edge_logs', [inOne, inTwo])).toEqual({ accepted: 1, duplicates: 1 });
        expect(await store.append('edge_logs', [logEntry({ id: ID, project: 'y' })])).toMatchObject({
          accepted: 1,
        });
        expect(await store.append('edge_logs', [logEntry({ id: ID, project: null })])).toMatchObject({
          accepted: 1,
        });
      });

      it('is one entry after a restart', async () => {
        const entries = logEntries(100);
        await store.append('edge_logs', entries);
        const reopened = await reopen();
        expect(await reopened.append('edge_logs', [...entries, logEntry()])).toEqual({
          accepted: 1,
          duplicates: 100,
        });
      });
    });

    describe('running', () => {
      it('binds parameters as text, a missing one as NULL, and the moment', async () => {
        const sql = 'select @a as a, @b as b, current_timestamp() as moment, @a as again';
        const { rows } = await run(store, sql, { parameters: { a: "it's $b", unused: 'x' } });
        expect(rows).toEqual([
          { a: "it's $b", b: null, moment: '2026-03-01T12:00:00.000000Z', again: "it's $b" },
        ]);
      });

      it('says every type of the dialect as JSON that loses nothing', async () => {
        const { rows } = await run(
          store,
          `select cast('9007199254740993' as int64) as large, -5 as small, 0.1 as fraction, true as yes, date '2026-03-01' as day,
             timestamp '1969-12-31 23:59:59.999999' as before, [1, null] as list,
             struct([timestamp '2026-03-01'] as b) as record, parse_json('{"x": [1, {"y": null}]}') as json,
             [parse_json('{"z":1}')] as jsons, null as nothing`,
        );
        expect(rows).toEqual([
          {
            large: '9007199254740993',
            small: -5,
            fraction: 0.1,
            yes: true,
            day: '2026-03-01',
            before: '1969-12-31T23:59:59.999999Z',
            list: [1, null],
            record: { b: ['2026-03-01T00:00:00.000000Z'] },
            json: { x: [1, { y: null }] },
            jsons: [{ z: 1 }],
            nothing: null,
          },
        ]);
      });

      it('cuts at maxRows in the order of the query, and says so', async () => {
        await store.append(
          'edge_logs',
          logEntries(20, (index) => ({ timestamp: NOON + index })),
        );
        const newest = 'select timestamp as t from edge_logs order by t desc';
        const cut = await run(store, newest, { maxRows: 3 });
        expect(cut.truncated).toBe(true);
        expect(cut.rows.map(({ t }) => t)).toEqual([
          '2026-03-01T12:00:00.000019Z',
          '2026-03-01T12:00:00.000018Z',
          '2026-03-01T12:00:00.000017Z',
        ]);
        const whole = await run(store, newest, { maxRows: 20 });
        expect([whole.truncated, whole.rows.length]).toEqual([false, 20]);
      });

      it('sees an entry as soon as its append was answered', async () => {
        for (let round = 1; round <= 5; round++) {
          await store.append('edge_logs', [logEntry()]);
          expect((await run(store, 'select count(*) as n from edge_logs')).rows).toEqual([{ n: round }]);
        }
      });

      it('runs several at a time while entries come', async () => {
        const answers = await Promise.all([
          ...Array.from({ length: 12 }, (_, index) =>
            run(store, `select sum(x) + ${index} as s from unnest(generate_array(1, 10000)) as x`),
          ),
          store.append('edge_logs', logEntries(500)),
        ]);
        const sums = answers.slice(0, 12).map((answer) => ('rows' in answer ? answer.rows[0]?.s : null));
        expect(sums).toEqual(Array.from({ length: 12 }, (_, index) => 50_005_000 + index));
      });
    });

    describe('positions', () => {
      /** The tail of a query over edge_logs, as far as the store has acknowledged entries. */
      const tail = async (after: number): Promise<readonly (readonly [unknown, number])[]> => {
        const { query } = compile({
          stored: tailedTable('edge_logs'),
          consumer: null,
          onlyProject: null,
          catalogue: PLATFORM_CATALOGUE,
        });
        const range = { after, upTo: await store.position() };
        const options = { parameters: {}, now: NOON, maxRows: 10_000, timeoutMs: 200_000, range };
        const { rows } = await store.run(tailOf(query).rows, options);
        const counted = await store.run(tailOf(query).count, options);
        expect(counted.rows).toEqual([{ entries: rows.length }]);
        return rows.map((row) => [row.event_message, Number(row[POSITION_COLUMN])]);
      };
      const messages = async (after: number) => (await tail(after)).map(([message]) => message);
      const named = (...names: readonly string[]) =>
        names.map((eventMessage, at) => logEntry({ eventMessage, timestamp: NOON - at }));

      it('grow in the order of acknowledgement, each its own, over sources and restarts', async () => {
        expect(await store.position()).toBe(0);
        await store.append('edge_logs', named('a', 'b'));
        const afterFirst = await store.position();
        await store.append('auth_logs', named('of another source'));
        expect(await store.position()).toBeGreaterThan(afterFirst);
        await store.append(
          'edge_logs',
          logEntries(5_000, (at) => ({ eventMessage: `${at}` })),
        );
        const beforeRestart = await store.position();
        store = await reopen();
        expect(await store.position()).toBe(beforeRestart);
        await store.append('edge_logs', named('after the restart'));
        const numbers = Array.from({ length: 5_000 }, (_, at) => `${at}`);
        expect(await messages(0)).toEqual(['a', 'b', ...numbers, 'after the restart']);
        const positions = (await tail(0)).map(([, position]) => position);
        expect(positions).toEqual([...new Set(positions)].sort((one, other) => one - other));
        expect(positions[1]).toBe(afterFirst);
        expect(await tail(beforeRestart)).toEqual([['after the restart', await store.position()]]);
      });

      it.each(['edge_logs', 'storage_logs'] as const)(
        'tell the entries of several projects apart: %s',
        async (source) => {
          const entryOf = (project: string) =>
            logEntry({ project, metadata: { project }, eventMessage: project });
          await store.append(source, ['one', 'two', 'three', "f'our"].map(entryOf));
          await store.append('storage_logs', [logEntry({ project: null, metadata: { project: ['one'] } })]);
          const { query } = compile({
            stored: tailedTable(source),
            consumer: null,
            onlyProject: 'one',
            catalogue: PLATFORM_CATALOGUE,
          });
          const tail = tailOf(query);
          const range = { after: 0, upTo: await store.position() };
          const options = { parameters: {}, now: NOON, maxRows: 10, timeoutMs: 200_000, range };
          const owners = async (asked: CheckedQuery) =>
            (await store.run(asked, options)).rows.map((row) => [row.event_message, row[OWNER_COLUMN]]);
          expect(await owners(tail.rows)).toEqual([['one', undefined]]);
          const both = ["f'our", 'one'];
          expect(await owners(tail.rowsOf(both))).toEqual(
            [...both].reverse().map((project) => [project, project]),
          );
        },
      );

      it('pass over entries that were there before', async () => {
        const twice = logEntry({ eventMessage: 'twice' });
        await store.append('edge_logs', [twice]);
        const before = await store.position();
        await store.append('edge_logs', [twice, ...named('b')]);
        expect(await messages(before)).toEqual(['b']);
      });

      it('are announced after each append that was acknowledged', async () => {
        let announced = 0;
        const stop = store.onAppend(() => {
          announced += 1;
        });
        await store.append('edge_logs', named('a'));
        expect(announced).toBe(1);
        stop();
        await store.append('edge_logs', named('b'));
        expect(announced).toBe(1);
      });
    });

    describe('a query that does not end well', () => {
      const failure = (sql: string, options?: Partial<RunOptions>): Promise<unknown> =>
        run(store, sql, options).catch((error: unknown) =>
          error instanceof LogQueryFailedError ? error.failure : error,
        );

      it('says that a value was wrong', async () => {
        expect(await failure('select generate_array(1, @n)', { parameters: { n: '10001' } })).toBe('value');
      });

      it('ends at its time limit, and leaves the store as it was', async () => {
        expect(await failure(`select sum(a * b + c) as n from ${ENDLESS}`, { timeoutMs: 300 })).toBe('time');
        expect(await store.append('edge_logs', [logEntry()])).toMatchObject({ accepted: 1 });
      });

      it('ends at its memory limit, and leaves the store as it was', async () => {
        expect(
          await failure(`select array_agg(a * b + c) as l from ${ENDLESS}`, { timeoutMs: 200_000 }),
        ).toBe('memory');
        expect(await store.append('edge_logs', [logEntry()])).toMatchObject({ accepted: 1 });
      });

      it('ends when no caller waits any more', async () => {
        const abort = new AbortController();
        const endless = failure(`select sum(a * b + c) as n from ${ENDLESS}`, { signal: abort.signal });
        await run(store, 'select 1 as n');
        abort.abort();
        expect(await endless).toBe('cancelled');
        expect(await failure('select 1 as n', { signal: AbortSignal.abort() })).toBe('cancelled');
      });
    });

    describe('a source of one’s own', () => {
      /** The messages in it, of a project. */
      const messages = async (from: LogStore, source: LogSource, onlyProject: string) => {
        const stored = { text: `select event_message as m from \`${source}\` order by m`, sandboxed: false };
        const catalogue = await from.catalogue(onlyProject);
        const { query } = compile({ stored, consumer: null, onlyProject, catalogue });
        const { rows } = await from.run(query, {
          parameters: {},
          now: NOON,
          maxRows: 10,
          timeoutMs: 200_000,
        });
        return rows.map(({ m }) => m);
      };

      it('takes entries from when it was added, is kept over a restart, and is added once', async () => {
        expect(await store.sources()).toEqual(BUILT_IN_SOURCES);
        await expect(store.append('audit_logs', [logEntry()])).rejects.toThrow();
        await store.addSource('audit_logs');
        await store.addSource('zeta');
        await store.addSource('audit_logs');
        const names = [...BUILT_IN_SOURCES, 'audit_logs', 'zeta'];
        expect(await store.sources()).toEqual(names);
        const entry = logEntry({ id: ID, eventMessage: 'kept' });
        expect(await store.append('audit_logs', [entry])).toEqual({ accepted: 1, duplicates: 0 });
        const position = await store.position();
        const reopened = await reopen();
        expect(await reopened.sources()).toEqual(names);
        expect(await reopened.position()).toBe(position);
        expect(await reopened.append('audit_logs', [entry])).toEqual({ accepted: 0, duplicates: 1 });
        expect(await reopened.append('zeta', [entry])).toEqual({ accepted: 1, duplicates: 0 });
        expect(await reopened.counts()).toMatchObject({ audit_logs: 1, zeta: 1, edge_logs: 0 });
        expect(await messages(reopened, 'audit_logs', 'one')).toEqual(['kept']);
      });

      it('goes by the project column alone, and has a catalogue for each project', async () => {
        await store.addSource('audit_logs');
        await store.append('audit_logs', [
          logEntry({ project: 'one', eventMessage: 'of one', metadata: { project: 'two', ofOne: 1 } }),
          logEntry({ project: 'two', eventMessage: 'of two', metadata: { project_ref: 'one', ofTwo: 1 } }),
        ]);
        expect(await messages(store, 'audit_logs', 'one')).toEqual(['of one']);
        const fieldsOf = async (project: string | null) =>
          Object.keys((await store.catalogue(project)).sources.audit_logs?.fields ?? {}).sort();
        expect(await fieldsOf('one')).toEqual(['ofOne', 'project']);
        expect(await fieldsOf('two')).toEqual(['ofTwo', 'project_ref']);
        expect(await fieldsOf(null)).toEqual(['ofOne', 'ofTwo', 'project', 'project_ref']);
        expect(await fieldsOf('none')).toEqual([]);
        const whose = { projects: ['one'], others: false };
        expect(await store.removeBefore('audit_logs', NOON + 1, whose)).toBe(1);
        expect(await messages(store, 'audit_logs', 'two')).toEqual(['of two']);
        expect(await fieldsOf('one')).toEqual([]);
      });

      it('changes the version of every catalogue, so that no plan goes by the sources before', async () => {
        const before = await Promise.all(['one', null].map((whose) => store.catalogue(whose)));
        await store.addSource('audit_logs');
        for (const [at, whose] of ['one', null].entries())
          expect((await store.catalogue(whose)).version).not.toBe(before[at]?.version);
      });

      it.each(['pg_tables', 'sqlite_master', 'duckdb_settings', 'order', 'constructor', 'x'.repeat(63)])(
        'may be named %s, which the engine knows as something else',
        async (source) => {
          await store.addSource(source);
          await store.append(source, [logEntry({ eventMessage: 'mine', metadata: { a: 1 } })]);
          const reopened = await reopen();
          expect(await messages(reopened, source, 'one')).toEqual(['mine']);
          expect(await reopened.removeBefore(source, NOON + 1)).toBe(1);
          await reopened.readAll(200_000);
        },
      );
    });

    describe('the catalogue', () => {
      it('has the known fields from the start, and the same version until fields are new', async () => {
        const before = await store.catalogue('one');
        expect(before.sources.edge_logs.fields.request).toMatchObject({
          fields: { path: { kind: 'string' } },
        });
        await store.append('edge_logs', [
          logEntry({ metadata: { request: { path: '/', method: null }, none: [] } }),
        ]);
        expect(await store.catalogue('one')).toEqual(before);
      });

      it('learns fields, widens their types, and keeps them over a restart', async () => {
        const before = await store.catalogue('one');
        await store.append('edge_logs', [
          logEntry({
            metadata: {
              size: 1,
              flag: true,
              mixed: 'a',
              torn: 1,
              late: { a: 1 },
              list: [{ a: 1 }],
              deep: { er: 'x' },
            },
          }),
          logEntry({
            metadata: {
              size: 1.5,
              mixed: { b: 1 },
              torn: 'x',
              late: [1],
              list: [{ c: 's' }, { a: 0.5 }],
              __proto__x: 1,
            },
          }),
        ]);
        const { version, sources } = await store.catalogue('one');
        expect(version).not.toBe(before.version);
        expect(sources.edge_logs.fields).toMatchObject({
          size: { kind: 'number' },
          flag: { kind: 'boolean' },
          mixed: { kind: 'record', fields: { b: { kind: 'integer' } } },
          torn: { kind: 'json' },
          late: { kind: 'record', fields: { a: { kind: 'integer' } }, arrays: true },
          list: {
            kind: 'array',
            items: { kind: 'record', fields: { a: { kind: 'number' }, c: { kind: 'string' } } },
          },
          deep: { kind: 'record', fields: { er: { kind: 'string' } } },
        });
        expect(sources.auth_logs.fields.size).toBeUndefined();
        const reopened = await reopen();
        expect((await reopened.catalogue('one')).sources).toEqual(sources);
        expect((await reopened.catalogue(null)).sources).toEqual(sources);
      });
    });

    describe('the catalogue of a project', () => {
      it('has nothing of another, and that of all has both', async () => {
        await store.append('edge_logs', [
          logEntry({ project: 'one', metadata: { x: 1, ofOne: true } }),
          logEntry({ project: 'two', metadata: { x: 'text', ofTwo: 'a' } }),
          logEntry({ project: null, metadata: { ofNone: 1 } }),
          logEntry({ project: '*', metadata: { ofStar: 1 } }),
        ]);
        await store.append('function_logs', [
          logEntry({ project: 'two', metadata: { project_ref: 'one', deep: { er: 1 } } }),
        ]);
        const [one, two, all] = await Promise.all(
          ['one', 'two', null].map((whose) => store.catalogue(whose)),
        );
        const own = (fields: object | undefined) =>
          Object.keys(fields ?? {}).filter((name) => name === 'x' || name.startsWith('of'));
        expect(own(one?.sources.edge_logs.fields)).toEqual(['x', 'ofOne']);
        expect(own(two?.sources.edge_logs.fields)).toEqual(['x', 'ofTwo']);
        expect(one?.sources.edge_logs.fields.x).toEqual({ kind: 'integer' });
        expect(two?.sources.edge_logs.fields.x).toEqual({ kind: 'string' });
        expect(all?.sources.edge_logs.fields.x).toEqual({ kind: 'json' });
        expect(own(all?.sources.edge_logs.fields).sort()).toEqual([
          'ofNone',
          'ofOne',
          'ofStar',
          'ofTwo',
          'x',
        ]);
        expect(one?.sources.function_logs.fields.deep).toBeDefined();
        expect(two?.sources.function_logs.fields.deep).toBeUndefined();
        expect(await store.catalogue('none')).toMatchObject({
          ofAll: false,
          sources: PLATFORM_CATALOGUE.sources,
        });
      });

      it('tells which fields one project alone has, of any number of projects', async () => {
        const place = (...path: (string | null)[]) => ({ source: 'edge_logs', path }) as const;
        const [above, below, inList] = [
          place('path'),
          place('in', 'path'),
          place('list', null, 'a/b~c"'),
        ] as const;
        const ofOthers = Array.from({ length: 400 }, (_, at) =>
          logEntry({ project: `p${at}`, metadata: at % 2 === 0 ? { path: 'x' } : { in: { path: 'x' } } }),
        );
        const ofNone = logEntry({ project: null, metadata: { path: 'x', in: { path: 'x' } } });
        await store.append('edge_logs', [...ofOthers, ofNone]);
        expect(await store.projectWith([[above], [below]], 2)).toBeNull();
        expect(await store.projectWith([[above], [inList]], 1)).toEqual([0]);
        expect(await store.projectWith([[inList]], 1)).toBeNull();
        await store.append('edge_logs', [
          logEntry({ project: 'last', metadata: { in: { path: 'x' }, list: [1, { 'a/b~c"': 1 }] } }),
        ]);
        expect(await store.projectWith([[above], [below], [inList]], 2)).toEqual([1, 2]);
        await store.append('function_logs', [logEntry({ metadata: { project_ref: 'p0', deep: { er: 1 } } })]);
        const elsewhere = { source: 'function_logs', path: ['deep', 'er'] } as const;
        expect(await store.projectWith([[inList, elsewhere], [above]], 2)).toEqual([0, 1]);
      });

      it('is bounded, and leaves out names that no query can say', async () => {
        const many = (prefix: string) =>
          Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`${prefix}${at}`, at]));
        await store.append('edge_logs', [logEntry({ project: 'one', metadata: many('a') })]);
        await store.append('edge_logs', [
          logEntry({ project: 'one', metadata: { ['b'.repeat(300_000)]: 1, ...many('c') } }),
          logEntry({ project: 'two', metadata: { 'a\0b': 1, in: { '\0': 1 }, ['b'.repeat(300_000)]: 1 } }),
          logEntry({ project: 'three', metadata: { late: 1 } }),
        ]);
        const fieldsOf = async (project: string) =>
          Object.keys((await store.catalogue(project)).sources.edge_logs.fields);
        expect((await fieldsOf('one')).length).toBe(1_000);
        expect(await fieldsOf('two')).toEqual(Object.keys(knownFieldsOf('edge_logs').fields));
        expect(await fieldsOf('three')).toContain('late');
      });
    });

    it('removes what is older, exclusive of the moment itself', async () => {
      await store.append(
        'edge_logs',
        logEntries(10, (index) => ({ timestamp: NOON + index })),
      );
      await store.append('auth_logs', logEntries(1));
      expect(await store.removeBefore('edge_logs', NOON + 4)).toBe(4);
      expect(await store.counts()).toMatchObject({ edge_logs: 6, auth_logs: 1 });
      const { rows } = await run(store, 'select min(timestamp) as t from edge_logs');
      expect(rows).toEqual([{ t: '2026-03-01T12:00:00.000004Z' }]);
    });

    it.each([
      ['edge_logs', (project: string | null) => ({ project })],
      ['function_logs', (project: string | null) => ({ metadata: { project_ref: project } })],
      ['storage_logs', (project: string | null) => ({ metadata: { project: project ?? 7 } })],
    ] as const)('removes old entries of some projects in %s, or of all but these', async (source, of) => {
      const projects = ['p', 'p', 'q', "it's", null];
      const left = async () => {
        const { rows } = await run(store, `select event_message from ${source} order by event_message`);
        return rows.map(({ event_message }) => event_message);
      };
      await store.append(
        source,
        logEntries(5, (index) => ({
          timestamp: NOON + index,
          eventMessage: String(index),
          ...of(projects[index] ?? null),
        })),
      );
      const one = { projects: ['p', "it's"], others: false };
      expect(await store.removeBefore(source, NOON + 1, one)).toBe(1);
      expect(await store.removeBefore(source, NOON + 9, { projects: ['nope'], others: false })).toBe(0);
      expect(await left()).toEqual(['1', '2', '3', '4']);
      expect(await store.removeBefore(source, NOON + 9, { projects: ['p', "it's"], others: true })).toBe(2);
      expect(await left()).toEqual(['1', '3']);
      expect(await store.removeBefore(source, NOON + 9, one)).toBe(2);
    });

    it('finishes what is under way when it closes, then refuses', async () => {
      const appended = store.append('edge_logs', logEntries(1_000));
      await store.close();
      expect(await appended).toEqual({ accepted: 1_000, duplicates: 0 });
      await expect(store.append('edge_logs', [logEntry()])).rejects.toBeInstanceOf(LogStoreUnavailableError);
      await expect(run(store, 'select 1 as n')).rejects.toBeInstanceOf(LogStoreUnavailableError);
      const reopened = await reopen();
      expect(await total(reopened, 'edge_logs')).toBe(1_000);
    });
  });
};
