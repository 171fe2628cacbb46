/** The runtime of aggregates: turns, shared appends, lost races, failures, and what it keeps. */

import { beforeEach, describe, expect, it } from '@jest/globals';
import { spaceStream } from '../../../../src/competition/aggregates/space/space.events.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import {
  CommandContentionError,
  type CommandContext,
  type Outcome,
} from '../../../../src/foundation/aggregates/aggregate.js';
import { Aggregates } from '../../../../src/foundation/aggregates/aggregates.js';
import { AppendSize } from '../../../../src/foundation/event-store/append-checks.js';
import {
  EventStoreUnavailableError,
  type NewEvent,
  NO_STREAM,
} from '../../../../src/foundation/event-store/event-store.js';
import { Upcasters } from '../../../../src/foundation/event-store/upcasters.js';
import { newEvent } from '../../../support/events.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import {
  type Added,
  add,
  addedEvents,
  isSerial,
  type Sum,
  type SumCommand,
  sums,
} from '../../../support/sums.js';
import { turn } from '../../../support/turn.js';

const NAMES = new StreamNames();
const STREAM = NAMES.of(spaceStream, 's');
const CONTEXT: CommandContext = { actor: 'device', keyId: 'k', correlationId: 'c' };

let store: MemoryEventStore;
let aggregates: Aggregates;
beforeEach(() => {
  store = new MemoryEventStore();
  store.spacing = 5;
  aggregates = new Aggregates({ store, names: NAMES });
});

const execute = (command: SumCommand | (() => Promise<SumCommand>)): Promise<Outcome<Sum, Added>> =>
  aggregates.execute(sums, 's', command, CONTEXT);

const sumInLog = (): number =>
  store.log.reduce((sum, { data }) => sum + ('amount' in data ? Number(data.amount) : 0), 0);

/** Another process adds an amount, having seen the stream as it is. */
const rivalAdds = (amount: number): void => {
  const [event] = addedEvents([amount], sumInLog());
  if (event) store.write(STREAM, [newEvent(event.type, event.data)]);
};

/** Does something before the next append reaches the store, or instead of it by throwing. */
const beforeNextAppend = (act: (events: readonly NewEvent[]) => void): void => {
  store.beforeAppend = (_stream, events) => {
    store.beforeAppend = () => undefined;
    act(events);
  };
};

/** Holds the next append up until the function it gives is called. */
const holdNextAppend = (): (() => void) => {
  const { promise, resolve } = deferred();
  store.beforeAppend = () => {
    store.beforeAppend = () => undefined;
    return promise;
  };
  return resolve;
};

const deferred = (): { promise: Promise<void>; resolve: () => void } => {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
};

