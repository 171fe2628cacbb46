/**
 * What every read-model store promises of the results that it keeps beside its projections. Stores opened on the same
 * database are other nodes.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CachedResult, CachedResults } from '../../../../src/foundation/read-models/cached-results.js';
import type { ReadModelStoreFixture } from './read-model-store.contract.js';

const MUCH = { entries: 1_000, bytes: 1_000_000 };
const ROOM = { total: MUCH, each: MUCH };

const result = (key: string, more: Partial<CachedResult> = {}): CachedResult => ({
  key,
  tenant: 'one',
  recipe: `recipe of ${key}`,
  body: '{"result":[]}',
  truncated: false,
  madeAt: 1_000,
  usedAt: 1_000,
  keepUntil: 10_000,
  warmAt: null,
  ...more,
});

export const cachedResultsContract = (
  adapter: string,
  openFixture: () => Promise<ReadModelStoreFixture>,
  { updatesAreAtomic = true }: { readonly updatesAreAtomic?: boolean } = {},
): void => {
  describe(`cached results on ${adapter}`, () => {
    let fixture: ReadModelStoreFixture;
    let results: CachedResults;
    let elsewhere: CachedResults;

    beforeEach(async () => {
      fixture = await openFixture();
      results = (await fixture.open()).resultCache;
      elsewhere = (await fixture.open()).resultCache;
    });
    afterEach(() => fixture.close());

    const keysLeft = async (...keys: readonly string[]): Promise<string> => {
      const found = await Promise.all(keys.map((key) => results.get(key)));
      return keys.filter((_, at) => found[at] !== null).join(' ');
    };

    it('are given back as they were put, on every node and after a restart', async () => {
      const whole = result('a', {
        body: '{"result":[{"text":"$ä😀\\u0000"}]}',
        recipe: '$not a path',
        truncated: true,
        warmAt: 4_000,
      });
      await results.put(whole);
      expect(await elsewhere.get('a')).toEqual(whole);
      expect(await results.get('b')).toBeNull();
      expect(await (await fixture.open()).resultCache.get('a')).toEqual(whole);
    });

    it('are replaced by what was made later only', async () => {
      await results.put(result('a', { madeAt: 2_000, body: 'new' }));
      await elsewhere.put(result('a', { madeAt: 1_999, body: 'old', usedAt: 9_000 }));
      expect((await results.get('a'))?.body).toBe('new');
      await elsewhere.put(result('a', { madeAt: 2_000, body: 'newer', usedAt: 500, keepUntil: 5_000 }));
      expect(await results.get('a')).toEqual(result('a', { madeAt: 2_000, body: 'newer' }));
    });

    it('are renewed where they are, and not where they are not', async () => {
      const renewed = { key: 'a', body: '$new', truncated: true, madeAt: 3_000, warmAt: 6_000 };
      await results.renew(renewed);
      expect(await results.get('a')).toBeNull();
      await results.put(result('a', { usedAt: 1_500, warmAt: 2_000 }));
      await results.renew(renewed);
      expect(await results.get('a')).toEqual({ ...result('a', { usedAt: 1_500 }), ...renewed });
      await results.renew({ ...renewed, madeAt: 2_999, body: 'late' });
      expect((await results.get('a'))?.body).toBe('$new');
    });

    it('remember their latest use', async () => {
      await results.put(result('a'));
      await results.put(result('b'));
      await results.touch([]);
      await results.touch([
        { key: 'a', usedAt: 2_000, keepUntil: 12_000 },
        { key: 'b', usedAt: 500, keepUntil: 9_000 },
        { key: 'nothing', usedAt: 500, keepUntil: 9_000 },
      ]);
      expect(await results.get('a')).toEqual(result('a', { usedAt: 2_000, keepUntil: 12_000 }));
      expect(await results.get('b')).toEqual(result('b'));
      expect(await results.get('nothing')).toBeNull();
    });

    it('are due from their time on as long as they are to be kept, the longest due first', async () => {
      await results.put(result('late', { warmAt: 3_001 }));
      await results.put(result('second', { warmAt: 3_000 }));
      await results.put(result('first', { warmAt: 2_000 }));
      await results.put(result('forgotten', { warmAt: 1_500, keepUntil: 3_000 }));
      await results.put(result('never'));
      const first = { key: 'first', recipe: 'recipe of first', warmAt: 2_000 };
      expect(await results.due('one', 3_000, 10)).toEqual([
        first,
        { key: 'second', recipe: 'recipe of second', warmAt: 3_000 },
      ]);
      expect(await results.due('one', 3_000, 1)).toEqual([first]);
      expect(await results.due('one', 1_499, 10)).toEqual([]);
      expect(await results.due('other', 3_000, 10)).toEqual([]);
    });

    it('are claimed by one node of all who saw them due, until the claim runs out', async () => {
      await results.put(result('a', { warmAt: 2_000 }));
      const [seen] = await results.due('one', 2_000, 1);
      const [seenElsewhere] = await elsewhere.due('one', 2_000, 1);
      if (!seen || !seenElsewhere) throw new Error('is not due');
      const claimElsewhere = () => elsewhere.claim(seenElsewhere, 4_500);
      const claims = updatesAreAtomic
        ? await Promise.all([results.claim(seen, 4_000), claimElsewhere()])
        : [await results.claim(seen, 4_000), await claimElsewhere()];
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await results.due('one', 3_999, 1)).toEqual([]);
      const again = await elsewhere.due('one', 4_500, 1);
      expect(again.map(({ key }) => key)).toEqual(['a']);
      expect(await results.claim({ key: 'gone', warmAt: 2_000 }, 9_000)).toBe(false);
    });

    it('are removed by key', async () => {
      await results.put(result('a'));
      await results.put(result('b'));
      await elsewhere.remove('a');
      await elsewhere.remove('nothing');
      expect(await keysLeft('a', 'b')).toBe('b');
    });

    it('are swept once no call wants them', async () => {
      await results.put(result('a', { keepUntil: 5_000 }));
      await results.put(result('b', { keepUntil: 5_001 }));
      expect(await results.sweep(4_999, ROOM)).toBe(0);
      expect(await results.sweep(5_000, ROOM)).toBe(1);
      expect(await keysLeft('a', 'b')).toBe('b');
    });

    it('are bounded in number: those used longest ago go', async () => {
      for (const [key, usedAt] of [
        ['a', 3_000],
        ['b', 1_000],
        ['c', 4_000],
        ['d', 2_000],
      ] as const) {
        await results.put(result(key, { usedAt }));
      }
      await results.touch([{ key: 'b', usedAt: 5_000, keepUntil: 10_000 }]);
      expect(await results.sweep(0, { ...ROOM, total: { ...MUCH, entries: 2 } })).toBe(2);
      expect(await keysLeft('a', 'b', 'c', 'd')).toBe('b c');
    });

    it('are bounded in bytes of UTF-8, recipes included, after renewal too', async () => {
      const sized = (key: string, usedAt: number) =>
        result(key, { usedAt, recipe: 'ää', body: 'x'.repeat(96) });
      await results.put(sized('a', 1_000));
      await results.put(sized('b', 2_000));
      expect(await results.sweep(0, { ...ROOM, total: { ...MUCH, bytes: 200 } })).toBe(0);
      await results.renew({ key: 'b', body: 'ä'.repeat(49), truncated: false, madeAt: 2_000, warmAt: null });
      expect(await results.sweep(0, { ...ROOM, each: { ...MUCH, bytes: 201 } })).toBe(1);
      expect(await keysLeft('a', 'b')).toBe('b');
    });

    it('of one tenant are bounded, and leave those of another alone', async () => {
      for (const [at, key] of ['a', 'b', 'c', 'd'].entries())
        await results.put(result(key, { tenant: 'evil', usedAt: 2_000 + at }));
      await results.put(result('mine', { tenant: 'victim', usedAt: 1_000 }));
      expect(await results.sweep(0, { ...ROOM, each: { ...MUCH, entries: 2 } })).toBe(2);
      expect(await keysLeft('a', 'b', 'c', 'd', 'mine')).toBe('c d mine');
    });

    it('of the tenant that has most give way when there are too many', async () => {
      const put = async (tenant: string, keys: string, usedAt: number) => {
        for (const key of keys) await results.put(result(key, { tenant, usedAt }));
      };
      await put('victim', 'ab', 1_000);
      await put('other', 'cdef', 2_000);
      await put('evil', 'ghijk', 3_000);
      expect(await results.sweep(0, { ...ROOM, total: { ...MUCH, entries: 8 } })).toBe(3);
      expect(await keysLeft('a', 'b')).toBe('a b');
      const left = (await keysLeft(...'cdefghijk')).split(' ');
      expect(left.filter((key) => 'cdef'.includes(key))).toHaveLength(3);
    });

    it('name the tenants that have results that are due', async () => {
      await results.put(result('a', { tenant: 'one', warmAt: 2_000 }));
      await results.put(result('b', { tenant: 'one', warmAt: 2_001 }));
      await results.put(result('c', { tenant: 'two', warmAt: 3_000 }));
      await results.put(result('d', { tenant: 'late', warmAt: 3_001 }));
      await results.put(result('e', { tenant: 'forgotten', warmAt: 2_000, keepUntil: 3_000 }));
      expect([...(await results.dueTenants(3_000))].sort()).toEqual(['one', 'two']);
    });
  });
};
