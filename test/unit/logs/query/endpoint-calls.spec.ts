/** Calls of endpoints on a log store whose answers the test arranges: what is run, when, for whom, and what is made anew. */

import { describe, expect, it } from '@jest/globals';
import { LogQueryFailedError } from '../../../../src/foundation/log-store/log-store.js';
import type {
  CachedReply,
  CachedRequest,
  LogResultCache,
  Refresher,
} from '../../../../src/logs/cache/result-cache.js';
import {
  CreateEndpoint,
  EditEndpoint,
  RemoveEndpoint,
} from '../../../../src/logs/endpoints/endpoint.commands.js';
import { EndpointNames } from '../../../../src/logs/endpoints/endpoint-names.js';
import { withDefaults } from '../../../../src/logs/endpoints/endpoint-reader.js';
import { StoredQueries } from '../../../../src/logs/endpoints/stored-queries.js';
import type { EndpointCall } from '../../../../src/logs/query/endpoint-call.js';
import { EndpointCalls } from '../../../../src/logs/query/endpoint-calls.js';
import { QueryCompiler } from '../../../../src/logs/query/query-compiler.js';
import { QueryRuns } from '../../../../src/logs/query/query-runs.js';
import { MAX_CONCURRENT, RunningQueries } from '../../../../src/logs/query/running-queries.js';
import { ScanAmounts } from '../../../../src/logs/query/scan-amounts.js';
import { SavedFilters } from '../../../../src/logs/saved-filters/saved-filters.js';
import { CONTEXT } from '../../../support/contest-world.js';
import { type MemoryCore, openMemoryCore } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';

const core = openForEach(openMemoryCore);

const QUERY = 'select event_message from edge_logs where project = @project';
const make = async (change: object = {}) => {
  const config = withDefaults({ name: 'e', query: QUERY, sandboxing: false, ...change });
  return (await core().execute(new CreateEndpoint(config, CONTEXT))).endpoint;
};
const call = (more: Partial<EndpointCall> = {}) =>
  core()
    .get(EndpointCalls, { strict: false })
    .answer({
      holder: { tokenId: 't', scopes: ['query'], project: null },
      endpoint: 'e',
      given: { project: 'p' },
      redact: false,
      ...more,
    });
const bodyOf = async (more: Partial<EndpointCall> = {}) =>
  JSON.parse((await call(more)).reply.body.toString());

describe('a call', () => {
  it('runs the stored query with the declared parameters, and no others', async () => {
    await make({ maxRows: 7 });
    await bodyOf({ given: { project: 'p', other: 'x', toString: 'y' } });
    expect(core().logs.asked).toMatchObject([{ options: { parameters: { project: 'p' }, maxRows: 7 } }]);
    expect(Object.keys(core().logs.asked[0]?.options.parameters ?? {})).toEqual(['project']);
  });

  it('binds what a JSON body holds as text, and what is missing as NULL', async () => {
    await make({ query: 'select @a as a, @b as b, @c as c from edge_logs' });
    await bodyOf({ given: { a: 5, b: true } });
    expect(core().logs.asked[0]?.options.parameters).toEqual({ a: '5', b: 'true', c: null });
  });

  it('runs at one moment, which it tells the store', async () => {
    await make();
    const before = Date.now() * 1_000;
    await bodyOf();
    const { now = 0 } = core().logs.asked[0]?.options ?? {};
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now() * 1_000);
  });

  it('filters beneath the query for a token that is tied to a project', async () => {
    await make();
    await bodyOf({ holder: { tokenId: 't', scopes: ['query'], project: "o'neil" } });
    const tree = JSON.stringify(core().logs.asked[0]?.query.tree);
    expect(tree).toContain('"kind":"source","source":"edge_logs","project":"o\'neil"');
    expect(tree).not.toContain('"project":null');
  });
});