describe('commands of one stream', () => {
  it('are decided in their order, each on what the ones before it made', async () => {
    const outcomes = await Promise.all(Array.from({ length: 200 }, (_, index) => execute(add(index))));
    expect(store.log.map(({ data }) => data)).toMatchObject(outcomes.map((_, index) => ({ amount: index })));
    expect(isSerial(store.log)).toBe(true);
    for (const [index, outcome] of outcomes.entries()) {
      expect(outcome).toMatchObject({ ok: true, revision: index, state: { count: index + 1 } });
    }
  });

  it('of one turn share an append', async () => {
    await Promise.all([execute(add(1)), execute(add(2, 3)), execute(add(4))]);
    expect(store.appends).toBe(1);
    expect(store.log).toHaveLength(4);
  });

  it('are decided while an append is under way, and share the next one', async () => {
    const release = holdNextAppend();
    const first = execute(add(1));
    await turn();
    await turn();
    const others = [execute(add(2)), execute(add(3))];
    await turn();
    release();
    await Promise.all([first, ...others]);
    expect(store.appends).toBe(2);
    expect(isSerial(store.log)).toBe(true);
  });

  it('fail alone when they are larger than an append may be, and share smaller ones else', async () => {
    await execute(add(0));
    const [{ data } = { data: {} }] = store.log;
    const size = new AppendSize(Number.POSITIVE_INFINITY);
    size.add(newEvent('Added', data), JSON.stringify(data));
    store.maxAppendBytes = size.bytes * 10;
    const tooLarge = Array.from({ length: 30 }, () => 1);
    const commands = Array.from({ length: 40 }, (_, index) => (index === 7 ? add(...tooLarge) : add(1)));
    const outcomes = await Promise.allSettled(commands.map((command) => execute(command)));
    expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([7]);
    expect(outcomes[7]).toMatchObject({ reason: { name: 'AppendTooLargeError', limit: size.bytes * 10 } });
    expect(store.log).toHaveLength(40);
    expect(isSerial(store.log)).toBe(true);
    expect(store.appends).toBeLessThan(40);
  });

  it('write who commands, and the schema', async () => {
    await execute(add(1));
    expect(store.log[0]).toMatchObject({ type: 'Added', metadata: { ...CONTEXT, schema: 1 } });
    expect(store.log[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('answer with a position at which their events can be read', async () => {
    const outcomes = await Promise.all([execute(add(1)), execute(add(2))]);
    for (const outcome of outcomes) expect(outcome.ok && outcome.position).toBe(await store.head());
  });

  it('fail alone when their decider throws', async () => {
    const [before, crash, after] = await Promise.allSettled([
      execute(add(1)),
      execute({ type: 'crash' }),
      execute(add(2)),
    ]);
    expect([before.status, crash.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(store.log).toHaveLength(2);
  });
});

describe('a lost race', () => {
  it('is decided again on what the other wrote', async () => {
    await execute(add(1));
    beforeNextAppend(() => rivalAdds(10));
    const outcomes = await Promise.all([execute(add(2)), execute(add(3))]);
    expect(outcomes).toMatchObject([{ state: { sum: 13 } }, { state: { sum: 16 } }]);
    expect(isSerial(store.log)).toBe(true);
  });

  it('takes back what was decided upon it, also where the revisions would meet by chance', async () => {
    await execute(add(1));
    const release = holdNextAppend();
    const first = execute(add(2));
    await turn();
    await turn();
    const behind = execute(add(3));
    rivalAdds(10);
    release();
    expect(await first).toMatchObject({ state: { sum: 13 } });
    expect(await behind).toMatchObject({ state: { sum: 16 } });
    expect(isSerial(store.log)).toBe(true);
  });

  it('may be lost a bounded number of times', async () => {
    store.beforeAppend = () => rivalAdds(1);
    await expect(execute(add(1))).rejects.toThrow(CommandContentionError);
    expect(store.appends).toBeGreaterThan(5);
    expect(store.appends).toBeLessThan(50);
    store.beforeAppend = () => undefined;
    expect(await execute(add(1))).toMatchObject({ ok: true });
    expect(isSerial(store.log)).toBe(true);
  });
});

describe('a failing store', () => {
  const fail = (): void => {
    throw new EventStoreUnavailableError('the disk is full');
  };

  it('fails the commands of that append, and those behind decide again', async () => {
    const { promise, resolve } = deferred();
    store.beforeAppend = async () => {
      store.beforeAppend = () => undefined;
      await promise;
      fail();
    };
    const failing = Promise.allSettled([execute(add(1)), execute(add(2))]);
    await turn();
    await turn();
    const behind = execute(add(4));
    resolve();
    for (const result of await failing) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(EventStoreUnavailableError) });
    }
    expect(await behind).toMatchObject({ ok: true, revision: 0, state: { sum: 4 } });
  });

  it('may have written nevertheless: what follows decides on what is there', async () => {
    store.afterAppend = () => {
      store.afterAppend = () => undefined;
      fail();
    };
    await expect(execute(add(1))).rejects.toThrow(EventStoreUnavailableError);
    expect(await execute(add(2))).toMatchObject({ revision: 1, state: { sum: 3 } });
  });

  it('fails commands that need the stream read, and serves again when it is back', async () => {
    store.beforeRead = fail;
    await expect(execute(add(1))).rejects.toThrow(EventStoreUnavailableError);
    await expect(aggregates.load(sums, 's')).rejects.toThrow(EventStoreUnavailableError);
    store.beforeRead = () => undefined;
    expect(await execute(add(1))).toMatchObject({ ok: true });
  });
});

describe('a decision that appends nothing', () => {
  it('is answered without an append when the stream stands where it was thought to', async () => {
    await execute(add(5));
    expect(await execute({ type: 'raiseTo', sum: 3 })).toMatchObject({ ok: true, events: [], revision: 0 });
    expect(await execute({ type: 'spend', amount: 6 })).toMatchObject({
      ok: false,
      rejection: { code: 'round-state' },
    });
    expect(store.appends).toBe(1);
  });

  it('is made again when another process has written meanwhile', async () => {
    await execute(add(5));
    rivalAdds(-4);
    expect(await execute({ type: 'raiseTo', sum: 3 })).toMatchObject({
      ok: true,
      events: [{ data: { amount: 2 } }],
    });
    rivalAdds(10);
    expect(await execute({ type: 'spend', amount: 6 })).toMatchObject({ ok: true, state: { sum: 7 } });
    expect(isSerial(store.log)).toBe(true);
  });

  it('on a stream that is not there is confirmed too', async () => {
    const outcome = await execute({ type: 'raiseTo', sum: 0 });
    expect(outcome).toMatchObject({ ok: true, revision: NO_STREAM, position: 0 });
  });

  it('beside others is confirmed by their append', async () => {
    await execute(add(5));
    beforeNextAppend(() => rivalAdds(-5));
    const outcomes = await Promise.all([
      execute({ type: 'spend', amount: 6 }),
      execute(add(1)),
      execute({ type: 'spend', amount: 6 }),
    ]);
    expect(outcomes).toMatchObject([{ ok: false }, { ok: true }, { ok: false }]);
    expect(await execute({ type: 'spend', amount: 1 })).toMatchObject({ ok: true, state: { sum: 0 } });
  });
});

describe('a command given as a function', () => {
  it('is asked for once when nothing comes between, and those behind it wait', async () => {
    const { promise, resolve } = deferred();
    let asked = 0;
    const first = execute(async () => {
      asked += 1;
      await promise;
      return add(1);
    });
    const second = execute(add(2));
    await turn();
    expect(store.log).toHaveLength(0);
    resolve();
    expect(await first).toMatchObject({ revision: 0 });
    expect(await second).toMatchObject({ revision: 1 });
    expect(asked).toBe(1);
  });

  it('is asked for again after a lost race', async () => {
    await execute(add(1));
    let asked = 0;
    beforeNextAppend(() => rivalAdds(10));
    const outcome = await execute(async () => add(++asked));
    expect(outcome).toMatchObject({ state: { sum: 13 } });
  });

  it('is asked for again when the state moved while it was asked', async () => {
    await execute(add(1));
    const asked: number[] = [];
    const outcome = await execute(async () => {
      asked.push(sumInLog());
      if (asked.length === 1) {
        rivalAdds(10);
        await aggregates.load(sums, 's', { fresh: true });
      }
      return add(100);
    });
    expect(asked).toEqual([1, 11]);
    expect(outcome).toMatchObject({ state: { sum: 111 } });
  });

  it('is asked for again when what it was decided upon is taken back', async () => {
    await execute(add(1));
    const release = holdNextAppend();
    const first = execute(add(2));
    await turn();
    await turn();
    let asked = 0;
    const { promise, resolve } = deferred();
    const behind = execute(async () => {
      asked += 1;
      await promise;
      return add(3);
    });
    rivalAdds(10);
    release();
    await first;
    resolve();
    expect(await behind).toMatchObject({ state: { sum: 16 } });
    expect(asked).toBe(2);
    expect(isSerial(store.log)).toBe(true);
  });

  it('that fails, fails alone', async () => {
    const failing = execute(() => Promise.reject(new Error('no such person')));
    const next = execute(add(1));
    await expect(failing).rejects.toThrow('no such person');
    expect(await next).toMatchObject({ ok: true });
  });
});

describe('load', () => {
  const sum = async (options?: { fresh: boolean }): Promise<number> =>
    (await aggregates.load(sums, 's', options)).state.sum;

  it('gives the initial state where there is no stream', async () => {
    expect(await aggregates.load(sums, 's')).toEqual({
      state: { sum: 0, count: 0 },
      revision: NO_STREAM,
      position: 0,
    });
  });

  it('looks at the stream each time while no feed tells of others', async () => {
    await execute(add(1));
    rivalAdds(10);
    expect(await sum()).toBe(11);
  });

  it('rests on what it keeps while the feed runs, and on the feed to be told', async () => {
    aggregates.startFollowing();
    await execute(add(1));
    rivalAdds(10);
    expect(await sum()).toBe(1);
    expect(await sum({ fresh: true })).toBe(11);
    rivalAdds(100);
    const last = store.log.at(-1);
    if (last) aggregates.observeRevision(last);
    expect(await sum()).toBe(111);
  });

  it('reads the stream once for all who ask at the same time', async () => {
    rivalAdds(3);
    aggregates.startFollowing();
    let reads = 0;
    store.beforeRead = () => {
      reads += 1;
    };
    expect(await Promise.all(Array.from({ length: 10 }, () => sum()))).toEqual(Array(10).fill(3));
    expect(reads).toBe(1);
    await Promise.all([sum({ fresh: true }), sum({ fresh: true })]);
    expect(reads).toBe(3);
  });

  it('reads again when the feed tells of more while a read is under way', async () => {
    rivalAdds(3);
    aggregates.startFollowing();
    const early = sum();
    rivalAdds(4);
    const last = store.log.at(-1);
    if (last) aggregates.observeRevision(last);
    expect(await Promise.all([early, sum()])).toEqual([7, 7]);
  });

  it('reads up what it kept from before the feed began', async () => {
    aggregates.startFollowing();
    await execute(add(1));
    aggregates.stopFollowing();
    rivalAdds(10);
    aggregates.startFollowing();
    expect(await sum()).toBe(11);
  });

  it('rests on what it kept when the feed goes on where it stopped', async () => {
    aggregates.startFollowing();
    await execute(add(1));
    aggregates.stopFollowing();
    rivalAdds(10);
    aggregates.startFollowing({ isContinued: true });
    expect(await sum()).toBe(1);
    const last = store.log.at(-1);
    if (last) aggregates.observeRevision(last);
    expect(await sum()).toBe(11);
  });

  it('shows nothing that is not appended yet', async () => {
    aggregates.startFollowing();
    await execute(add(1));
    const release = holdNextAppend();
    const underWay = execute(add(2));
    await turn();
    await turn();
    expect(await sum()).toBe(1);
    release();
    await underWay;
    expect(await sum()).toBe(3);
  });

  it('reads again what no longer fitted into what is kept', async () => {
    aggregates = new Aggregates({ store, names: NAMES, keptBytes: 1_500 });
    for (let round = 0; round < 4; round += 1) {
      await execute(add(1));
      await aggregates.execute(sums, 'other', add(1, 1), CONTEXT);
    }
    expect(await sum()).toBe(4);
    expect(isSerial(store.log.filter(({ stream }) => stream === STREAM))).toBe(true);
  });
});

it('lifts old events before it folds them', async () => {
  store.write(STREAM, [newEvent('Added', { centi: 200 })]);
  const upcasters = new Upcasters([
    {
      type: 'Added',
      upTo: 1,
      lift: (data) => ({ amount: 'centi' in data ? Number(data.centi) / 100 : 0, seen: 0 }),
    },
  ]);
  aggregates = new Aggregates({ store, names: NAMES, upcasters });
  expect((await aggregates.load(sums, 's')).state).toEqual({ sum: 2, count: 1 });
});

describe('what the metrics tell', () => {
  const lines = (pattern: RegExp): readonly string[] =>
    aggregates.metrics
      .text()
      .split('\n')
      .filter((line) => pattern.test(line));

  it('counts commands by outcome, and how many wait', async () => {
    const release = holdNextAppend();
    const first = execute(add(3));
    await turn();
    expect(lines(/^podium_commands_waiting/)).toEqual(['podium_commands_waiting{aggregate="space"} 1']);
    release();
    await first;
    await execute({ type: 'raiseTo', sum: 3 });
    await execute({ type: 'spend', amount: 10 });
    await expect(execute({ type: 'crash' })).rejects.toThrow();
    store.beforeAppend = () => rivalAdds(1);
    await expect(execute({ type: 'raiseTo', sum: 99 })).rejects.toThrow(CommandContentionError);
    expect(lines(/^podium_commands_total/)).toEqual([
      'podium_commands_total{aggregate="space",command="add",outcome="accepted"} 1',
      'podium_commands_total{aggregate="space",command="raiseTo",outcome="unchanged"} 1',
      'podium_commands_total{aggregate="space",command="raiseTo",outcome="contended"} 1',
      'podium_commands_total{aggregate="space",command="spend",outcome="rejected"} 1',
      'podium_commands_total{aggregate="space",command="crash",outcome="failed"} 1',
    ]);
    expect(lines(/^podium_commands_waiting/)).toEqual(['podium_commands_waiting{aggregate="space"} 0']);
  });

  it('counts conflicts and retries', async () => {
    await execute(add(1));
    beforeNextAppend(() => rivalAdds(5));
    await execute(add(1));
    expect(lines(/^podium_append_conflicts_total|^podium_command_retries_total/)).toEqual([
      'podium_append_conflicts_total{aggregate="space"} 1',
      'podium_command_retries_total{aggregate="space"} 1',
    ]);
  });

  it('measures appends with their size, decisions and folds', async () => {
    await Promise.all([execute(add(1, 2)), execute(add(3))]);
    await new Aggregates({ store, names: NAMES }).load(sums, 's', { fresh: true });
    expect(lines(/^podium_append_events_(sum|count)/)).toEqual([
      'podium_append_events_sum{aggregate="space"} 3',
      'podium_append_events_count{aggregate="space"} 1',
    ]);
    expect(lines(/^podium_append_seconds_count|^podium_command_decide_seconds_count/)).toEqual([
      'podium_command_decide_seconds_count{aggregate="space"} 2',
      'podium_append_seconds_count{aggregate="space"} 1',
    ]);
    rivalAdds(7);
    await aggregates.load(sums, 's', { fresh: true });
    expect(lines(/^podium_stream_fold_seconds_count/)).toEqual([
      'podium_stream_fold_seconds_count{aggregate="space"} 1',
    ]);
  });

  it('has each name once, with its help and type, and every value under it', () => {
    const text = aggregates.metrics.text().split('\n');
    const names = text.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(text.filter((line) => line.startsWith('# HELP')).length);
  });
});
