/** The projector in a thread of its own, as a server runs it, on the embedded stores. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../../../src/app/stores/open-event-store.js';
import { openReadModelStore } from '../../../../src/app/stores/open-read-model-store.js';
import { spaceStream } from '../../../../src/competition/aggregates/space/space.events.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import type { EventStore, Position } from '../../../../src/foundation/event-store/event-store.js';
import { Projector } from '../../../../src/foundation/projections/projector.js';
import {
  ProjectorThread,
  type ProjectorThreadOptions,
} from '../../../../src/foundation/projections/projector-thread.js';
import type { ReadModelsAdvanced } from '../../../../src/foundation/projections/read-models.js';
import type { ReadModelStore } from '../../../../src/foundation/read-models/read-model-store.js';
import { appendNext } from '../../../support/events.js';
import { tallies, tallyProjection } from '../../../support/toy-projections.js';
import { until } from '../../../support/until.js';

const PATIENCE_MS = 20_000;
const stream = new StreamNames().of(spaceStream, 'toy');

describe('a projector thread', () => {
  let folder: string;
  let eventStore: EventStore;
  let readModelStore: ReadModelStore;
  let projector: Projector;

  const thread = (): ProjectorThreadOptions => ({
    eventStoreUrl: `sqlite:${join(folder, 'events.sqlite')}`,
    readModelUrl: `sqlite:${join(folder, 'read-models.sqlite')}`,
    streamPrefix: 'podium',
    workerUrl: new URL('../../../../dist/app/workers/projector.worker.js', import.meta.url),
    registryUrl: new URL('../../../support/toy-registry.mjs', import.meta.url).href,
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-thread-'));
    const { eventStoreUrl, readModelUrl } = thread();
    eventStore = await openEventStore(eventStoreUrl);
    readModelStore = await openReadModelStore(readModelUrl);
    const engine = new ProjectorThread(thread());
    projector = new Projector({ eventStore, readModelStore, projections: [tallyProjection()], engine });
    await projector.start();
  });

  afterEach(async () => {
    await projector.close();
    await readModelStore.close();
    await eventStore.close();
    await rm(folder, { recursive: true });
  });

  const append = async (type: string, data: object): Promise<Position> => {
    const metadata = { actor: 'system', correlationId: 'test', schema: 1 };
    const result = await appendNext(eventStore, stream, [{ id: randomUUID(), type, data, metadata }]);
    return result.ok ? result.position : 0;
  };
  const count = (amount: number): Promise<Position> => append('Counted', { key: 'a', group: 'g', amount });
  const threads = (): number =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length;
  const total = async (): Promise<number | null | undefined> =>
    (await projector.snapshot((view) => view.get(tallies, 'a')))?.total;

  it('shows each command as soon as its position is reached, and says what changed', async () => {
    const heard: ReadModelsAdvanced[] = [];
    projector.onAdvanced((event) => heard.push(event));
    for (let i = 1; i <= 20; i += 1) {
      expect(await projector.waitFor(await count(1), PATIENCE_MS)).toBe(true);
      expect(await total()).toBe(i);
    }
    expect(heard.at(-1)?.tags).toEqual(new Map([['tally:a', 1]]));
    expect((await projector.status()).projecting).toBe(true);
  });

  it('replays and tells how far it is', async () => {
    await projector.waitFor(await count(5), PATIENCE_MS);
    const progress: number[] = [];
    await projector.replay(['tally'], ({ done, total: all }) => progress.push(done / all));
    expect(progress.at(-1)).toBe(1);
    expect(await total()).toBe(5);
  });

  it('replays without projecting where no query reads', async () => {
    const position = await count(5);
    await projector.waitFor(position, PATIENCE_MS);
    await projector.close();
    const engine = new ProjectorThread(thread());
    const replaying = new Projector({
      eventStore,
      readModelStore,
      projections: [tallyProjection()],
      engine,
      lazy: true,
    });
    await replaying.start();
    const [before] = (await replaying.status()).projections;
    await replaying.replay(['tally']);
    const {
      holder,
      projections: [after],
    } = await replaying.status();
    expect(after?.live?.number).toBeGreaterThan(before?.live?.number ?? Number.NaN);
    expect(after?.live?.position).toBe(position);
    expect(holder).toBeNull();
    await replaying.close();
  });

  it('is one thread also where a replay is asked for just after it died', async () => {
    await projector.waitFor(await count(5), PATIENCE_MS);
    await append('Exited', { marker: join(folder, 'exited') });
    await until(
      async () => (await projector.status()).failure,
      (trouble) => trouble !== null,
    );
    await projector.replay(['tally']);
    const renewals = new Set<number>();
    await until(
      async () => {
        for (const { expiresAt } of await readModelStore.leases()) renewals.add(expiresAt);
        return renewals.size;
      },
      (size) => size > 3,
    );
    await projector.close();
    expect(threads()).toBe(0);
  });

  it('is replaced when it dies, and counts nothing twice', async () => {
    await projector.waitFor(await count(5), PATIENCE_MS);
    await append('Exited', { marker: join(folder, 'exited') });
    expect(await projector.waitFor(await count(2), PATIENCE_MS)).toBe(true);
    expect(await total()).toBe(7);
  });
});
