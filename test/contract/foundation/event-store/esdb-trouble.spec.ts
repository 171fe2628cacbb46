/**
 * The event store on EventStoreDB in trouble: a server that is away, not ready, silent, not the leader, that answers late,
 * twice or never, and subscriptions that are dropped, repeated or mute. Only the test server does that on request.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openEventStore } from '../../../../src/app/stores/open-event-store.js';
import { SubscriptionCall } from '../../../../src/engines/eventstoredb/subscription-call.js';
import { hasAnonymousAccess } from '../../../../src/foundation/event-store/anonymous-access.js';
import {
  type EventStore,
  EventStoreUnavailableError,
  NO_STREAM,
} from '../../../../src/foundation/event-store/event-store.js';
import { collect, ids, newEvent, newEvents, Subscriber } from '../../../support/events.js';
import { EsdbTestCluster } from '../../../support/eventstoredb/cluster.js';
import { startEsdbTestServer, type TestServerEngine } from '../../../support/eventstoredb/engine.js';
import { CERTIFICATE, type EsdbTestServer } from '../../../support/eventstoredb/test-server.js';
import { gate } from '../../../support/gate.js';
import { until } from '../../../support/until.js';

const STREAM = 'podium/stream';
const FILTER = { streamPrefix: 'podium/' };
/** For a server that does not answer. Every machine answers in this time where it is meant to. */
const IMPATIENT = '&defaultDeadline=1000';
/** Until a server is away for long: calls are not made again any more, and a client by itself would come back late. */
const LONG_MS = 11_000;

let engine: TestServerEngine;
let server: EsdbTestServer;
let opened: EventStore[];

beforeEach(async () => {
  engine = await startEsdbTestServer();
  server = engine.server;
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close();
  await engine.stop();
});

/** `parameters`: more of the URL. */
const open = async (parameters = '', url = engine.url): Promise<EventStore> => {
  const store = await openEventStore(`${url}${parameters}`);
  opened.push(store);
  return store;
};

const isSo = (condition: () => boolean): Promise<boolean> => until(async () => condition(), Boolean);

const unavailable = (reason: RegExp) =>
  expect.objectContaining({
    name: EventStoreUnavailableError.name,
    message: expect.stringMatching(reason),
  });

