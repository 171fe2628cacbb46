/** The result cache under a clock of the test: what is served, made, warmed, shared and dropped, and when. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SqliteCachedResults } from '../../../../src/engines/sqlite/read-models/sqlite-cached-results.js';
import type { ResultBounds } from '../../../../src/foundation/read-models/cached-results.js';
import type { CachedReply, CachedRequest, CacheRule } from '../../../../src/logs/cache/result-cache.js';
import { resultKey } from '../../../../src/logs/cache/result-key.js';
import { SharedResultCache } from '../../../../src/logs/cache/shared-result-cache.js';
import { until } from '../../../support/until.js';

const RULE: CacheRule = { lifetimeSeconds: 900, warmSeconds: 300 };
const UNWARMED: CacheRule = { lifetimeSeconds: 60, warmSeconds: null };

const MUCH = { entries: 1_000, bytes: 1_000_000 };

const request = (more: Partial<CachedRequest> = {}): CachedRequest => ({
  tenant: 'project a',
  endpointId: '2f6b1c7e-0000-4000-8000-000000000001',
  endpointVersion: 1,
  reads: [],
  parameters: { project: 'a', interval: 'hourly' },
  consumer: null,
  redact: false,
  onlyProject: null,
  ...more,
});

let folder: string;
let seconds: number;
let stores: SqliteCachedResults[];
let errors: unknown[];
/** What was made, in order: by whom, and for which endpoint version. */
let made: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-result-cache-'));
  seconds = 1_000_000;
  stores = [];
  errors = [];
  made = [];
});

afterEach(async () => {
  for (const store of stores) store.close();
  await rm(folder, { recursive: true });
});

interface Node {
  readonly cache: SharedResultCache;
  readonly store: SqliteCachedResults;
  ask(asked?: CachedRequest, rule?: CacheRule): Promise<string>;
}

/** A node with its own memory on the file of all. Replies say who made them and when. */
const node = (
  name: string,
  options: { readonly bounds?: ResultBounds; readonly memoryBytes?: number } = {},
): Node => {
  const store = new SqliteCachedResults(join(folder, 'results'));
  stores.push(store);
  const cache = new SharedResultCache({
    results: store,
    now: () => seconds * 1_000,
    onError: (error) => errors.push(error),
    ...options,
  });
  const make = async (): Promise<CachedReply> => {
    made.push(name);
    return { body: `${name}@${seconds - 1_000_000}`, truncated: false };
  };
  return {
    cache,
    store,
    ask: async (asked = request(), rule = RULE) => {
      const { reply, ageSeconds } = await cache.serve(asked, rule, { make });
      return `${reply.body} ${ageSeconds}s`;
    },
  };
};

/** A node that warms. */
const warming = (name: string): Node => {
  const warm = node(name);
  warm.cache.refreshWith(async () => {
    made.push(`${name} warms`);
    return { body: `${name}@${seconds - 1_000_000}`, truncated: false };
  });
  return warm;
};

const pass = (passed: number): void => {
  seconds += passed;
};