describe('a kept result', () => {
  const kept = { cachingSeconds: 600, cacheWarmingSeconds: 100 };

  it('is made once for all calls at the same time, and again for a token that may not see it', async () => {
    await make(kept);
    core().logs.answer = async () => [{ event_message: String(core().logs.asked.length) }];
    const bodies = await Promise.all([bodyOf(), bodyOf(), bodyOf(), bodyOf()]);
    expect(new Set(bodies.map((body) => JSON.stringify(body)))).toEqual(
      new Set(['{"result":[{"event_message":"1"}]}']),
    );
    const tied = { holder: { tokenId: 't', scopes: ['query'] as const, project: 'p' } };
    expect(await bodyOf(tied)).toEqual({ result: [{ event_message: '2' }] });
    expect(await bodyOf({ redact: true })).toEqual({ result: [{ event_message: '3' }] });
    expect(await bodyOf({ given: { project: 'q' } })).toEqual({ result: [{ event_message: '4' }] });
    const ofProject = { holder: { tokenId: 'u', scopes: ['query'] as const, project: 'p' } };
    expect(await bodyOf(ofProject)).toEqual({ result: [{ event_message: '2' }] });
    // Another token that is not tied is another tenant.
    const other = { holder: { tokenId: 'u', scopes: ['query'] as const, project: null } };
    expect(await bodyOf(other)).toEqual({ result: [{ event_message: '5' }] });
    expect(await bodyOf()).toEqual({ result: [{ event_message: '1' }] });
  });

  it('is not kept when it could not be made', async () => {
    await make(kept);
    core().logs.answer = async () => {
      throw new Error('the store is away');
    };
    await expect(call()).rejects.toThrow('the store is away');
    core().logs.answer = async () => [];
    expect(await bodyOf()).toEqual({ result: [] });
  });

  it('is made anew as it was asked for, until the endpoint is another', async () => {
    const refresh = refresherOf(core());
    const { id } = await make(kept);
    const request: CachedRequest = {
      tenant: 'project p',
      endpointId: id,
      endpointVersion: 1,
      reads: [],
      parameters: { project: 'p' },
      consumer: { language: 'lql', text: 'f:edge_logs' },
      redact: true,
      onlyProject: 'p',
    };
    core().logs.answer = async () => [{ event_message: 'from 203.0.113.9' }];
    // LQL needs a table of the stored query; this one defines none.
    await expect(refresh(request)).rejects.toThrow(/expected/);
    const stored = { ...request, consumer: null };
    expect(await refresh(stored)).toEqual({
      body: '{"result":[{"event_message":"from REDACTED"}]}',
      truncated: false,
    } satisfies CachedReply);
    await refresh({ ...stored, tenant: 'token t', onlyProject: null });
    expect(core().logs.asked.map(({ options }) => options.tenant)).toEqual(['project p', 'token t']);
    await core().execute(new EditEndpoint('e', { maxRows: 5 }, CONTEXT));
    expect(await refresh(stored)).toBeNull();
    expect(await refresh({ ...stored, endpointVersion: 2 })).not.toBeNull();
    await core().execute(new RemoveEndpoint('e', CONTEXT));
    expect(await refresh({ ...stored, endpointVersion: 2 })).toBeNull();
  });
});

describe('the cost of a call', () => {
  const counted = [{ scan: 0, entries: 3, bytes: 12.5 }];
  const isCount = (asked = core().logs.asked.at(-1)): boolean =>
    JSON.stringify(asked?.query.tree).includes('"name":"scan"');

  it('is counted after the query, at its moment, for its tenant and with its parameters', async () => {
    await make();
    core().logs.answer = async () => (isCount() ? counted : []);
    expect((await call({ cost: true })).read).toEqual({ entries: 3, bytes: 38 });
    const [ran, count] = core().logs.asked;
    expect([isCount(ran), isCount(count)]).toEqual([false, true]);
    const { maxRows, ...options } = ran?.options ?? {};
    expect(count?.options).toMatchObject({ ...options, signal: expect.anything() });
  });

  it('is not counted unless the call asks for it', async () => {
    await make();
    expect(await call()).not.toHaveProperty('read');
    expect(core().logs.asked).toHaveLength(1);
  });

  it('is nothing for a result that is cached', async () => {
    await make({ cachingSeconds: 600 });
    core().logs.answer = async () => (isCount() ? counted : []);
    expect((await call({ cost: true })).read).toEqual({ entries: 3, bytes: 38 });
    expect((await call({ cost: true })).read).toEqual({ entries: 0, bytes: 0 });
    expect(core().logs.asked).toHaveLength(2);
  });

  it('is missing when the count took too long, and the result is there', async () => {
    await make();
    core().logs.answer = async () => {
      if (isCount()) throw new LogQueryFailedError('time', 'the query took too long');
      return [{ event_message: 'a' }];
    };
    const answer = await call({ cost: true });
    expect(answer).not.toHaveProperty('read');
    expect(JSON.parse(answer.reply.body.toString())).toEqual({ result: [{ event_message: 'a' }] });
  });
});

describe('the turns of a token', () => {
  it('are so many at once, and each is free again when its work is done or has failed', async () => {
    const turns = new RunningQueries();
    const of = (tenant: string) => ({ tenant, endpoint: 'logs.all', consumer: null });
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const running = Array.from({ length: MAX_CONCURRENT }, () => turns.run(of('t'), work));
    await expect(turns.run(of('t'), work)).rejects.toThrow('16 queries under way');
    expect(ends).toHaveLength(MAX_CONCURRENT);
    expect(await turns.run(of('other'), async () => 'ran')).toBe('ran');
    ends.pop()?.();
    await running.pop();
    await expect(turns.run(of('t'), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await turns.run(of('t'), async () => 'ran')).toBe('ran');
    for (const end of ends) end();
    await Promise.all(running);
  });
});

/** What the query path has the cache make results anew with. */
const refresherOf = ({ get }: MemoryCore): Refresher => {
  const found: Refresher[] = [];
  const cache: LogResultCache = {
    serve: () => Promise.reject(new Error('nothing is served here')),
    peek: () => undefined,
    refreshWith: (refresher) => found.push(refresher),
  };
  const anywhere = { strict: false };
  new EndpointCalls(
    get(EndpointNames, anywhere),
    get(StoredQueries, anywhere),
    get(QueryRuns, anywhere),
    get(RunningQueries, anywhere),
    get(QueryCompiler, anywhere),
    get(ScanAmounts, anywhere),
    get(SavedFilters, anywhere),
    cache,
  ).onModuleInit();
  const [refresher] = found;
  if (!refresher) throw new Error('the cache was told of nothing');
  return refresher;
};