describe('an append', () => {
  it('that is malformed is refused before the server sees it, which would answer it twice', async () => {
    const store = await open();
    const before = server.behaviour.counts.appends;
    await expect(store.append(STREAM, NO_STREAM, [{ ...newEvent(), id: 'x' }])).rejects.toThrow(TypeError);
    await expect(store.append(STREAM, NO_STREAM, [{ ...newEvent(), type: '' }])).rejects.toThrow(TypeError);
    await expect(store.append(STREAM, NO_STREAM, [{ ...newEvent(), data: { n: 1n } }])).rejects.toThrow(
      TypeError,
    );
    expect(server.behaviour.counts.appends).toBe(before);
  });

  it('that is answered a second time, late, does no harm', async () => {
    const store = await open();
    server.behaviour.answersTwice = true;
    server.behaviour.writeTimeoutMs = 20;
    await store.append(STREAM, NO_STREAM, newEvents(1));
    await isSo(() => server.behaviour.counts.secondAnswers > 0);
    // Its own answer comes behind the second one on the same call.
    expect(await store.append(STREAM, 0, newEvents(1))).toMatchObject({ ok: true, revision: 1 });
  });

  it('of one connection survives the end of the appends of another', async () => {
    const other = await startEsdbTestServer();
    try {
      const [store, failing] = [await open(), await open('', other.url)];
      const held = gate();
      server.behaviour.beforeAppend = () => held.opened;
      other.server.behaviour.losesAnswer = () => true;
      const underWay = store.append(STREAM, NO_STREAM, newEvents(1));
      const lost = failing.append(STREAM, NO_STREAM, newEvents(1));
      await isSo(() => other.server.behaviour.counts.appends > 1 && server.behaviour.counts.appends > 1);
      await other.server.network.goAway();
      await expect(lost).rejects.toThrow(EventStoreUnavailableError);
      held.open();
      expect(await underWay).toMatchObject({ ok: true, revision: 0, duplicate: false });
    } finally {
      await other.stop();
    }
  });

  it('of the same event, while the first is under way here, is sent after it and not dropped', async () => {
    const store = await open();
    const held = gate();
    server.behaviour.beforeAppend = () => held.opened;
    const events = newEvents(2);
    const both = [store.append(STREAM, NO_STREAM, events), store.append(STREAM, NO_STREAM, events)];
    await isSo(() => server.behaviour.counts.appends === 2);
    held.open();
    const [first, second] = await Promise.all(both);
    expect(second).toEqual({ ...first, duplicate: true });
    // The store's id, the first and the second: none was dropped and made again.
    expect(server.behaviour.counts.appends).toBe(3);
  });

  it('of the same event, while another process appends it, is dropped by the server and made again', async () => {
    const [store, other] = [await open(), await open()];
    server.behaviour.writeTimeoutMs = 100;
    const held = gate();
    server.behaviour.beforeAppend = () => held.opened;
    const events = newEvents(2);
    const first = store.append(STREAM, NO_STREAM, events);
    await isSo(() => server.behaviour.counts.appends === 2);
    const second = other.append(STREAM, NO_STREAM, events);
    await isSo(() => server.behaviour.counts.appends >= 4);
    held.open();
    expect(await first).toMatchObject({ ok: true, revision: 1 });
    expect(await second).toMatchObject({ ok: true, revision: 1 });
    expect(await store.readStream(STREAM)).toHaveLength(2);
  });

  it('that the server never answers is given up after the time of the URL and made again with the same ids', async () => {
    const store = await open(IMPATIENT);
    let lost = 0;
    server.behaviour.losesAnswer = () => {
      lost += 1;
      return lost === 1;
    };
    const events = newEvents(2);
    expect(await store.append(STREAM, NO_STREAM, events)).toMatchObject({ ok: true, revision: 1 });
    expect(lost).toBeGreaterThanOrEqual(2);
    expect(ids((await store.readStream(STREAM)) ?? [])).toEqual(ids(events));
  });

  it('that is never answered at all is an outcome that is not known, and the same ids can be sent later', async () => {
    const store = await open(IMPATIENT);
    server.behaviour.losesAnswer = () => true;
    const events = newEvents(2);
    await expect(store.append(STREAM, NO_STREAM, events)).rejects.toEqual(
      unavailable(/did not answer in time/),
    );
    server.behaviour.losesAnswer = () => false;
    expect(await store.append(STREAM, NO_STREAM, events)).toMatchObject({ ok: true, revision: 1 });
    expect(await store.readStream(STREAM)).toHaveLength(2);
  });

  it('that is much too large is refused before it ends the call of all others', async () => {
    const store = await open();
    const held = gate();
    server.behaviour.beforeAppend = () => held.opened;
    const underWay = store.append(STREAM, NO_STREAM, newEvents(1));
    const tooLarge = newEvent('Large', { text: 'x'.repeat(20 * 1024 * 1024) });
    await expect(store.append(STREAM, NO_STREAM, [tooLarge])).rejects.toThrow(RangeError);
    held.open();
    expect(await underWay).toMatchObject({ ok: true, revision: 0 });
    expect(server.behaviour.counts.batchCalls).toBe(1);
  });

  it('is refused where the server is too old to take batches', async () => {
    server.behaviour.offersBatches = false;
    await expect(open()).rejects.toThrow('older than 22.10');
  });

  it('shares one call with all others, each with its own fate', async () => {
    const store = await open();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        store.append(`${STREAM}/${index % 50}`, NO_STREAM, newEvents(1)),
      ),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(50);
    expect(server.behaviour.counts.batchCalls).toBe(1);
  });
});

