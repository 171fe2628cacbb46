import { describe, expect, it } from '@jest/globals';
import {
  CreateEndpoint,
  EditEndpoint,
  RemoveEndpoint,
  SeedEndpoints,
} from '../../../../src/logs/endpoints/endpoint.commands.js';
import { endpointDecider } from '../../../../src/logs/endpoints/endpoint.decider.js';
import {
  type EndpointConfig,
  type EndpointEvent,
  type EndpointNameEvent,
  endpointStream,
} from '../../../../src/logs/endpoints/endpoint.events.js';
import { GetEndpoint, ListEndpoints } from '../../../../src/logs/endpoints/endpoint.queries.js';
import { endpointNameDecider } from '../../../../src/logs/endpoints/endpoint-name.decider.js';
import { API_COUNTS_ID, LOGS_ALL_ID } from '../../../../src/logs/endpoints/well-known.js';
import { IssueToken } from '../../../../src/logs/tokens/token.commands.js';
import { CONTEXT } from '../../../support/contest-world.js';
import { givenOf } from '../../../support/given-when-then.js';
import { openMemoryCores, outcomeOf } from '../../../support/memory-core.js';
import { openForEach } from '../../../support/open-for-each.js';

const config: EndpointConfig = {
  name: 'errors',
  description: null,
  queryLanguage: 'sql',
  query: 'select id from postgres_logs',
  maxRows: 100,
  cachingSeconds: 60,
  cacheWarmingSeconds: 20,
  sandboxing: true,
  redactPii: false,
};
const with_ = (change: Partial<EndpointConfig>): EndpointConfig => ({ ...config, ...change });

const given = givenOf(endpointDecider);
const created: EndpointEvent = { type: 'EndpointCreated', data: config };
const removed: EndpointEvent = { type: 'EndpointRemoved', data: {} };
const renamed: EndpointEvent = { type: 'EndpointChanged', data: with_({ name: 'faults' }) };
const yielded: EndpointEvent = { type: 'EndpointNameYielded', data: { name: 'faults' } };
const create = { type: 'CreateEndpoint', config } as const;
const seed = { type: 'SeedEndpoint', config } as const;
const rename = { type: 'ChangeEndpoint', config: with_({ name: 'faults' }), basedOn: 1 } as const;
const remove = { type: 'RemoveEndpoint' } as const;

describe('the life of a saved endpoint', () => {
  it('begins once', () => {
    given([]).when(create).then([created]);
    given([created]).when(create).thenRefused('already-exists');
    given([created, removed]).when(create).thenRefused('endpoint-changed');
  });
  it('that is there from the first start begins at most once, whatever became of it', () => {
    given([]).when(seed).then([created]);
    for (const before of [[created], [created, renamed], [created, removed]])
      given(before).when(seed).thenNothing();
  });
  it('goes on with a change as a whole, which may be no change', () => {
    given([created]).when(rename).then([renamed]);
    given([created, renamed]).when(rename).thenNothing();
    given([]).when(rename).thenRefused('endpoint-not-found');
    given([created, removed]).when(rename).thenRefused('endpoint-not-found');
  });
  it('takes no change that was prepared on what it no longer is', () => {
    const slower = { type: 'ChangeEndpoint', config: with_({ maxRows: 5 }), basedOn: 1 } as const;
    given([created, renamed]).when(slower).thenRefused('endpoint-changed');
    given([created, renamed])
      .when({ ...slower, basedOn: 2 })
      .then([{ type: 'EndpointChanged', data: with_({ maxRows: 5 }) }]);
  });
  it('ends for good', () => {
    given([created]).when(remove).then([removed]);
    given([created, removed]).when(remove).thenNothing();
    given([]).when(remove).thenRefused('endpoint-not-found');
  });
  it('yields a name that it does not bear, which voids what it had under way', () => {
    const yieldFaults = { type: 'YieldName', name: 'faults' } as const;
    given([created]).when(yieldFaults).then([yielded]);
    given([created, yielded]).when(rename).thenRefused('endpoint-changed');
    given([created, renamed]).when(yieldFaults).thenRefused('endpoint-name-taken');
    given([]).when(yieldFaults).then([removed]);
    given([removed]).when(create).thenRefused('endpoint-changed');
    given([created, removed]).when(yieldFaults).thenNothing();
  });
  it.each<[string, Partial<EndpointConfig>]>([
    ['name', { name: '' }],
    ['name', { name: 'a/b' }],
    ['name', { name: '.hidden' }],
    ['name', { name: LOGS_ALL_ID }],
    ['name', { name: LOGS_ALL_ID.toUpperCase() }],
    ['description', { description: ' ' }],
    ['query', { query: ' \n' }],
    ['query', { query: 'x'.repeat(65_537) }],
    ['maxRows', { maxRows: 0 }],
    ['maxRows', { maxRows: 1.5 }],
    ['maxRows', { maxRows: 10_001 }],
    ['cachingSeconds', { cachingSeconds: 0, cacheWarmingSeconds: null }],
    ['cacheWarmingSeconds', { cacheWarmingSeconds: 61 }],
    ['cacheWarmingSeconds', { cachingSeconds: null }],
  ])('is refused for a %s such as %j', (field, wrong) => {
    given([])
      .when({ type: 'CreateEndpoint', config: with_(wrong) })
      .thenRefused('invalid-request', field);
    given([created])
      .when({ type: 'ChangeEndpoint', config: with_(wrong), basedOn: 1 })
      .thenRefused('invalid-request', field);
  });
});

