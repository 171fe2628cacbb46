/** kill -9 of the process that projects, again and again in the middle of its work: rows and checkpoint agree each time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStore, NewEvent } from '../../src/eventstore/event-store.js';
import { openEventStore } from '../../src/eventstore/open-event-store.js';
import { StreamNames } from '../../src/eventstore/streams.js';
import { openReadModelStore } from '../../src/readmodel/open-read-model-store.js';
import type { Collection, ReadModelStore } from '../../src/readmodel/read-model-store.js';
import { tallyProjection } from '../support/toy-projections.js';

interface CountedTally {
  readonly id: string;
  readonly group: string;
  readonly total: number;
  readonly events: number;
}

const KILLS = 10;
const tallies: Collection<CountedTally> = { name: 'tallies', indexes: { byTotal: ['group', 'total'] } };
const stream = new StreamNames().space('toy');
const script = fileURLToPath(new URL('../support/projector-process.mjs', import.meta.url));

describe('a projector that is killed', () => {
  let folder: string;
  let eventStoreUrl: string;
  let readModelUrl: string;
  let eventStore: EventStore;
  let readModelStore: ReadModelStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-killed-'));
    eventStoreUrl = `sqlite:${join(folder, 'events.sqlite')}`;
    readModelUrl = `sqlite:${join(folder, 'read-models.sqlite')}`;
    eventStore = await openEventStore(eventStoreUrl);
    readModelStore = openReadModelStore(readModelUrl);
    await readModelStore.prepare([tallyProjection()]);
  });

  afterEach(async () => {
    await readModelStore.close();
    await eventStore.close();
    await rm(folder, { recursive: true });
  });

  const append = async (count: number): Promise<void> => {
    const events = Array.from(
      { length: count },
      (_, index): NewEvent => ({
        id: randomUUID(),
        type: 'Counted',
        data: { key: `k${index % 50}`, group: 'g', amount: 1 },
        metadata: { actor: 'system', correlationId: 'test', schema: 1 },
      }),
    );
    await eventStore.append(stream, 'any', events);
  };

  /** Resolves when the process has made one more commit visible. */
  const nextCommit = async (child: ChildProcess): Promise<void> => {
    if (child.stdout) await once(child.stdout, 'data');
  };

  /** As one moment shows it: how many events the rows count, and how many the checkpoint says. */
  const counted = (): Promise<{ readonly rows: number; readonly checkpoint: number }> =>
    readModelStore.snapshot(async (view) => {
      const documents = await view.scan(tallies, { index: 'byTotal', equals: {} });
      const rows = documents.reduce((sum, { events }) => sum + events, 0);
      return { rows, checkpoint: await view.position('tally') };
    });

  it('leaves rows and checkpoint that agree, and the next one goes on at once', async () => {
    await append(500);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = spawn(process.execPath, [script, eventStoreUrl, readModelUrl], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const exited = once(child, 'exit');
      await nextCommit(child);
      const feeding = append(3_000);
      await nextCommit(child);
      child.kill('SIGKILL');
      await Promise.all([exited, feeding]);
      const { rows, checkpoint } = await counted();
      expect(rows).toBe(checkpoint);
      expect(checkpoint).toBeGreaterThan(0);
    }
    const last = spawn(process.execPath, [script, eventStoreUrl, readModelUrl], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const head = await eventStore.head();
    while ((await counted()).checkpoint < head) await nextCommit(last);
    last.kill('SIGKILL');
    await once(last, 'exit');
    expect(await counted()).toEqual({ rows: head, checkpoint: head });
  });
});