describe('a server that is away', () => {
  it.each(['not ready', 'unavailable', 'no leader', 'leader without address'] as const)(
    '(%s) fails commands, and everything goes on with the same store when it is back',
    async (trouble) => {
      const store = await open();
      server.behaviour.trouble = trouble;
      const events = newEvents(1);
      await expect(store.append(STREAM, NO_STREAM, events)).rejects.toThrow(EventStoreUnavailableError);
      server.behaviour.trouble = 'none';
      expect(await store.append(STREAM, NO_STREAM, events)).toMatchObject({ ok: true, revision: 0 });
      expect(await store.readStream(STREAM)).toHaveLength(1);
    },
  );

  it('(leader without address) ends no process, and no read is taken for complete', async () => {
    const store = await open();
    await store.append(STREAM, NO_STREAM, newEvents(3));
    server.behaviour.trouble = 'leader without address';
    const reading = store.readStream(STREAM);
    await isSo(() => server.behaviour.counts.refused > 0);
    server.behaviour.trouble = 'none';
    expect(await reading).toHaveLength(3);
  });

  it('for a moment is not noticed by those who append and read', async () => {
    const store = await open();
    await store.append(STREAM, NO_STREAM, newEvents(1));
    await server.network.goAway();
    const appending = store.append(STREAM, 0, newEvents(1));
    const reading = store.readStream(STREAM);
    await server.network.comeBack();
    expect(await appending).toMatchObject({ ok: true, revision: 1 });
    expect((await reading)?.length).toBeGreaterThan(0);
  });

  it('for long fails each call at once, and is found again soon after it is back', async () => {
    const store = await open();
    await store.append(STREAM, NO_STREAM, newEvents(1));
    await server.network.goAway();
    await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
    const begun = performance.now();
    const took: number[] = [];
    while (performance.now() - begun < LONG_MS) {
      const asked = performance.now();
      await expect(store.append(STREAM, 0, newEvents(1))).rejects.toThrow(EventStoreUnavailableError);
      took.push(performance.now() - asked);
    }
    // One or the other may have met a busy moment of the machine; a call that is made again takes as long each time.
    const median = took.sort((a, b) => a - b)[Math.floor(took.length / 2)];
    expect(median).toBeLessThan(2_000);
    await server.network.comeBack();
    const back = performance.now();
    await until(
      () => store.head().catch(() => null),
      (head) => head !== null,
    );
    expect(performance.now() - back).toBeLessThan(5_000);
  });

  it.each<[string, (store: EventStore) => Promise<unknown>]>([
    ['a read of a stream', (store) => store.readStream(STREAM)],
    ['a look for the end', (store) => store.head()],
    ['an append', (store) => store.append(STREAM, NO_STREAM, newEvents(1))],
  ])('and takes everything but answers nothing ends %s in the time of the URL', async (_name, call) => {
    const store = await open(IMPATIENT);
    server.network.stall();
    await expect(call(store)).rejects.toThrow(EventStoreUnavailableError);
    server.network.resume();
    expect(await store.readStream(STREAM)).not.toBeUndefined();
  });

  it('behind a connection that went dead without a word is reached over a new one', async () => {
    const store = await open(IMPATIENT);
    await store.append(STREAM, NO_STREAM, newEvents(1));
    server.network.stallConnections();
    expect(await store.append(STREAM, 0, newEvents(1))).toMatchObject({ ok: true, revision: 1 });
    server.network.stallConnections();
    expect(await store.readStream(STREAM)).toHaveLength(2);
  });

  it('tells subscribers, who go on from their position', async () => {
    const store = await open();
    await store.append(STREAM, NO_STREAM, newEvents(5));
    const { signal } = new AbortController();
    const subscriber = new Subscriber(store.subscribe({ after: 0, filter: FILTER, signal }));
    await subscriber.untilCaughtUp();
    const failing = subscriber.untilEnd();
    await server.network.goAway();
    await expect(failing).rejects.toThrow(EventStoreUnavailableError);
    await server.network.comeBack();
    await store.append(STREAM, 4, newEvents(2));
    const after = subscriber.batches.at(-1)?.position ?? 0;
    const again = new Subscriber(store.subscribe({ after, filter: FILTER, signal }));
    await again.until(({ events }) => events.length === 2);
  });
});

