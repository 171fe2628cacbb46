/**
 * What every adapter of the ReadModelStore promises. `open` gives an empty database; further stores on it are other
 * processes. Nothing here knows how an adapter keeps its rows.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  Collection,
  Document,
  Generation,
  ProjectionSchema,
  ReadModelStore,
  ReadView,
  Scan,
  Write,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { promote, startGeneration } from '../../../support/generations.js';

export interface ReadModelStoreFixture {
  /** Another store on the same database. */
  open(): Promise<ReadModelStore>;
  close(): Promise<void>;
}

interface Row {
  readonly id: string;
  readonly list: string;
  readonly value: number | null;
  readonly date?: string | null;
  readonly more?: unknown;
}

const rows: Collection<Row> = {
  name: 'rows',
  indexes: { ranking: ['list', 'value', 'date'], byValue: ['value'], all: [] },
};
const others: Collection<Row> = { name: 'others', indexes: { byList: ['list'] } };
const schema: ProjectionSchema = { name: 'toy', version: 1, collections: [rows] };
const otherSchema: ProjectionSchema = { name: 'other', version: 1, collections: [others] };
const schemas = [schema, otherSchema];
const STORE = 'event-store-1';

const put = (document: Row, collection: Collection<Row> = rows): Write => ({
  kind: 'put',
  collection,
  document,
  at: 1,
});
const remove = (id: string): Write => ({ kind: 'remove', collection: rows, id, at: 1 });
const row = (id: string, list: string, value: number | null, date: string | null = '2020'): Row => ({
  id,
  list,
  value,
  date,
});
const ids = (documents: readonly Document[]): string => documents.map(({ id }) => id).join(' ');

