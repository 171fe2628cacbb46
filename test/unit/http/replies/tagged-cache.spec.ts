/** Caches: made once, retired by their tags, never older than what was announced. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ByteCache, ReadyReply } from '../../../../src/http/replies/ready-reply.js';
import { TaggedCache } from '../../../../src/http/replies/tagged-cache.js';

const changed = (...tags: string[]) => new Map(tags.map((tag) => [tag, 0]));

const sized = (name: string, bytes = 10) => ({ name, bytes });
type Named = ReturnType<typeof sized>;
const bytesOf = ({ bytes }: Named) => bytes;

/** A value whose making ends when the test says so. */
const making = () => {
  let end: { resolve: (value: Named) => void; reject: (error: Error) => void } | null = null;
  const promise = new Promise<Named>((resolve, reject) => {
    end = { resolve, reject };
  });
  let times = 0;
  return {
    resolve: (value: Named) => end?.resolve(value),
    reject: (error: Error) => end?.reject(error),
    make: () => {
      times += 1;
      return promise;
    },
    times: () => times,
  };
};

describe('a cache of tagged values', () => {
  it('makes a value once for all who ask meanwhile', async () => {
    const cache = new TaggedCache<Named>(1_000, bytesOf);
    const one = making();
    const asked = [cache.getOrMake('k', ['t'], one.make), cache.getOrMake('k', ['t'], one.make)];
    one.resolve(sized('v'));
    await expect(Promise.all(asked)).resolves.toEqual([sized('v'), sized('v')]);
    expect(one.times()).toBe(1);
    expect(cache.get('k')).toEqual(sized('v'));
  });

  it('retires what carries a tag that changed, and keeps the rest as of the newest position', () => {
    const cache = new TaggedCache<Named>(1_000, bytesOf);
    cache.set('a', ['x', 'y'], sized('a'));
    cache.set('b', ['y'], sized('b'));
    cache.set('c', ['z'], sized('c'));
    cache.advance(7, changed('y', 'unknown'));
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, undefined, sized('c')]);
    expect(cache.position).toBe(7);
    cache.advance(8, changed('x'));
    expect(cache.entries).toBe(1);
    cache.advance(9, null);
    expect(cache.entries).toBe(0);
  });

  it('retires of the rankings that carry a tag those that reach its first change', () => {
    const cache = new TaggedCache<Named>(1_000, bytesOf, ({ name }) => Number(name));
    for (const reach of ['9', '10', '11']) cache.set(reach, ['t', 'u'], sized(reach));
    cache.advance(1, new Map([['t', 12]]));
    expect(cache.entries).toBe(3);
    cache.advance(2, new Map([['t', 10]]));
    expect(['9', '10', '11'].filter((key) => cache.get(key))).toEqual(['9']);
    cache.advance(3, changed('u'));
    expect(cache.entries).toBe(0);
  });

  it.each([
    ['a tag of it', changed('t')],
    ['anything', null],
  ])('does not keep what was being made while %s changed, nor give it to later readers', async (_, tags) => {
    const cache = new TaggedCache<Named>(1_000, bytesOf);
    const before = making();
    const after = making();
    const early = cache.getOrMake('k', ['t'], before.make);
    cache.advance(1, tags);
    const late = cache.getOrMake('k', ['t'], after.make);
    after.resolve(sized('new'));
    before.resolve(sized('old'));
    expect(await early).toEqual(sized('old'));
    expect(await late).toEqual(sized('new'));
    expect(cache.get('k')).toEqual(sized('new'));
  });

  it('keeps what was being made while something else changed', async () => {
    const cache = new TaggedCache<Named>(1_000, bytesOf);
    const one = making();
    const asked = cache.getOrMake('k', ['t'], one.make);
    cache.advance(1, changed('other'));
    one.resolve(sized('v'));
    await asked;
    expect(cache.get('k')).toEqual(sized('v'));
  });

  it('tells every caller of a failure and tries again', async () => {
    const cache = new TaggedCache<Named>(1_000, bytesOf);
    const one = making();
    const asked = [cache.getOrMake('k', [], one.make), cache.getOrMake('k', [], one.make)];
    one.reject(new Error('no'));
    for (const attempt of asked) await expect(attempt).rejects.toThrow('no');
    await expect(cache.getOrMake('k', [], async () => sized('v'))).resolves.toEqual(sized('v'));
  });

  it('stays within its budget, the longest unused going first', () => {
    const cache = new TaggedCache<Named>(30, bytesOf);
    for (const key of ['a', 'b', 'c']) cache.set(key, ['t'], sized(key));
    cache.get('a');
    cache.set('d', ['t'], sized('d'));
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key))).toEqual(['a', 'c', 'd']);
    cache.set('large', ['t'], sized('large', 31));
    expect(cache.get('large')).toBeUndefined();
    expect(cache.bytes).toBeLessThanOrEqual(30);
    cache.advance(1, changed('t'));
    expect(cache.entries).toBe(0);
  });
});

describe('a ready reply', () => {
  const body = Buffer.from(JSON.stringify(Array.from({ length: 300 }, (_, index) => ({ result: index }))));

  it('has a strong ETag for each coding, the same for the same bytes', async () => {
    const reply = new ReadyReply(body);
    const [gzip, br] = [await reply.encoded('gzip'), await reply.encoded('br')];
    expect(reply.etag).toMatch(/^"[\w-]{22}"$/);
    expect(new Set([reply.etag, gzip.etag, br.etag]).size).toBe(3);
    expect(new ReadyReply(Buffer.from(body)).etag).toBe(reply.etag);
    expect(gunzipSync(gzip.body)).toEqual(body);
    expect(brotliDecompressSync(br.body)).toEqual(body);
  });

  it('makes a coding when it is first asked for, and once', async () => {
    const reply = new ReadyReply(body);
    expect(reply.ready('gzip')).toBeUndefined();
    const [one, other] = await Promise.all([reply.encoded('gzip'), reply.encoded('gzip')]);
    expect(one).toBe(other);
    expect(reply.ready('gzip')).toBe(one);
    expect(reply.ready('identity')).toBe(reply);
  });

  it('leaves little alone', () => {
    const reply = new ReadyReply(Buffer.from('[]'));
    expect(reply.ready('br')).toBe(reply);
  });
});

describe('the byte cache', () => {
  it('answers at once what is ready, until it changes', async () => {
    const cache = new ByteCache();
    expect(cache.ready('k', 'identity')).toBeUndefined();
    const reply = await cache.getOrMake('k', ['t'], async () => new ReadyReply(Buffer.from('[]')));
    expect(cache.ready('k', 'identity')).toBe(reply);
    expect(cache.entries).toBe(1);
    cache.advance(3, changed('t'));
    expect(cache.ready('k', 'identity')).toBeUndefined();
    expect(cache.position).toBe(3);
  });
});