describe('closing', () => {
  it('fails a read in flight: the client takes its own cancellation for the end of the stream', async () => {
    const store = await open();
    await store.append(STREAM, NO_STREAM, [...newEvents(100), newEvent('Last')]);
    server.network.stallOn('Last');
    const { reads } = server.behaviour.counts;
    const reading = store.readStream(STREAM);
    const failing = expect(reading).rejects.toThrow(EventStoreUnavailableError);
    await isSo(() => server.behaviour.counts.reads > reads);
    await store.close();
    await failing;
  });

  it('closes the socket, which the client leaves open', async () => {
    let sockets = 0;
    const proxy = createServer((near) => {
      sockets += 1;
      const far = connect(server.port, '127.0.0.1').on('error', () => near.destroy());
      near.on('close', () => {
        sockets -= 1;
        far.destroy();
      });
      near.on('error', () => undefined);
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = Object(proxy.address());
    const store = await open('', `esdb://127.0.0.1:${port}?tls=false`);
    expect(sockets).toBeGreaterThan(0);
    await store.close();
    await isSo(() => sockets === 0);
    proxy.close();
  });
});

describe('opening', () => {
  it('waits until the server takes appends, though its port answers before that', async () => {
    server.behaviour.trouble = 'not ready';
    const opening = open();
    await isSo(() => server.behaviour.counts.refused > 2);
    server.behaviour.trouble = 'none';
    expect((await opening).storeId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('by many at once gives them all one store id, and writes it once', async () => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => open()));
    expect(new Set(stores.map(({ storeId }) => storeId)).size).toBe(1);
    expect(await server.records.lastRevision('podium-event-store')).toBe(0);
    for (const store of stores) expect(await collect(store.readAll())).toEqual([]);
  });

  it('read-only refuses appends', async () => {
    const store = await openEventStore(engine.url, { readOnly: true });
    opened.push(store);
    await expect(store.append(STREAM, NO_STREAM, newEvents(1))).rejects.toThrow('read-only');
  });

  it('speaks TLS to a server whose authority the URL names, with credentials that no error shows', async () => {
    const secure = await startEsdbTestServer({ tls: true });
    try {
      secure.server.behaviour.credentials = 'ad@min:s:cr/t';
      const at = secure.url.replace('esdb://', 'esdb://ad%40min:s%3Acr%2Ft@');
      const store = await open(`&tlsCAFile=${encodeURIComponent(CERTIFICATE)}`, at);
      expect(await store.append(STREAM, NO_STREAM, newEvents(1))).toMatchObject({ ok: true });
      if (!hasAnonymousAccess(store)) throw new Error('it has users');
      const head = await store.head();
      expect(await store.anonymousActs()).toEqual([]);
      secure.server.behaviour.credentials = null;
      expect(await store.anonymousActs()).toEqual(['read', 'append']);
      expect(await store.head()).toBe(head);
      secure.server.behaviour.credentials = 'ad@min:s:cr/t';
      const wrong = at.replace('s%3Acr', 'wrong-secret');
      const refused = openEventStore(`${wrong}&tlsCAFile=${encodeURIComponent(CERTIFICATE)}`);
      await expect(refused).rejects.toEqual(unavailable(/denies access/));
      await expect(refused).rejects.not.toEqual(unavailable(/wrong-secret/));
    } finally {
      await secure.stop();
    }
  });
});

describe('a leader that is another node', () => {
  let leader: EsdbTestServer;
  beforeEach(async () => {
    leader = await server.startSibling();
  });
  afterEach(() => leader.stop());

  const at = (node: EsdbTestServer) => ({ host: '127.0.0.1', port: node.port });

  it('is followed by appends under way and by those after, none lost and none twice', async () => {
    const store = await open();
    await store.append(STREAM, NO_STREAM, newEvents(1));
    server.behaviour.trouble = at(leader);
    const before = leader.behaviour.counts.appends;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.append(`${STREAM}/${index}`, NO_STREAM, newEvents(1))),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(leader.behaviour.counts.appends - before).toBeGreaterThanOrEqual(20);
    expect(await collect(store.readAll({ filter: FILTER }))).toHaveLength(21);
  });

  it.each(['', '&nodePreference=follower'])(
    'alone answers reads, also with %p in the URL',
    async (preference) => {
      server.behaviour.members = [
        { ...at(server), leads: false },
        { ...at(leader), leads: true },
      ];
      const url = preference ? engine.url.replace('esdb://', 'esdb+discover://') : engine.url;
      const store = await open(preference, url);
      await store.append(STREAM, NO_STREAM, newEvents(1));
      server.behaviour.trouble = at(leader);
      const [before, led] = [server.behaviour.counts.reads, leader.behaviour.counts.reads];
      expect(await store.readStream(STREAM)).toHaveLength(1);
      expect(await store.readStream('unknown')).toBeNull();
      expect(await store.head()).toBeGreaterThan(0);
      expect(await collect(store.readAll({ filter: FILTER }))).toHaveLength(1);
      expect(server.behaviour.counts.reads).toBe(before);
      expect(leader.behaviour.counts.reads).toBeGreaterThan(led);
    },
  );

  it('is found by gossip where the URL says so', async () => {
    for (const node of [server, leader]) {
      node.behaviour.members = [
        { ...at(server), leads: false },
        { ...at(leader), leads: true },
      ];
    }
    const url = engine.url.replace('esdb://', 'esdb+discover://');
    const store = await open('', url);
    await store.append(STREAM, NO_STREAM, newEvents(1));
    expect(server.behaviour.counts.appends).toBe(0);
    expect(leader.behaviour.counts.appends).toBeGreaterThan(0);
  });
});

describe('a leader that stands still', () => {
  const ELECTION_MS = 5_000;
  const MOST_MS = 8_000;
  let cluster: EsdbTestCluster;
  beforeEach(async () => {
    cluster = await EsdbTestCluster.start();
  });
  afterEach(() => cluster.stop());

  it('delays the appends and reads under way by 8 s at most, and each event is there once', async () => {
    const store = await open('', cluster.url);
    const before = await store.append(STREAM, NO_STREAM, newEvents(1));
    const begun = performance.now();
    const electing = cluster.pauseLeader(ELECTION_MS);
    const timed = async (call: Promise<unknown>): Promise<number> => {
      await call;
      return performance.now() - begun;
    };
    const events = newEvents(3);
    const [appended, ...times] = await Promise.all([
      store.append(STREAM, 0, events),
      ...Array.from({ length: 10 }, (_, index) =>
        timed(store.append(`${STREAM}/${index}`, NO_STREAM, newEvents(1))),
      ),
      timed(store.readStream(STREAM)),
    ]);
    await electing;
    expect(before.ok && appended.ok).toBe(true);
    expect(Math.max(...times)).toBeLessThan(MOST_MS);
    expect(ids((await store.readStream(STREAM, { from: 1 })) ?? [])).toEqual(ids(events));
    expect(await collect(store.readAll({ filter: FILTER }))).toHaveLength(14);
  });
});

describe('a subscription', () => {
  it.each([false, true])(
    'says that it has caught up, whether the server does (%s) or the end was looked for',
    async (saysCaughtUp) => {
      server.behaviour.saysCaughtUp = saysCaughtUp;
      const store = await open();
      await store.append(STREAM, NO_STREAM, newEvents(100));
      await server.records.addSystemRecords(10);
      const stop = new AbortController();
      const subscriber = new Subscriber(store.subscribe({ after: 0, filter: FILTER, signal: stop.signal }));
      await subscriber.untilCaughtUp();
      expect(subscriber.events).toHaveLength(100);
      const head = await store.head();
      await subscriber.until(({ batches }) => (batches.at(-1)?.position ?? 0) >= head);
      stop.abort();
    },
  );

  it('gives no position behind which something is still to come, however slow its reader', async () => {
    const store = await open();
    const all = [];
    for (let index = 0; index < 300; index += 1) {
      all.push(newEvent(index % 3 === 0 ? 'Wanted' : 'Unwanted'));
    }
    for (let start = 0; start < 300; start += 50) {
      await store.append(STREAM, start === 0 ? NO_STREAM : start - 1, all.slice(start, start + 50));
    }
    const wanted = await collect(store.readAll({ filter: { types: ['Wanted'] } }));
    const { signal } = new AbortController();
    const filter = { types: ['Wanted'] };
    const subscriber = new Subscriber(store.subscribe({ after: 0, filter, batchSize: 7, signal }));
    let before = 0;
    while (subscriber.events.length < 100) {
      const batch = await subscriber.next();
      const position = batch?.position ?? 0;
      expect(position).toBeGreaterThan(before);
      before = position;
      const due = wanted.filter((event) => event.position <= position);
      expect(ids(subscriber.events)).toEqual(ids(due));
      // Everything the server has to say is here long before the next batch is asked for.
      await store.head();
    }
  });

  it('fills its batches on the way to the end, where the server sends one event after the other', async () => {
    server.behaviour.beforeDelivery = () => new Promise((resolve) => setTimeout(resolve, 1));
    const waitOf = SubscriptionCall.prototype.wait;
    // For as long as it takes: how fast the machine is says nothing here.
    const patient = jest.spyOn(SubscriptionCall.prototype, 'wait').mockImplementation(function (
      this: SubscriptionCall,
      ms,
      signal,
      items,
    ) {
      return waitOf.call(this, items === undefined ? ms : 60_000, signal, items);
    });
    const store = await open();
    const events = newEvents(100);
    await store.append(STREAM, NO_STREAM, events);
    const stop = new AbortController();
    const options = { after: 0, filter: FILTER, batchSize: 20, signal: stop.signal };
    const subscriber = new Subscriber(store.subscribe(options));
    await subscriber.until(({ batches }) => batches.length === 4);
    stop.abort();
    patient.mockRestore();
    // The server's own progress is among what fills a batch.
    for (const batch of subscriber.batches) expect(batch.events.length).toBeGreaterThan(15);
  });

  it('that the server dropped because its reader was slow reads pages from where it was, and subscribes near the end', async () => {
    const store = await open();
    const stop = new AbortController();
    const options = { after: 0, filter: FILTER, batchSize: 5, signal: stop.signal };
    const subscriber = new Subscriber(store.subscribe(options));
    await subscriber.untilCaughtUp();
    const { counts } = server.behaviour;
    const events = Array.from({ length: 150 }, () => newEvent('Large', { text: 'x'.repeat(20_000) }));
    for (const [index, event] of events.entries()) {
      await store.append(STREAM, index === 0 ? NO_STREAM : index - 1, [event]);
    }
    await isSo(() => counts.dropped > 0);
    const before = counts.subscriptions;
    await subscriber.until((so) => so.events.length >= 140);
    expect(counts.subscriptions).toBe(before);
    await subscriber.until((so) => so.events.length >= 150);
    const last = newEvent();
    const reading = subscriber.until((so) => so.events.length >= 151);
    await store.append(STREAM, 149, [last]);
    await reading;
    stop.abort();
    expect(ids(subscriber.events)).toEqual(ids([...events, last]));
    expect([counts.subscriptions, counts.dropped]).toEqual([before + 1, 1]);
  });

  it('delivers once what the server delivers three times, and late', async () => {
    server.behaviour.deliveries = 3;
    server.behaviour.beforeDelivery = () => new Promise((resolve) => setTimeout(resolve, 5));
    const store = await open();
    const events = newEvents(40);
    await store.append(STREAM, NO_STREAM, events.slice(0, 20));
    const stop = new AbortController();
    const subscriber = new Subscriber(store.subscribe({ after: 0, filter: FILTER, signal: stop.signal }));
    await subscriber.untilCaughtUp();
    await store.append(STREAM, 19, events.slice(20));
    await subscriber.until((so) => so.events.length >= 40);
    const head = await store.head();
    await subscriber.until(({ batches }) => (batches.at(-1)?.position ?? 0) >= head);
    stop.abort();
    expect(ids(subscriber.events)).toEqual(ids(events));
  });

  it('that is silent about an event that is there does not stay so', async () => {
    const store = await open(IMPATIENT);
    const { signal } = new AbortController();
    const subscriber = new Subscriber(store.subscribe({ after: 0, filter: FILTER, signal }));
    await subscriber.untilCaughtUp();
    const failing = subscriber.untilEnd();
    server.behaviour.mutesSubscriptions = true;
    await store.append(STREAM, NO_STREAM, newEvents(1));
    await expect(failing).rejects.toEqual(unavailable(/silent/));
  });

  it('from inside a record says that there is no such position', async () => {
    const store = await open();
    await store.append(STREAM, NO_STREAM, newEvents(3));
    const after = (await store.head()) - 1;
    const { signal } = new AbortController();
    const subscriber = new Subscriber(store.subscribe({ after, filter: FILTER, signal }));
    await expect(subscriber.untilEnd()).rejects.toEqual(unavailable(new RegExp(`at ${after}`)));
  });
});
