/** The runner on the embedded read-model store: live, rebuilt, swapped, taken over, it always shows the same. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { v7 as newEventId } from 'uuid';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import { spaceStream } from '../../../../src/competition/aggregates/space/space.events.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { NO_STREAM, type Position } from '../../../../src/foundation/event-store/event-store.js';
import type { Projection } from '../../../../src/foundation/projections/projection.js';
import { Projector } from '../../../../src/foundation/projections/projector.js';
import type { ReadModelsAdvanced } from '../../../../src/foundation/projections/read-models.js';
import { changesProjection } from '../../../../src/foundation/projections/runner/change-log.js';
import type { NodeDescription } from '../../../../src/foundation/projections/runner/nodes.js';
import {
  NO_LISTENER,
  type ProjectionFailure,
} from '../../../../src/foundation/projections/runner/projector-engine.js';
import { ProjectorHost } from '../../../../src/foundation/projections/runner/projector-host.js';
import { SubscribedEvents } from '../../../../src/foundation/projections/runner/subscribed-events.js';
import {
  type ReadModelStore,
  ReadModelUnavailableError,
} from '../../../../src/foundation/read-models/read-model-store.js';
import { gate } from '../../../support/gate.js';
import { MemoryEventStore } from '../../../support/memory-event-store.js';
import {
  entries,
  everything,
  journalProjection,
  tallies,
  tallyProjection,
} from '../../../support/toy-projections.js';
import { until } from '../../../support/until.js';

const names = new StreamNames();
const stream = names.of(spaceStream, 'toy');
const PATIENCE_MS = 20_000;

describe('a projector', () => {
  let folder: string;
  let eventStore: MemoryEventStore;
  let opened: { close(): Promise<void> }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-projector-'));
    eventStore = new MemoryEventStore();
    opened = [];
  });

  afterEach(async () => {
    for (const one of opened.reverse()) await one.close();
    await rm(folder, { recursive: true });
  });

  const openStore = async (file = 'read-models.sqlite'): Promise<ReadModelStore> => {
    const store = await openReadModelStore(`sqlite:${join(folder, file)}`);
    opened.push(store);
    return store;
  };

  const projectorOf = async (
    options: {
      readonly projections?: readonly Projection[];
      readonly file?: string;
      readonly lazy?: boolean;
      readonly events?: MemoryEventStore;
      readonly subscribed?: SubscribedEvents;
    } = {},
  ): Promise<Projector> => {
    const projections = options.projections ?? [tallyProjection(), journalProjection()];
    const readModelStore = await openStore(options.file);
    const source = options.events ?? eventStore;
    const { subscribed = new SubscribedEvents(names) } = options;
    const engine = new ProjectorHost({
      eventStore: source,
      readModelStore,
      projections,
      subscribed,
    });
    const lazy = options.lazy ?? false;
    const projector = new Projector({ eventStore: source, readModelStore, projections, engine, lazy });
    opened.push(projector);
    await projector.start();
    return projector;
  };

  const count = (key: string, group: string, amount: number): Promise<Position> =>
    eventStore.add(stream, 'Counted', { key, group, amount });

  const someHistory = async (length: number, from = 0): Promise<Position> => {
    let position = 0;
    for (let i = from; i < from + length; i += 1) {
      position = await count(`k${i % 17}`, `g${i % 3}`, i % 11 === 0 ? 0 : i % 13 === 0 ? -1 : i % 7);
    }
    return position;
  };

  const shown = (projector: Projector): Promise<string> =>
    projector.snapshot(async (view) => JSON.stringify(await everything(view)));

  it('shows an event to those who wait for its position, and names what changed', async () => {
    const projector = await projectorOf();
    const heard: ReadModelsAdvanced[] = [];
    projector.onAdvanced((event) => heard.push(event));
    const position = await count('a', 'g', 5);
    expect(await projector.waitFor(position, PATIENCE_MS)).toBe(true);
    expect(await projector.snapshot((view) => view.get(tallies, 'a'))).toEqual({
      id: 'a',
      group: 'g',
      total: 5,
    });
    expect(projector.position).toBe(position);
    expect(heard.at(-1)?.position).toBe(position);
    expect(await projector.waitFor(position + 1, 10)).toBe(false);
    const next = await count('b', 'g', 1);
    await projector.waitFor(next, PATIENCE_MS);
    expect(heard.at(-1)?.tags).toEqual(new Map([['tally:b', 1]]));
  });

  it('gives the same rows live, in one go and after a replay', async () => {
    const live = await projectorOf({ file: 'live.sqlite' });
    for (let i = 0; i < 20; i += 1) await live.waitFor(await someHistory(20, i * 20), PATIENCE_MS);
    const atOnce = await projectorOf({ file: 'at-once.sqlite' });
    await atOnce.waitFor(await eventStore.head(), PATIENCE_MS);
    const before = await shown(live);
    expect(await shown(atOnce)).toBe(before);
    await live.replay(['tally', 'journal']);
    expect(await shown(live)).toBe(before);
  });

  // So many events are read at once, and so many documents written.
  it.each([1_000, 30_000])('settles also where %i events came and nothing behind them', async (length) => {
    const metadata = { actor: 'system', correlationId: 'test', schema: 1 };
    const events = Array.from({ length }, (_, i) => {
      const data = { key: `k${i}`, group: 'g', amount: 1 };
      return { id: newEventId(), type: 'Counted', data, metadata };
    });
    await eventStore.append(stream, NO_STREAM, events);
    const settle: Projection['finalize'] = async (session) => {
      const { length: total } = await session.scan(tallies, { index: 'byTotal', equals: { group: 'g' } });
      session.put(tallies, { id: 'all', group: 'settled', total });
    };
    const projector = await projectorOf({ projections: [{ ...tallyProjection(), finalize: settle }] });
    await projector.waitFor(length, PATIENCE_MS);
    const settled = await projector.snapshot((view) => view.get(tallies, 'all'));
    expect(settled).toEqual({ id: 'all', group: 'settled', total: length });
  });

  it('moves every projection with every event', async () => {
    const projector = await projectorOf();
    await count('a', 'g', 1);
    const position = await eventStore.add(stream, 'SomethingElse', {});
    await projector.waitFor(position, PATIENCE_MS);
    const { projections, lag, ready } = await projector.status();
    expect(projections.map(({ live }) => live?.position)).toEqual([position, position]);
    expect([lag, ready]).toEqual([0, true]);
  });

  it('never shows readers an empty list while it replays', async () => {
    const projector = await projectorOf();
    await projector.waitFor(await someHistory(200), PATIENCE_MS);
    const sizes = new Set<number>();
    let replaying = true;
    const reading = (async () => {
      while (replaying) {
        sizes.add(
          await projector.snapshot(async (view) => {
            const before = await view.scan(entries, { index: 'byGroup', equals: {} });
            await new Promise((resolve) => setImmediate(resolve));
            const after = await view.scan(entries, { index: 'byGroup', equals: {} });
            expect(after).toEqual(before);
            return after.length;
          }),
        );
      }
    })();
    for (let i = 0; i < 5; i += 1) await projector.replay(['journal']);
    replaying = false;
    await reading;
    expect([...sizes]).toEqual([200]);
  });

  it('goes on while a replay runs beside it', async () => {
    const projector = await projectorOf();
    await someHistory(3_000);
    await projector.waitFor(3_000, PATIENCE_MS);
    let appended = 3_000;
    const progress: number[] = [];
    await projector.replay(['tally', 'journal'], ({ done }) => {
      progress.push(done);
      appended += 1;
      void count('late', 'late', 1);
    });
    expect(await projector.waitFor(appended, PATIENCE_MS)).toBe(true);
    expect(progress.at(-1)).toBeGreaterThanOrEqual(3_000);
    const late = await projector.snapshot((view) => view.get(tallies, 'late'));
    expect(late?.total).toBe(appended - 3_000);
  });

  it('rebuilds by itself when the version in the code is another', async () => {
    const first = await projectorOf();
    await first.waitFor(await count('a', 'g', 5), PATIENCE_MS);
    await first.close();
    const second = await projectorOf({ projections: [tallyProjection(2), journalProjection()] });
    await second.waitFor(await count('b', 'g', 1), PATIENCE_MS);
    expect(await second.snapshot((view) => view.getMany(tallies, ['a', 'b']))).toEqual([
      { id: 'a', group: 'g', total: 10 },
      { id: 'b', group: 'g', total: 2 },
    ]);
    expect((await second.status()).projections[0]?.live?.version).toBe(2);
  });

  it('rebuilds when the event store is another, and when it has fewer events than were projected', async () => {
    const first = await projectorOf();
    await first.waitFor(await someHistory(50), PATIENCE_MS);
    await first.close();
    for (const storeId of ['another', eventStore.storeId]) {
      const events = new MemoryEventStore(storeId);
      await events.add(stream, 'Counted', { key: 'z', group: 'g', amount: 1 });
      const projector = await projectorOf({ events });
      expect(await projector.waitFor(1, PATIENCE_MS)).toBe(true);
      expect(
        await projector.snapshot((view) => view.scan(tallies, { index: 'byTotal', equals: {} })),
      ).toEqual([{ id: 'z', group: 'g', total: 1 }]);
      await projector.close();
    }
  });

  it('leaves the work to one of two, and follows it', async () => {
    const one = await projectorOf();
    await one.waitFor(await count('a', 'g', 1), PATIENCE_MS);
    const other = await projectorOf();
    expect(await other.waitFor(await count('a', 'g', 1), PATIENCE_MS)).toBe(true);
    expect([(await one.status()).projecting, (await other.status()).projecting]).toEqual([true, false]);
    await one.close();
    expect(await other.waitFor(await count('a', 'g', 1), PATIENCE_MS)).toBe(true);
    expect(await other.snapshot((view) => view.get(tallies, 'a'))).toEqual({ id: 'a', group: 'g', total: 3 });
    expect((await other.status()).projecting).toBe(true);
  });

  it('is taken over at once also after the clock was set back', async () => {
    const one = await projectorOf();
    const other = await projectorOf();
    expect(await other.waitFor(await count('a', 'g', 1), PATIENCE_MS)).toBe(true);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000);
    try {
      await one.close();
      expect(await other.waitFor(await count('a', 'g', 1), PATIENCE_MS)).toBe(true);
    } finally {
      clock.mockRestore();
    }
  });

  describe('beside others', () => {
    const projections = [tallyProjection(), journalProjection(), changesProjection];
    const node = (id: string): NodeDescription => {
      return { id, host: 'here', pid: 1, startedAt: 0, version: '1.0.0', address: `http://${id}` };
    };
    /** Of this and of every later batch that the other process commits. */
    const heardBy = (projector: Projector): ReadModelsAdvanced[] => {
      const heard: ReadModelsAdvanced[] = [];
      projector.onAdvanced((event) => heard.push(event));
      return heard;
    };
    const roles = (...all: readonly Projector[]): Promise<readonly boolean[]> =>
      Promise.all(all.map(async (one) => (await one.status()).projecting));

    it('tells those that follow what changed, and no more', async () => {
      const holder = await projectorOf({ projections });
      await holder.waitFor(await count('first', 'g', 1), PATIENCE_MS);
      const follower = await projectorOf({ projections });
      follower.announce(node('follower'));
      const heard = heardBy(follower);
      // Until the holder has seen it among the nodes, the follower takes everything as changed.
      await until(
        async () => {
          await follower.waitFor(await count('a', 'g', 1), PATIENCE_MS);
          return heard.at(-1)?.tags ?? null;
        },
        (tags) => tags !== null,
      );
      heard.length = 0;
      for (const key of ['a', 'b', 'c']) await follower.waitFor(await count(key, 'g', 1), PATIENCE_MS);
      expect(heard.map(({ tags }) => tags)).toEqual(
        ['a', 'b', 'c'].map((key) => new Map([[`tally:${key}`, 1]])),
      );
      const last = await someHistory(700);
      await follower.waitFor(last, PATIENCE_MS);
      expect(heard.every(({ tags }) => tags !== null)).toBe(true);
      const told = new Set(heard.flatMap(({ tags }) => [...(tags?.keys() ?? [])]));
      const touched = ['a', 'b', 'c', ...Array.from({ length: 17 }, (_, index) => `k${index}`)];
      expect([...told].sort()).toEqual(touched.map((key) => `tally:${key}`).sort());
      expect(await shown(follower)).toBe(await shown(holder));
    });

    it('takes everything as changed after a gap, and after a swap', async () => {
      const holder = await projectorOf({ projections });
      const follower = await projectorOf({ projections });
      const heard = heardBy(follower);
      await follower.waitFor(await count('a', 'g', 1), PATIENCE_MS);
      // No process has announced itself, so nothing was written down.
      expect(heard.at(-1)?.tags).toBeNull();
      follower.announce(node('follower'));
      const known = async (): Promise<boolean> => {
        await follower.waitFor(await count('a', 'g', 1), PATIENCE_MS);
        return heard.at(-1)?.tags !== null;
      };
      await until(known, Boolean);
      heard.length = 0;
      await holder.replay(['tally']);
      await until(
        async () => heard.map(({ tags }) => tags),
        (tags) => tags.includes(null),
      );
      await until(known, Boolean);
    });

    it('leaves a projection to newer code, and takes it back when that is gone', async () => {
      const older = await projectorOf({ projections });
      older.announce(node('older'));
      await older.waitFor(await count('a', 'g', 5), PATIENCE_MS);
      const newer = await projectorOf({
        projections: [tallyProjection(2), journalProjection(), changesProjection],
      });
      newer.announce(node('newer'));
      expect((await newer.status()).ready).toBe(false);
      await until(
        () => newer.status(),
        ({ ready, projecting }) => ready && projecting,
      );
      expect([await roles(older, newer), (await older.status()).ready]).toEqual([[false, true], false]);
      expect(await newer.waitFor(await count('b', 'g', 1), PATIENCE_MS)).toBe(true);
      expect(await newer.snapshot((view) => view.getMany(tallies, ['a', 'b']))).toMatchObject([
        { total: 10 },
        { total: 2 },
      ]);
      await newer.close();
      await until(
        () => older.status(),
        ({ ready, projecting }) => ready && projecting,
      );
      expect((await older.snapshot((view) => view.get(tallies, 'a')))?.total).toBe(5);
    });
  });

  describe('that knows its streams and event types', () => {
    const knowing = (...types: string[]): SubscribedEvents => {
      const registry = { streams: new Set([spaceStream.name]), types: new Set(types) };
      return new SubscribedEvents(names, { registry });
    };

    it.each(['live', 'in a rebuild'])(
      'passes over other streams, and counts each event once: %s',
      async (way) => {
        const live = way === 'live' ? await projectorOf({ subscribed: knowing('Counted') }) : null;
        await count('a', 'g', 5);
        for (const foreign of ['podium/foo-1', 'podium/foo/1', 'podium/foo-1'])
          await eventStore.add(foreign, 'Counted', { key: 'a', group: 'g', amount: 1 });
        const last = await count('a', 'g', 2);
        const projector = live ?? (await projectorOf({ subscribed: knowing('Counted') }));
        await projector.waitFor(last, PATIENCE_MS);
        expect(await projector.snapshot((view) => view.get(tallies, 'a'))).toMatchObject({ total: 7 });
        await projector.replay(['tally']);
        expect(await projector.snapshot((view) => view.get(tallies, 'a'))).toMatchObject({ total: 7 });
        expect([projector.foreignEvents, projector.failure]).toEqual([3, null]);
      },
    );

    it('stops before a type that it does not know, and leaves the rest to newer code', async () => {
      const older = await projectorOf({ subscribed: knowing('Counted') });
      const before = await count('a', 'g', 5);
      await older.waitFor(before, PATIENCE_MS);
      const unknown = await eventStore.add(stream, 'Painted', {});
      const last = await count('a', 'g', 2);
      const { failure } = await until(
        () => older.status(),
        (status) => status.isBeforeUnknownEvent,
      );
      expect(failure).toContain(
        `the event type Painted at position ${unknown} (stream ${stream}, revision 1)`,
      );
      expect([older.position, await older.waitFor(unknown, 10)]).toEqual([before, false]);
      const newer = await projectorOf({ subscribed: knowing('Counted', 'Painted') });
      await newer.waitFor(last, PATIENCE_MS);
      await older.waitFor(last, PATIENCE_MS);
      expect(await older.snapshot((view) => view.get(tallies, 'a'))).toMatchObject({ total: 7 });
      expect(
        await until(
          () => older.status(),
          (status) => !status.isBeforeUnknownEvent,
        ),
      ).toMatchObject({
        failure: null,
        projecting: false,
      });
    });
  });

  it('does each event once when two run in spite of the lease', async () => {
    const one = await projectorOf();
    await one.waitFor(await count('a', 'g', 1), PATIENCE_MS);
    const store = await openStore();
    const holder = (await store.leases())[0]?.holder ?? '';
    await store.releaseLease('projector', holder);
    const other = await projectorOf();
    const last = await someHistory(500);
    await Promise.all([one.waitFor(last, PATIENCE_MS), other.waitFor(last, PATIENCE_MS)]);
    const control = await projectorOf({ file: 'control.sqlite' });
    await control.waitFor(last, PATIENCE_MS);
    expect(await shown(other)).toBe(await shown(control));
  });

  it('reports a projection that fails, keeps what it had, and goes on once it is mended', async () => {
    const broken: Projection = {
      ...tallyProjection(),
      apply: () => Promise.reject(new Error('cannot apply this')),
    };
    const good = await projectorOf({ projections: [tallyProjection()] });
    await good.waitFor(await count('a', 'g', 1), PATIENCE_MS);
    await good.close();
    const bad = await projectorOf({ projections: [broken] });
    const position = await count('a', 'g', 1);
    while ((await bad.status()).failure === null) await bad.waitFor(position, 20);
    expect((await bad.status()).failure).toBe('cannot apply this');
    expect((await bad.snapshot((view) => view.get(tallies, 'a')))?.total).toBe(1);
    await bad.close();
    const mended = await projectorOf({ projections: [tallyProjection()] });
    expect(await mended.waitFor(position, PATIENCE_MS)).toBe(true);
    expect((await mended.snapshot((view) => view.get(tallies, 'a')))?.total).toBe(2);
  });

  it('says that it fails no longer when what it looked for beside following is found again', async () => {
    const projecting = await projectorOf();
    const last = await count('a', 'g', 1);
    await projecting.waitFor(last, PATIENCE_MS);
    const store = await openStore();
    const { leases } = store;
    const followed = gate();
    let looks = 0;
    // The first is for the lease, the second for an older holder.
    store.leases = async () => {
      looks += 1;
      if (looks !== 2) return leases.call(store);
      await followed.opened;
      throw new ReadModelUnavailableError('gone');
    };
    const projections = [tallyProjection(), journalProjection()];
    const engine = new ProjectorHost({
      eventStore,
      readModelStore: store,
      projections,
      subscribed: new SubscribedEvents(names),
    });
    const failures: (string | null)[] = [];
    const failure = (failed: ProjectionFailure | null) => failures.push(failed?.reason ?? null);
    engine.start({ ...NO_LISTENER, failure });
    opened.push({ close: () => engine.stop() });
    await until(
      async () => failures.at(-1),
      (reason) => reason === null,
    );
    followed.open();
    await until(
      async () => failures.at(-1),
      (reason) => reason === 'gone',
    );
    await until(
      async () => failures.at(-1),
      (reason) => reason === null,
    );
  });

  it('works for a command only when the command reads, and then shows all', async () => {
    const lazy = await projectorOf({ lazy: true });
    await count('a', 'g', 1);
    expect((await lazy.status()).holder).toBeNull();
    expect((await lazy.snapshot((view) => view.get(tallies, 'a')))?.total).toBe(1);
    await count('a', 'g', 1);
    expect((await lazy.snapshot((view) => view.get(tallies, 'a')))?.total).toBe(2);
  });

  it('says so when another replay of the same projection has begun meanwhile', async () => {
    const journal = journalProjection();
    const other = await projectorOf({ projections: [journal] });
    await other.waitFor(await someHistory(50), PATIENCE_MS);
    const generation = async (): Promise<number> => {
      const [progress] = (await other.status()).projections;
      return progress?.building?.number ?? 0;
    };
    let begun: Promise<void> | null = null;
    const apply: Projection['apply'] = async (event, session) => {
      if (begun === null) {
        const mine = await generation();
        begun = other.replay(['journal']);
        await until(generation, (number) => number !== mine);
      }
      await journal.apply(event, session);
    };
    const overtaken = await projectorOf({ projections: [{ ...journal, apply }], lazy: true });
    await expect(overtaken.replay(['journal'])).rejects.toThrow(
      'another process has taken over the rebuild of journal',
    );
    await begun;
  });

  it('says that a replay is not done when it is closed meanwhile', async () => {
    const projector = await projectorOf();
    await projector.waitFor(await someHistory(3_000), PATIENCE_MS);
    let closed: Promise<void> | null = null;
    const replay = projector.replay(['journal'], () => {
      closed ??= projector.close();
    });
    await expect(replay).rejects.toThrow('stopped before the rebuild was done');
    await closed;
  });

  it('refuses to replay what there is not', async () => {
    const projector = await projectorOf();
    await expect(projector.replay(['tally', 'nothing'])).rejects.toThrow('there is no projection nothing');
  });
});