describe('the name of an endpoint', () => {
  const givenName = givenOf(endpointNameDecider);
  const claimed = (endpointId: string): EndpointNameEvent => ({
    type: 'EndpointNameClaimed',
    data: { endpointId },
  });
  const released: EndpointNameEvent = { type: 'EndpointNameReleased', data: { endpointId: 'e1' } };
  const claim = (endpointId: string, insteadOf: string | null = null) =>
    ({ type: 'ClaimName', endpointId, insteadOf }) as const;

  it('is one endpoint’s at a time', () => {
    givenName([])
      .when(claim('e1'))
      .then([claimed('e1')]);
    givenName([claimed('e1')])
      .when(claim('e1'))
      .thenNothing();
    givenName([claimed('e1')])
      .when(claim('e2'))
      .thenRefused('endpoint-name-taken');
    givenName([claimed('e1')])
      .when(claim('e2', 'e3'))
      .thenRefused('endpoint-name-taken');
    givenName([claimed('e1')])
      .when(claim('e2', 'e1'))
      .then([claimed('e2')]);
    givenName([claimed('e1'), released])
      .when(claim('e2'))
      .then([claimed('e2')]);
  });
  it('is released by the endpoint that has it', () => {
    const release = { type: 'ReleaseName', endpointId: 'e1' } as const;
    givenName([claimed('e1')])
      .when(release)
      .then([released]);
    givenName([claimed('e2')])
      .when(release)
      .thenNothing();
    givenName([]).when(release).thenNothing();
  });
});

