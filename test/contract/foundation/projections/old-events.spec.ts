/** Events from before checksums are compared, by a replay, with the read models that were built from them, before they get theirs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openSqliteEventStore } from '../../../../src/app/stores/open-event-store.js';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import { spaceStream } from '../../../../src/competition/aggregates/space/space.events.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import type { SqliteEventStore } from '../../../../src/engines/sqlite/event-store/sqlite-event-store.js';
import { SqliteDatabase } from '../../../../src/engines/sqlite/sqlite.js';
import type { Damage } from '../../../../src/foundation/integrity/damage.js';
import type { Projection } from '../../../../src/foundation/projections/projection.js';
import { Projector } from '../../../../src/foundation/projections/projector.js';
import { ProjectorHost } from '../../../../src/foundation/projections/runner/projector-host.js';
import { SubscribedEvents } from '../../../../src/foundation/projections/runner/subscribed-events.js';
import type { ReadModelStore } from '../../../../src/foundation/read-models/read-model-store.js';
import { collect, newEvent } from '../../../support/events.js';
import {
  type Counted,
  entries,
  journalProjection,
  type Tally,
  tallies,
  tallyProjection,
} from '../../../support/toy-projections.js';
import { until } from '../../../support/until.js';

jest.setTimeout(120_000);

const names = new StreamNames();
const stream = names.of(spaceStream, 'toy');
const EVENTS = 2_300;
const PATIENCE_MS = 60_000;

interface Installation {
  readonly events: SqliteEventStore;
  readonly readModels: ReadModelStore;
  readonly projector: Projector;
  readonly damages: readonly Damage[];
}

describe('events from before checksums', () => {
  let folder: string;
  let opened: { close(): Promise<void> }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-old-events-'));
    opened = [];
  });
  afterEach(async () => {
    await closeAll();
    await rm(folder, { recursive: true });
  });

  const closeAll = async (): Promise<void> => {
    for (const one of opened.splice(0).reverse()) await one.close();
  };
  const url = (file: string): string => `sqlite:${join(folder, file)}`;

  /** `begins`: whether it projects at once. */
  const start = async (
    projections: readonly Projection[] = [tallyProjection(), journalProjection()],
    begins = true,
  ): Promise<Installation> => {
    const damages: Damage[] = [];
    const options = { startsThreads: true, onDamage: (damage: Damage) => void damages.push(damage) };
    const events = await openSqliteEventStore(url('events.sqlite'), options);
    const readModels = await openReadModelStore(url('read-models.sqlite'));
    const engine = new ProjectorHost({
      eventStore: events,
      readModelStore: readModels,
      projections,
      subscribed: new SubscribedEvents(names),
    });
    const parts = { eventStore: events, readModelStore: readModels, projections, engine };
    const projector = new Projector({ ...parts, lazy: !begins });
    opened.push(events, readModels, projector);
    await projector.start();
    return { events, readModels, projector, damages };
  };

  const shown = ({ readModels }: Installation): Promise<readonly Tally[]> =>
    readModels.snapshot((view) => view.scan(tallies, { index: 'byTotal', equals: {} }));
  const counted = (data: Counted) => newEvent('Counted', data);
  const append = async ({ events }: Pick<Installation, 'events'>, revision: number, count: number) => {
    const some = Array.from({ length: count }, (_, at) =>
      counted({ key: `k${(revision + at) % 40}`, group: `g${at % 3}`, amount: (at % 5) + 1 }),
    );
    await events.append(stream, revision, some);
  };

  /** An installation as a version without checksums has left it. `change`: what happened to its events after that. */
  const fromBefore = async (
    change: string | null,
    projections?: readonly Projection[],
  ): Promise<readonly Tally[]> => {
    const installation = await start(projections);
    for (let revision = -1; revision < EVENTS - 1; revision += 230) await append(installation, revision, 230);
    expect(await installation.projector.waitFor(EVENTS, PATIENCE_MS)).toBe(true);
    const before = await shown(installation);
    await closeAll();
    const database = new SqliteDatabase(join(folder, 'events.sqlite'));
    database.exec('ALTER TABLE events DROP COLUMN checksum; ALTER TABLE events DROP COLUMN chain');
    database.exec("DELETE FROM meta WHERE name = 'checksum'");
    database.pragma('user_version = 1');
    if (change !== null) expect(database.prepare(change).run().changes).toBe(1);
    database.close();
    return before;
  };

  const ONE_DIGIT =
    'UPDATE events SET data = replace(data, \'"amount":3\', \'"amount":4\') WHERE position = 1000 + 3';
  const verified = async ({ events }: Installation) => {
    const steps = await collect(events.scrub());
    return {
      unverified: steps.reduce((sum, { unverified }) => sum + unverified, 0),
      places: steps.flatMap(({ damages }) => damages.map(({ place }) => place)),
    };
  };
  const stamped = (installation: Installation) =>
    until(
      () => verified(installation),
      ({ unverified }) => unverified === 0,
    );
  const compared = ({ events }: Installation) =>
    until(
      () => events.uncomparedUpTo(),
      (upTo) => upTo === null,
    );

  it('get their checksums when a replay comes to the same documents, while others come in', async () => {
    const before = await fromBefore(null);
    const installation = await start();
    expect(await shown(installation)).toEqual(before);
    for (let revision = EVENTS - 1; revision < EVENTS + 40; revision += 1)
      await append(installation, revision, 1);
    await compared(installation);
    expect(await stamped(installation)).toEqual({ unverified: 0, places: [] });
    expect(installation.damages).toEqual([]);
    expect(await installation.projector.waitFor(EVENTS + 41, PATIENCE_MS)).toBe(true);
    const now = await shown(installation);
    await closeAll();
    const again = await start();
    await again.projector.replay(['tally', 'journal']);
    expect(await shown(again)).toEqual(now);
  });

  it('get none before they were compared', async () => {
    await fromBefore(null);
    const installation = await start(undefined, false);
    await append(installation, EVENTS - 1, 1);
    expect(await installation.events.uncomparedUpTo()).toBe(EVENTS);
    expect(await verified(installation)).toEqual({ unverified: EVENTS, places: [] });
  });

  it('are named, and get none, where one was changed since; what readers see stays as it was', async () => {
    const before = await fromBefore(ONE_DIGIT);
    const installation = await start();
    await compared(installation);
    const place = expect.stringMatching(/^collection tallies, document k\d+$/);
    expect(installation.damages).toMatchObject([{ store: 'events', place }]);
    expect(await shown(installation)).toEqual(before);
    expect(await verified(installation)).toEqual({ unverified: EVENTS, places: [place] });
    await closeAll();

    const later = await start();
    expect(await verified(later)).toEqual({ unverified: EVENTS, places: [place] });
    expect(await shown(later)).toEqual(before);
    // Who finds that the events are right has the read models built from them.
    await later.projector.replay(['tally', 'journal']);
    expect(await stamped(later)).toEqual({ unverified: 0, places: [] });
    expect(await shown(later)).not.toEqual(before);
  });

  it('are compared with read models of an older version that has made the same documents but for added fields', async () => {
    const older = { ...tallyProjection(), version: 1 };
    const newer: Projection = {
      ...older,
      version: 2,
      collections: [tallies, entries],
      unchanged: { since: 1, collections: [tallies], added: ['digits'] },
      apply: async (event, session) => {
        await older.apply(event, session);
        const tally = await session.get(tallies, String(Object(event.data).key));
        const digits = String(tally?.total).length;
        if (tally) session.put(tallies, Object.assign({ digits }, tally));
      },
    };
    await fromBefore(ONE_DIGIT, [older]);
    const installation = await start([newer]);
    await compared(installation);
    expect(installation.damages).toMatchObject([{ place: expect.stringMatching(/^collection tallies/) }]);
    await until(
      () => installation.readModels.progress('tally'),
      ({ live }) => live?.version === 2,
    );
    expect((await verified(installation)).places).toHaveLength(1);
  });

  it.each([
    ['none', async () => undefined],
    ['another version', undefined],
  ])('get their checksums where there are no read models to compare with: %s', async (_name, remove) => {
    await fromBefore(ONE_DIGIT);
    if (remove) await rm(join(folder, 'read-models.sqlite'));
    const installation = await start(remove ? undefined : [tallyProjection(2)]);
    expect(await stamped(installation)).toEqual({ unverified: 0, places: [] });
    expect(installation.damages).toEqual([]);
  });
});