export const readModelStoreContract = (
  adapter: string,
  openFixture: () => Promise<ReadModelStoreFixture>,
): void => {
  describe(`ReadModelStore on ${adapter}`, () => {
    let fixture: ReadModelStoreFixture;
    let store: ReadModelStore;

    beforeEach(async () => {
      fixture = await openFixture();
      store = await fixture.open();
      await store.prepare(schemas);
    });
    afterEach(() => fixture.close());

    /** A live generation with these documents, at position 1. */
    const live = async (documents: readonly Row[] = [], of = schema): Promise<Generation> => {
      const generation = await startGeneration(store, of, STORE);
      await store.commit([{ generation, from: 0, to: 1, writes: documents.map((one) => put(one)) }]);
      expect(await promote(store, { ...generation, position: 1 })).toBe('promoted');
      return { ...generation, position: 1 };
    };

    /** The effect of the one event behind `from`. */
    const commit = (generation: Generation, from: number, ...writes: readonly Write[]) =>
      store.commit([
        { generation, from, to: from + 1, writes: writes.map((write) => ({ ...write, at: from + 1 })) },
      ]);

    const get = (id: string): Promise<Row | null> => store.snapshot((view) => view.get(rows, id));
    const scan = (options: Scan<Row>): Promise<Row[]> => store.snapshot((view) => view.scan(rows, options));

    describe('reading', () => {
      it('answers nothing before there is anything', async () => {
        const seen = await store.snapshot(async (view) => [
          await view.position('toy'),
          await view.get(rows, 'a'),
          await view.getMany(rows, ['a', 'b']),
          await view.scan(rows, { index: 'byValue', equals: {} }),
          await view.count(rows, 'byValue', {}),
        ]);
        expect(seen).toEqual([0, null, [null, null], [], 0]);
        expect(await store.progress('toy')).toEqual({ live: null, building: null });
      });

      it('gives documents back as they were put', async () => {
        const document: Row = {
          id: 'ä/1',
          list: '0010',
          value: 999_999_999_999_999,
          date: '1.0',
          more: { deep: [1, 'ü', null, { a: true, b: -0.5 }] },
        };
        await live([document]);
        expect(await get('ä/1')).toEqual(document);
        expect(await scan({ index: 'ranking', equals: { list: '0010' } })).toEqual([document]);
        expect(await scan({ index: 'ranking', equals: { list: '10' } })).toEqual([]);
      });

      it('gives many in the order asked for', async () => {
        await live([row('a', 'l', 1), row('b', 'l', 2)]);
        const many = await store.snapshot((view) => view.getMany(rows, ['b', 'x', 'a', 'b']));
        expect(many.map((one) => one?.id ?? null)).toEqual(['b', null, 'a', 'b']);
      });

      it('replaces and removes', async () => {
        const generation = await live([row('a', 'l', 1), row('b', 'l', 2)]);
        await commit(generation, 1, put(row('a', 'm', 9)), remove('b'), remove('nobody'));
        expect(await get('a')).toEqual(row('a', 'm', 9));
        expect(await get('b')).toBeNull();
        expect(ids(await scan({ index: 'ranking', equals: { list: 'l' } }))).toBe('');
        expect(ids(await scan({ index: 'ranking', equals: { list: 'm' } }))).toBe('a');
      });

      it('applies the writes of a batch in order', async () => {
        const generation = await live();
        await commit(
          generation,
          1,
          put(row('a', 'l', 1)),
          remove('a'),
          put(row('a', 'l', 3)),
          put(row('b', 'l', 1)),
          remove('b'),
        );
        expect(ids(await scan({ index: 'byValue', equals: {} }))).toBe('a');
        expect((await get('a'))?.value).toBe(3);
      });
    });

    describe('an index', () => {
      const documents = [
        row('e', 'l', 10, '2021'),
        row('d', 'l', 10, '2020'),
        row('c', 'l', 9.5, '2022'),
        row('b', 'l', 10, '2020'),
        row('a', 'm', 1, '2020'),
        row('f', 'l', 100, '2020'),
      ];

      it('orders by its fields, then by id', async () => {
        await live(documents);
        expect(ids(await scan({ index: 'ranking', equals: { list: 'l' } }))).toBe('c b d e f');
        expect(ids(await scan({ index: 'ranking', equals: {} }))).toBe('c b d e f a');
        expect(ids(await scan({ index: 'ranking', equals: { list: 'l', value: 10 } }))).toBe('b d e');
        expect(ids(await scan({ index: 'all', equals: {} }))).toBe('a b c d e f');
      });

      it('is walked from its end', async () => {
        await live(documents);
        expect(ids(await scan({ index: 'ranking', equals: { list: 'l' }, descending: true }))).toBe(
          'f e d b c',
        );
      });

      it('is walked in pages, either way, without one missing or twice', async () => {
        await live(documents);
        for (const descending of [false, true]) {
          const whole = await scan({ index: 'ranking', equals: { list: 'l' }, descending });
          const walked: Row[] = [];
          for (;;) {
            const after = walked.at(-1);
            const page = await scan({
              index: 'ranking',
              equals: { list: 'l' },
              limit: 2,
              descending,
              ...(after && { after }),
            });
            if (page.length === 0) break;
            walked.push(...page);
          }
          expect(walked).toEqual(whole);
        }
        expect(await scan({ index: 'ranking', equals: {}, limit: 0 })).toEqual([]);
      });

      it('leaves out documents with a null or a missing field', async () => {
        await live([
          row('a', 'l', null),
          row('b', 'l', 2, null),
          { id: 'c', list: 'l', value: 3 },
          row('d', 'l', 4),
        ]);
        expect(ids(await scan({ index: 'ranking', equals: { list: 'l' } }))).toBe('d');
        expect(ids(await scan({ index: 'byValue', equals: {} }))).toBe('b c d');
        expect(ids(await scan({ index: 'byValue', equals: { value: null } }))).toBe('');
        expect(await store.snapshot((view) => view.count(rows, 'byValue', {}))).toBe(3);
        expect(await store.snapshot((view) => view.count(rows, 'ranking', { list: 'l' }))).toBe(1);
      });

      it('orders strings by their bytes', async () => {
        await live(['Z', 'a', 'é', 'e', 'ﬀ', '😀', '~'].map((id) => row(id, 'l', 1)));
        expect(ids(await scan({ index: 'ranking', equals: { list: 'l' } }))).toBe('Z a e ~ é ﬀ 😀');
      });

      it('takes only values of its leading fields', async () => {
        await live();
        await expect(scan({ index: 'ranking', equals: { value: 1 } })).rejects.toThrow('leading fields');
        await expect(scan({ index: 'nothing', equals: {} })).rejects.toThrow('no index nothing');
      });
    });

    describe('a commit', () => {
      it('lands rows and checkpoint together', async () => {
        const generation = await live();
        expect(await commit(generation, 1, put(row('a', 'l', 1)))).toBe('committed');
        expect((await store.progress('toy')).live).toEqual({ ...generation, position: 2 });
        expect(await store.snapshot((view) => view.position('toy'))).toBe(2);
      });

      it('of several generations lands whole or not at all', async () => {
        const toy = await live();
        const other = await live([], otherSchema);
        const both = (from: number, otherFrom: number) =>
          store.commit([
            { generation: toy, from, to: 5, writes: [put(row('a', 'l', 1))] },
            { generation: other, from: otherFrom, to: 5, writes: [put(row('b', 'l', 1), others)] },
          ]);
        expect(await both(1, 4)).toBe('superseded');
        expect(await get('a')).toBeNull();
        expect((await store.progress('toy')).live?.position).toBe(1);
        expect(await both(1, 1)).toBe('committed');
        expect(await store.snapshot((view) => view.get(others, 'b'))).toEqual(row('b', 'l', 1));
      });

      it('that says what was there before gives the same as one that does not', async () => {
        const generation = await live([row('a', 'l', 1), row('b', 'l', 2)]);
        const before = row('a', 'l', 1);
        const known = (document: Row, previous: Row | null): Write => ({
          kind: 'put',
          collection: rows,
          document,
          previous,
          at: 1,
        });
        await commit(generation, 1, known(row('a', 'l', 3), before), known(row('c', 'l', 0), null));
        expect(ids(await scan({ index: 'ranking', equals: { list: 'l' } }))).toBe('c b a');
        await commit(generation, 2, known({ ...row('a', 'l', 3), more: 1 }, row('a', 'l', 3)));
        expect(await get('a')).toEqual({ ...row('a', 'l', 3), more: 1 });
        await commit(generation, 3, known(row('a', 'l', null), row('a', 'l', 3)));
        expect(ids(await scan({ index: 'byValue', equals: {} }))).toBe('c b');
      });

      it('that another process was faster than changes nothing', async () => {
        const generation = await live();
        const second = await fixture.open();
        await second.prepare(schemas);
        expect(await commit(generation, 1, put(row('a', 'l', 1)))).toBe('committed');
        const late = { generation, from: 1, to: 2, writes: [put(row('a', 'l', 2))] };
        expect(await second.commit([late])).toBe('superseded');
        expect((await get('a'))?.value).toBe(1);
      });

      it('with a document that cannot be stored changes nothing', async () => {
        const generation = await live();
        const bad: Write = { kind: 'put', collection: rows, document: { id: 'b', ...{ value: {} } }, at: 1 };
        await expect(commit(generation, 1, put(row('a', 'l', 1)), bad)).rejects.toThrow('value');
        expect(await get('a')).toBeNull();
        expect((await store.progress('toy')).live?.position).toBe(1);
      });
    });

    describe('a snapshot', () => {
      it('sees one moment', async () => {
        const generation = await live([row('a', 'l', 1)]);
        await store.snapshot(async (view) => {
          expect((await view.get(rows, 'a'))?.value).toBe(1);
          await commit(generation, 1, put(row('a', 'l', 2)));
          expect((await view.get(rows, 'a'))?.value).toBe(1);
          expect(await view.position('toy')).toBe(1);
        });
        expect((await get('a'))?.value).toBe(2);
      });

      it('does not meet another that runs meanwhile', async () => {
        const generation = await live([row('a', 'l', 0)]);
        const views: number[] = [];
        const read = async (view: ReadView, hasBegun: () => void): Promise<void> => {
          const first = (await view.get(rows, 'a'))?.value ?? -1;
          hasBegun();
          for (let turn = 0; turn < 3; turn += 1) {
            await new Promise((resolve) => setImmediate(resolve));
            expect((await view.get(rows, 'a'))?.value).toBe(first);
          }
          views.push(first);
        };
        const reading: Promise<void>[] = [];
        for (let value = 1; value <= 20; value += 1) {
          await new Promise<void>((resolve) => {
            reading.push(store.snapshot((view) => read(view, resolve)));
          });
          await commit(generation, value, put(row('a', 'l', value)));
        }
        await Promise.all(reading);
        expect(views.sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
      });

      it('that fails does not harm the next', async () => {
        await live([row('a', 'l', 1)]);
        await expect(store.snapshot(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
        expect((await get('a'))?.value).toBe(1);
      });

      it('outlives the swap of what it reads', async () => {
        await live([row('a', 'l', 1)]);
        await store.snapshot(async (view) => {
          expect((await view.get(rows, 'a'))?.value).toBe(1);
          await live([row('a', 'l', 2), row('b', 'l', 2)]);
          expect((await view.get(rows, 'a'))?.value).toBe(1);
          expect(ids(await view.scan(rows, { index: 'byValue', equals: {} }))).toBe('a');
        });
        expect(ids(await scan({ index: 'byValue', equals: {} }))).toBe('a b');
      });

      it('refuses a collection that was not prepared', async () => {
        const unknown: Collection<Row> = { name: 'unknown', indexes: {} };
        await expect(store.snapshot((view) => view.get(unknown, 'a'))).rejects.toThrow('unknown');
      });
    });

    describe('a generation', () => {
      it('builds beside the live one, seen only by its projector', async () => {
        const old = await live([row('a', 'l', 1)]);
        const next = await startGeneration(store, { ...schema, version: 2 }, 'event-store-2');
        expect(next).toEqual({
          projection: 'toy',
          number: next.number,
          version: 2,
          storeId: 'event-store-2',
          position: 0,
        });
        await commit(next, 0, put(row('b', 'l', 2)));
        expect(await store.progress('toy')).toEqual({ live: old, building: { ...next, position: 1 } });
        expect(await get('b')).toBeNull();
        const built = await store.viewOf(next, async (view) => [
          await view.get(rows, 'a'),
          await view.get(rows, 'b'),
          await view.scan(rows, { index: 'ranking', equals: { list: 'l' } }),
          await view.position('toy'),
        ]);
        expect(built).toEqual([null, row('b', 'l', 2), [row('b', 'l', 2)], 1]);
      });

      it('becomes live at once, for other processes too', async () => {
        await live([row('a', 'l', 1)]);
        const second = await fixture.open();
        await second.prepare(schemas);
        expect(ids(await second.snapshot((view) => view.scan(rows, { index: 'byValue', equals: {} })))).toBe(
          'a',
        );
        const next = await live([row('b', 'l', 2)]);
        expect(ids(await second.snapshot((view) => view.scan(rows, { index: 'byValue', equals: {} })))).toBe(
          'b',
        );
        expect(await second.progress('toy')).toEqual({ live: next, building: null });
      });

      it('has its indexes before it is live, where they are asked for', async () => {
        const both = await store.startGenerations(schemas, STORE);
        const [generation] = both;
        if (!generation) throw new Error('no generation was begun');
        expect(await commit(generation, 0, put(row('a', 'l', 2)), put(row('b', 'l', 1)))).toBe('committed');
        await store.makeIndexes(both);
        await store.makeIndexes(both);
        expect(await commit(generation, 1, put(row('c', 'l', 0)))).toBe('committed');
        const seen = await store.viewOf(generation, (view) =>
          view.scan(rows, { index: 'ranking', equals: { list: 'l' } }),
        );
        expect(ids(seen)).toBe('c b a');
        expect(await store.promote(both)).toEqual(['promoted', 'promoted']);
        const ranked = { index: 'ranking', equals: { list: 'l' } };
        expect(ids(await store.snapshot((view) => view.scan(rows, ranked)))).toBe('c b a');
      });

      it('takes no more commits once it was replaced', async () => {
        const old = await live();
        await live();
        expect(await commit(old, 1, put(row('a', 'l', 1)))).toBe('superseded');
        expect(await get('a')).toBeNull();
      });

      it('that is begun discards the one that was building', async () => {
        const first = await startGeneration(store, schema, STORE);
        await commit(first, 0, put(row('a', 'l', 1)));
        const second = await startGeneration(store, schema, STORE);
        expect(second.number).not.toBe(first.number);
        expect(await commit(first, 1)).toBe('superseded');
        expect(await promote(store, first)).toBe('superseded');
        expect(await promote(store, second)).toBe('promoted');
        expect(await get('a')).toBeNull();
        expect(await promote(store, second)).toBe('superseded');
      });

      it('becomes live with others in one moment, unless it cannot', async () => {
        await live([row('a', 'l', 1)]);
        const ahead = await live([], otherSchema);
        await commit(ahead, 1);
        const both = await store.startGenerations(schemas, STORE);
        expect(both.map(({ projection, position }) => [projection, position])).toEqual([
          ['toy', 0],
          ['other', 0],
        ]);
        const batches = both.map((generation) => ({ generation, from: 0, to: 1, writes: [] }));
        await store.commit(batches);
        expect(await store.promote(both)).toEqual(['promoted', 'behind']);
        expect(await store.promote(both)).toEqual(['superseded', 'behind']);
        await store.commit(both.map((generation) => ({ generation, from: 1, to: 2, writes: [] })));
        expect(await store.promote(both)).toEqual(['superseded', 'promoted']);
        expect(await get('a')).toBeNull();
        const numbers = (await store.progressOf(['toy', 'other'])).map(({ live: one }) => one?.number);
        expect(numbers).toEqual(both.map(({ number }) => number));
      });

      it('is seen live only together with those that became live with it', async () => {
        await live([row('a', 'l', 1)]);
        await live([], otherSchema);
        const second = await fixture.open();
        await second.prepare(schemas);
        const both = await store.startGenerations(schemas, 'event-store-2');
        const counts = new Set<string>();
        const looks = async (): Promise<void> => {
          await second.snapshot(async (view) => {
            counts.add(`${await view.position('toy')} ${await view.position('other')}`);
          });
        };
        const [toy] = both;
        if (!toy) throw new Error('nothing was begun');
        await commit(toy, 0);
        await commit(toy, 1);
        const promotion = store.promote(both);
        let isOver = false;
        const over = promotion.finally(() => {
          isOver = true;
        });
        while (!isOver) await looks();
        expect(await over).toEqual(['promoted', 'promoted']);
        await looks();
        expect([...counts].filter((seen) => seen !== '1 1')).toEqual(['2 0']);
      });

      it('does not take readers back in time', async () => {
        const old = await live();
        await commit(old, 1);
        const next = await startGeneration(store, schema, STORE);
        await commit(next, 0);
        expect(await promote(store, next)).toBe('behind');
        await commit(next, 1);
        expect(await promote(store, next)).toBe('promoted');
        const further = await startGeneration(store, schema, STORE);
        expect(await promote(store, further, { allowBehind: true })).toBe('promoted');
        const elsewhere = await startGeneration(store, schema, 'event-store-2');
        expect(await promote(store, elsewhere)).toBe('promoted');
      });

      it('of older code gets the indexes and collections that newer code reads', async () => {
        await live([row('a', 'l', 1), row('b', 'm', null)]);
        const newer: Collection<Row> = {
          name: 'rows',
          indexes: { ...rows.indexes, byDate: ['date', 'list'] },
        };
        const added: Collection<Row> = { name: 'added', indexes: { byList: ['list'] } };
        const second = await fixture.open();
        await second.prepare([{ ...schema, version: 2, collections: [newer, added] }, otherSchema]);
        const found = await second.snapshot(async (view) => [
          ids(await view.scan(newer, { index: 'byDate', equals: { date: '2020' } })),
          ids(await view.scan(added, { index: 'byList', equals: {} })),
        ]);
        expect(found).toEqual(['a b', '']);
      });
    });

    describe('a lease', () => {
      it('has one holder, who renews it', async () => {
        const lease = await store.acquireLease({ name: 'projector', holder: 'elsewhere:1:a', ttlMs: 60_000 });
        expect(lease?.holder).toBe('elsewhere:1:a');
        expect(
          await store.acquireLease({ name: 'projector', holder: 'elsewhere:1:b', ttlMs: 60_000 }),
        ).toBeNull();
        expect(
          await store.acquireLease({ name: 'other', holder: 'elsewhere:1:b', ttlMs: 60_000 }),
        ).not.toBeNull();
        const renewed = await store.acquireLease({
          name: 'projector',
          holder: 'elsewhere:1:a',
          ttlMs: 120_000,
        });
        expect(renewed?.expiresAt).toBeGreaterThan(lease?.expiresAt ?? 0);
        expect((await store.leases()).map(({ name, holder }) => `${name} ${holder}`).sort()).toEqual([
          'other elsewhere:1:b',
          'projector elsewhere:1:a',
        ]);
      });

      it('carries what its holder says of itself, as last renewed', async () => {
        const request = { name: 'node', holder: 'elsewhere:1:a', ttlMs: 60_000 };
        expect((await store.acquireLease(request))?.detail).toBeNull();
        await store.acquireLease({ ...request, detail: 'first' });
        expect((await store.acquireLease({ ...request, detail: '{"at":"second"}' }))?.detail).toBe(
          '{"at":"second"}',
        );
        expect((await store.leases()).map(({ detail }) => detail)).toEqual(['{"at":"second"}']);
      });

      it('is free once released, by its holder only, or run out', async () => {
        await store.acquireLease({ name: 'projector', holder: 'elsewhere:1:a', ttlMs: 60_000 });
        await store.releaseLease('projector', 'elsewhere:1:b');
        expect(
          await store.acquireLease({ name: 'projector', holder: 'elsewhere:1:b', ttlMs: 60_000 }),
        ).toBeNull();
        await store.releaseLease('projector', 'elsewhere:1:a');
        expect(
          await store.acquireLease({ name: 'projector', holder: 'elsewhere:1:b', ttlMs: -1 }),
        ).not.toBeNull();
        expect(await store.leases()).toEqual([]);
        expect(
          await store.acquireLease({ name: 'projector', holder: 'elsewhere:1:c', ttlMs: 60_000 }),
        ).not.toBeNull();
      });

      it('that ran out is remembered, and one that was released is not', async () => {
        const lapsed = async () => (await store.lapsedLeases()).map(({ name, detail }) => [name, detail]);
        const hold = (name: string, ttlMs: number) =>
          store.acquireLease({ name, holder: 'elsewhere:1:a', ttlMs, detail: 'said last' });
        await hold('released', 60_000);
        await store.releaseLease('released', 'elsewhere:1:a');
        await hold('held', 60_000);
        await hold('ran out', -1);
        expect(await lapsed()).toEqual([['ran out', 'said last']]);
        expect((await store.leases()).map(({ name }) => name)).toEqual(['held']);
        await hold('ran out', 60_000);
        expect(await lapsed()).toEqual([]);
      });
    });

    it('keeps everything when it is closed and opened', async () => {
      const generation = await live([row('a', 'l', 1)]);
      await store.close();
      store = await fixture.open();
      await store.prepare(schemas);
      expect((await store.progress('toy')).live).toEqual(generation);
      expect(await get('a')).toEqual(row('a', 'l', 1));
    });
  });
};