describe('a cached result', () => {
  it('is served until its lifetime is over, with its age', async () => {
    const one = node('one');
    expect(await one.ask(request(), UNWARMED)).toBe('one@0 0s');
    pass(59.9);
    expect(await one.ask(request(), UNWARMED)).toBe('one@0 59s');
    pass(0.1);
    expect(await one.ask(request(), UNWARMED)).toBe('one@60 0s');
    expect(made).toEqual(['one', 'one']);
  });

  it('is not served from a later time, when the clock was set back: it would be for as long as that', async () => {
    const one = node('one');
    pass(3_600);
    expect(await one.ask(request(), UNWARMED)).toBe('one@3600 0s');
    // Two nodes may tell the time a little differently.
    pass(-0.5);
    expect(await one.ask(request(), UNWARMED)).toBe('one@3600 0s');
    pass(-3_599.5);
    expect(await one.ask(request(), UNWARMED)).toBe('one@0 0s');
    expect(await node('two').ask(request(), UNWARMED)).toBe('one@0 0s');
    expect(made).toEqual(['one', 'one']);
  });

  it('is as old as its beginning: what changed while it was made is not in it', async () => {
    const one = node('one');
    const make = async () => {
      pass(7);
      return { body: 'slow', truncated: true };
    };
    const slow = await one.cache.serve(request(), RULE, { make });
    expect(slow.ageSeconds).toBe(7);
    expect(slow.truncated).toBe(true);
    expect(slow.reply.body.toString()).toBe('slow');
  });

  it('is made once for all who ask meanwhile', async () => {
    const one = node('one');
    const replies = await Promise.all(Array.from({ length: 50 }, () => one.ask()));
    expect(new Set(replies)).toEqual(new Set(['one@0 0s']));
    expect(made).toEqual(['one']);
  });

  it('is not kept when making it failed, and all who waited are told', async () => {
    const one = node('one');
    const failing = () =>
      one.cache.serve(request(), RULE, { make: () => Promise.reject(new Error('no memory')) });
    const outcomes = await Promise.allSettled([failing(), failing()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(one.cache.peek(resultKey(request()))).toBeUndefined();
    expect(await one.ask()).toBe('one@0 0s');
  });

  it('is shared by nodes and kept by restarts', async () => {
    expect(await node('one').ask()).toBe('one@0 0s');
    pass(100);
    expect(await node('two').ask()).toBe('one@0 100s');
    expect(made).toEqual(['one']);
  });

  it('is held in memory, where it can be had at once', async () => {
    const one = node('one');
    const key = resultKey(request());
    expect(one.cache.peek(key)).toBeUndefined();
    await one.ask();
    one.store.close();
    pass(10);
    expect(one.cache.peek(key)?.reply.body.toString()).toBe('one@0');
    expect(one.cache.peek(key)?.ageSeconds).toBe(10);
    expect(await one.ask()).toBe('one@0 10s');
    expect(errors).toEqual([]);
  });

  it('costs the work and nothing else where the store is away', async () => {
    const one = node('one');
    one.store.close();
    expect(await one.ask()).toBe('one@0 0s');
    await one.cache.tick();
    expect(errors.map((error) => error instanceof Error && error.message)).toContain(
      'the cached results were closed',
    );
  });
});

describe('warming', () => {
  it('makes an entry anew before a call waits for it', async () => {
    const one = warming('one');
    await one.ask();
    for (let passed = 0; passed < 1_000; passed += 10) {
      await one.cache.tick();
      await one.ask();
      pass(10);
    }
    expect(made).toEqual(['one', ...Array(3).fill('one warms')]);
    expect(await one.ask()).toBe('one@900 100s');
  });

  it('ends when no call has asked within the lifetime, and the entry is dropped', async () => {
    const one = warming('one');
    await one.ask();
    pass(250);
    await one.ask();
    for (let passed = 0; passed < 3_000; passed += 10) {
      await one.cache.tick();
      pass(10);
    }
    // Asked last at 250: warmed at 300, 600 and 900, and no more from 1150 on.
    expect(made).toEqual(['one', 'one warms', 'one warms', 'one warms']);
    expect(await one.store.get(resultKey(request()))).toBeNull();
  });

  it('goes on with what is in use after a restart, from what the store remembers', async () => {
    const asked = request({
      consumer: { language: 'lql', text: 'm.level:error' },
      onlyProject: 'p',
      redact: true,
    });
    await node('one').ask(asked);
    pass(890);
    const two = node('two');
    const seen: CachedRequest[] = [];
    two.cache.refreshWith(async (again) => {
      seen.push(again);
      return { body: 'anew', truncated: false };
    });
    await two.cache.tick();
    expect(seen).toEqual([asked]);
    pass(200);
    expect(await two.ask(asked)).toBe('anew 200s');
  });

  it('is done by one of several nodes, and all of them serve it', async () => {
    const nodes = [warming('one'), warming('two'), warming('three')];
    for (const each of nodes) await each.ask();
    pass(300);
    await Promise.all(nodes.map(({ cache }) => cache.tick()));
    expect(made).toHaveLength(2);
    for (const each of nodes) expect(await each.ask()).toMatch(/@300 0s$/);
    expect(made).toHaveLength(2);
  });

  it('is taken over when the node that claimed it dies', async () => {
    const dying = node('dying');
    await dying.ask();
    pass(300);
    await new Promise<void>((claimed) => {
      dying.cache.refreshWith(() => {
        claimed();
        return new Promise(() => undefined);
      });
      void dying.cache.tick();
    });
    const heir = warming('heir');
    await heir.cache.tick();
    expect(made).toEqual(['dying']);
    pass(60);
    await heir.cache.tick();
    expect(made).toEqual(['dying', 'heir warms']);
  });

  it('that fails leaves the entry as it is, and is tried again', async () => {
    const one = node('one');
    await one.ask();
    let attempts = 0;
    one.cache.refreshWith(async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('busy');
      return { body: 'anew', truncated: false };
    });
    pass(300);
    await one.cache.tick();
    expect(await one.ask()).toBe('one@0 300s');
    pass(59);
    await one.cache.tick();
    expect(attempts).toBe(1);
    pass(1);
    await one.cache.tick();
    expect(await one.ask()).toBe('anew 0s');
    expect(errors).toHaveLength(1);
  });

  it('drops what cannot be had any more', async () => {
    const one = node('one');
    await one.ask();
    one.cache.refreshWith(async () => null);
    pass(300);
    await one.cache.tick();
    expect(one.cache.peek(resultKey(request()))).toBeUndefined();
    expect(await one.store.get(resultKey(request()))).toBeNull();
  });

  it('drops what another version of this code has kept', async () => {
    const one = warming('one');
    await one.store.put({
      key: 'old',
      tenant: '',
      recipe: '{"format":0}',
      body: '',
      truncated: false,
      madeAt: 0,
      usedAt: seconds * 1_000,
      keepUntil: seconds * 2_000,
      warmAt: 1,
    });
    await one.cache.tick();
    expect(await one.store.get('old')).toBeNull();
    expect(made).toEqual([]);
  });

  it('of a tenant whose queries are slow delays that of no other', async () => {
    const one = node('one');
    const slow = request({ tenant: 'project slow' });
    for (const at of ['1', '2', '3']) await one.ask({ ...slow, parameters: { at } });
    pass(1);
    await one.ask();
    pass(300);
    const refreshed: string[] = [];
    one.cache.refreshWith(async ({ tenant }) => {
      refreshed.push(tenant);
      return tenant === slow.tenant ? new Promise(() => undefined) : { body: 'anew', truncated: false };
    });
    void one.cache.tick();
    await until(
      async () => one.cache.peek(resultKey(request()))?.reply.body.toString(),
      (body) => body === 'anew',
    );
    expect(refreshed.filter((tenant) => tenant === slow.tenant)).toHaveLength(2);
  });

  it('is not done without a wish for it, nor by a process that only asks', async () => {
    const one = warming('one');
    await one.ask(request(), UNWARMED);
    const asking = node('asking');
    await asking.ask(request({ redact: true }));
    pass(400);
    await asking.cache.tick();
    expect(made).toEqual(['one', 'asking']);
    await one.cache.tick();
    expect(made).toEqual(['one', 'asking', 'one warms']);
  });

  it('counts what another node has made as soon as this one looks, within a second', async () => {
    const one = node('one');
    await one.ask();
    pass(300);
    expect(await one.ask()).toBe('one@0 300s');
    await warming('two').cache.tick();
    pass(0.9);
    expect(await one.ask()).toBe('one@0 300s');
    pass(0.1);
    expect(await one.ask()).toBe('two@300 1s');
  });
});

describe('the bounds', () => {
  it('of the store make room for what was used last', async () => {
    const one = node('one', { bounds: { total: MUCH, each: { ...MUCH, entries: 2 } } });
    one.cache.refreshWith(async () => null);
    for (const project of ['a', 'b', 'c']) {
      await one.ask(request({ onlyProject: project }));
      pass(1);
    }
    await one.ask(request({ onlyProject: 'a' }));
    await one.cache.tick();
    const kept = await Promise.all(
      ['a', 'b', 'c'].map((project) => one.store.get(resultKey(request({ onlyProject: project })))),
    );
    expect(kept.map((entry) => entry !== null)).toEqual([true, false, true]);
  });

  it('of the store are for each tenant: what one asks evicts nothing of another, on no node', async () => {
    const bounds = { total: { ...MUCH, entries: 6 }, each: { ...MUCH, entries: 3 } };
    const [one, two] = [node('one', { bounds, memoryBytes: 1 }), node('two', { bounds, memoryBytes: 1 })];
    one.cache.refreshWith(async () => null);
    const mine = request({ tenant: 'project mine' });
    await one.ask(mine, UNWARMED);
    for (let at = 0; at < 20; at++) {
      pass(1);
      await two.ask(request({ parameters: { at: String(at) } }), UNWARMED);
      await one.cache.tick();
    }
    expect(await one.ask(mine, UNWARMED)).toBe('one@0 20s');
    expect(await two.ask(mine, UNWARMED)).toBe('one@0 20s');
  });

  it('of memory leave the rest to the store', async () => {
    const one = node('one', { memoryBytes: 1_200 });
    const requests = ['a', 'b', 'c', 'd'].map((onlyProject) => request({ onlyProject }));
    for (const each of requests) await one.ask(each);
    const held = requests.filter((each) => one.cache.peek(resultKey(each)));
    expect(held).toEqual(requests.slice(2));
    for (const each of requests) expect(await one.ask(each)).toBe('one@0 0s');
    expect(made).toHaveLength(4);
  });

  it('leave out a result that is too large, which is served all the same', async () => {
    const one = node('one');
    const large = { body: 'x'.repeat(8 * 1024 * 1024 + 1), truncated: false };
    const served = await one.cache.serve(request(), RULE, { make: async () => large });
    expect(served.reply.body.length).toBe(large.body.length);
    expect(await one.store.get(resultKey(request()))).toBeNull();
    expect(one.cache.peek(resultKey(request()))).toBeUndefined();
  });

  it('are kept when a process ends: the last uses are told', async () => {
    const one = node('one');
    await one.ask();
    pass(500);
    one.cache.peek(resultKey(request()));
    await one.ask();
    await one.cache.close();
    expect((await one.store.get(resultKey(request())))?.usedAt).toBe(seconds * 1_000);
    expect((await one.store.get(resultKey(request())))?.keepUntil).toBe((seconds + 900) * 1_000);
  });
});

describe('the key of a result', () => {
  it('does not depend on the order of the parameters', () => {
    const turned = request({ parameters: { interval: 'hourly', project: 'a' } });
    expect(resultKey(turned)).toBe(resultKey(request()));
  });

  const others: readonly (readonly [string, Partial<CachedRequest>])[] = [
    ['endpoint', { endpointId: '2f6b1c7e-0000-4000-8000-000000000002' }],
    ['version', { endpointVersion: 2 }],
    ['parameter', { parameters: { project: 'b', interval: 'hourly' } }],
    ['missing parameter', { parameters: { project: 'a', interval: null } }],
    ['absent parameter', { parameters: { project: 'a' } }],
    ['parameter that looks like two', { parameters: { project: 'a","interval":"hourly' } }],
    ['sandbox query', { consumer: { language: 'sql', text: 'select 1' } }],
    ['language of the sandbox query', { consumer: { language: 'lql', text: 'select 1' } }],
    ['text of the sandbox query', { consumer: { language: 'sql', text: 'select  1' } }],
    ['redaction', { redact: true }],
    ['tenant', { tenant: 'token b' }],
    ['project of the token', { onlyProject: 'a' }],
    ['other project of the token', { onlyProject: 'b' }],
  ];

  it('is another for whatever makes another result', () => {
    const keys = [request(), ...others.map(([, more]) => request(more))].map(resultKey);
    expect(new Set(keys).size).toBe(others.length + 1);
  });

  it('is the same on every node and in every release', () => {
    expect(resultKey(request())).toBe('ZG39vSNlP0D_srp8nRfCJZviVkgAyiSGmm2upkRTjl4');
  });
});