describe('saved endpoints on the stores', () => {
  const core = openForEach(openMemoryCores);

  const make = async (change: Partial<EndpointConfig> = {}) =>
    (await core().execute(new CreateEndpoint(with_(change), CONTEXT))).endpoint;
  const failAppendTo = (kind: string): void => {
    core().store.beforeAppend = (stream) => {
      if (!stream.startsWith(`podium/${kind}/`)) return;
      core().store.beforeAppend = () => undefined;
      throw new Error('broken off');
    };
  };

  it('are found by id and by name, in every process', async () => {
    const { id, version } = await make();
    expect(version).toBe(1);
    for (const [process, idOrName] of [
      [core(), id],
      [core().peer, 'errors'],
      [core().peer, id.toUpperCase()],
    ] as const)
      expect(await process.query(new GetEndpoint(idOrName))).toEqual({ id, version: 1, ...config });
    for (const unknown of ['none', 'a/b', '', API_COUNTS_ID])
      expect(await outcomeOf(core().query(new GetEndpoint(unknown)))).toBe('endpoint-not-found');
  });

  it('have a name that no other has', async () => {
    await make();
    expect(await core().refusal(new CreateEndpoint(config, CONTEXT))).toMatchObject({
      code: 'endpoint-name-taken',
    });
    const { id } = await make({ name: 'faults' });
    expect(await core().refusal(new EditEndpoint(id, { name: 'errors' }, CONTEXT))).toMatchObject({
      code: 'endpoint-name-taken',
    });
  });

  it('are created once where many want the same name at once', async () => {
    const cores = [core(), core().peer, core(), core().peer, core(), core().peer];
    const outcomes = await Promise.all(
      cores.map((each) => outcomeOf(each.execute(new CreateEndpoint(config, CONTEXT)))),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    const { id } = await core().query(new GetEndpoint('errors'));
    expect(await core().peer.query(new GetEndpoint(id))).toMatchObject({ name: 'errors' });
  });

  it('keep their id with a new name, and the old name is free', async () => {
    const { id } = await make();
    const edit = new EditEndpoint('errors', { name: 'faults', maxRows: 7 }, CONTEXT);
    expect((await core().execute(edit)).endpoint).toMatchObject({
      id,
      name: 'faults',
      maxRows: 7,
      version: 2,
    });
    expect(await outcomeOf(core().query(new GetEndpoint('errors')))).toBe('endpoint-not-found');
    expect(await core().peer.query(new GetEndpoint('faults'))).toMatchObject({ id });
    expect((await make()).id).not.toBe(id);
  });

  it('leave name and id free of them when removed', async () => {
    const { id } = await make();
    await core().execute(new RemoveEndpoint('errors', CONTEXT));
    for (const idOrName of [id, 'errors'])
      expect(await outcomeOf(core().peer.query(new GetEndpoint(idOrName)))).toBe('endpoint-not-found');
    expect(await make()).toMatchObject({ name: 'errors', version: 1 });
  });

  it('do not lose a name to a creation or a rename that was broken off', async () => {
    failAppendTo('endpoint');
    await expect(make()).rejects.toThrow('broken off');
    const { id } = await make();
    failAppendTo('endpoint');
    await expect(core().execute(new EditEndpoint(id, { name: 'faults' }, CONTEXT))).rejects.toThrow(
      'broken off',
    );
    expect(await make({ name: 'faults' })).toMatchObject({ name: 'faults' });
    expect(await core().query(new GetEndpoint('errors'))).toMatchObject({ id });
  });

  it('free a name whose release was broken off', async () => {
    const { id } = await make();
    let nameAppends = 0;
    core().store.beforeAppend = (stream) => {
      if (stream.startsWith('podium/endpoint-name/') && ++nameAppends === 2) throw new Error('broken off');
    };
    await expect(core().execute(new EditEndpoint(id, { name: 'faults' }, CONTEXT))).rejects.toThrow(
      'broken off',
    );
    core().store.beforeAppend = () => undefined;
    expect(await outcomeOf(core().query(new GetEndpoint('errors')))).toBe('endpoint-not-found');
    expect(await core().query(new GetEndpoint('faults'))).toMatchObject({ id });
    expect((await make()).id).not.toBe(id);
  });

  it('are listed by name', async () => {
    await make();
    const { position } = await core().execute(new CreateEndpoint(with_({ name: 'all' }), CONTEXT));
    await core().shown(position);
    expect(await core().query(new ListEndpoints())).toMatchObject([
      { name: 'all' },
      { name: 'errors', version: 1 },
    ]);
    const { position: later } = await core().execute(new RemoveEndpoint('all', CONTEXT));
    await core().shown(later);
    expect(await core().query(new ListEndpoints())).toMatchObject([{ name: 'errors' }]);
  });

  it('keep a token of theirs through a rename', async () => {
    const { id } = await make();
    const request = { name: 'x', scopes: ['query:errors'], project: null };
    expect(await core().execute(new IssueToken(request, CONTEXT))).toMatchObject({ scopes: [`query:${id}`] });
    const unknown = new IssueToken({ ...request, scopes: ['query:none'] }, CONTEXT);
    expect(await core().refusal(unknown)).toMatchObject({ code: 'endpoint-not-found' });
  });

  it('are there from the first start, once, exactly as specified', async () => {
    await Promise.all(
      [core(), core().peer, core(), core().peer].map((each) => each.execute(new SeedEndpoints(CONTEXT))),
    );
    expect(await core().types((of) => of.of(endpointStream, LOGS_ALL_ID))).toEqual(['EndpointCreated']);
    expect(await core().types((of) => of.of(endpointStream, API_COUNTS_ID))).toEqual(['EndpointCreated']);
    expect(await core().query(new GetEndpoint('logs.all'))).toMatchObject({
      id: LOGS_ALL_ID,
      queryLanguage: 'sql',
      maxRows: 1_000,
      cachingSeconds: null,
      cacheWarmingSeconds: null,
      sandboxing: true,
      redactPii: false,
    });
    expect(await core().query(new GetEndpoint('usage.api-counts'))).toMatchObject({
      id: API_COUNTS_ID,
      queryLanguage: 'sql',
      maxRows: 1_000,
      cachingSeconds: 900,
      cacheWarmingSeconds: 300,
      sandboxing: true,
      redactPii: false,
    });
  });

  it('that are there from the first start stay as an operator left them', async () => {
    await core().execute(new SeedEndpoints(CONTEXT));
    await core().execute(new EditEndpoint('logs.all', { maxRows: 5 }, CONTEXT));
    await core().execute(new RemoveEndpoint('usage.api-counts', CONTEXT));
    await core().peer.execute(new SeedEndpoints(CONTEXT));
    expect(await core().peer.query(new GetEndpoint(LOGS_ALL_ID))).toMatchObject({ maxRows: 5, version: 2 });
    expect(await outcomeOf(core().peer.query(new GetEndpoint(API_COUNTS_ID)))).toBe('endpoint-not-found');
  });
});
