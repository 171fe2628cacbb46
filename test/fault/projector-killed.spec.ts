/**
 * The process that projects is killed, again and again in the middle of its work, or stopped until another has taken over
 * and then woken up: rows and checkpoint agree at every moment that a reader sees, and what comes of it is what the log
 * says.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../src/app/stores/open-event-store.js';
import { openReadModelStore } from '../../src/app/stores/open-read-model-store.js';
import { spaceStream } from '../../src/competition/aggregates/space/space.events.js';
import { StreamNames } from '../../src/domain/streams.js';
import type { EventStore, NewEvent } from '../../src/foundation/event-store/event-store.js';
import type { Collection, ReadModelStore } from '../../src/foundation/read-models/read-model-store.js';
import { appendNext } from '../support/events.js';
import { mongoServer, someDatabase } from '../support/mongodb/mongo-server.js';
import { tallyProjection } from '../support/toy-projections.js';
import { until } from '../support/until.js';

interface CountedTally {
  readonly id: string;
  readonly group: string;
  readonly total: number;
  readonly events: number;
}

interface Engine {
  readonly name: string;
  /** A dead process of this machine gives its lease up at once on SQLite, and when that has run out elsewhere. */
  readonly kills: number;
  readonly eventsAtOnce: number;
  readonly urlIn: (folder: string) => string;
}

const tallies: Collection<CountedTally> = { name: 'tallies', indexes: { byTotal: ['group', 'total'] } };
const stream = new StreamNames().of(spaceStream, 'toy');
const script = fileURLToPath(new URL('../support/projector-process.mjs', import.meta.url));
const LONG = 600_000;

const mongo = await mongoServer(['ReadModelStore'], { what: 'a projector that is killed or paused' });

const engines: readonly Engine[] = [
  {
    name: 'SQLite',
    kills: 10,
    eventsAtOnce: 3_000,
    urlIn: (folder) => `sqlite:${join(folder, 'read-models.sqlite')}`,
  },
  ...(mongo
    ? [{ name: mongo.engine, kills: 4, eventsAtOnce: 1_500, urlIn: () => mongo.url(someDatabase()) }]
    : []),
];

describe.each(engines)('a projector on $name', ({ kills, eventsAtOnce, urlIn }) => {
  let folder: string;
  let eventStoreUrl: string;
  let readModelUrl: string;
  let eventStore: EventStore;
  let readModelStore: ReadModelStore;
  let running: ChildProcess[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-killed-'));
    eventStoreUrl = `sqlite:${join(folder, 'events.sqlite')}`;
    readModelUrl = urlIn(folder);
    eventStore = await openEventStore(eventStoreUrl);
    readModelStore = await openReadModelStore(readModelUrl);
    await readModelStore.prepare([tallyProjection()]);
    running = [];
  });

  afterEach(async () => {
    for (const child of running) await kill(child);
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
    await appendNext(eventStore, stream, events);
  };

  const start = (): ChildProcess => {
    const stdio = ['pipe', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, [script, eventStoreUrl, readModelUrl], { stdio: [...stdio] });
    running.push(child);
    return child;
  };

  const kill = async (child: ChildProcess): Promise<void> => {
    running = running.filter((one) => one !== child);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  /** Resolves when the process has made one more commit visible, or seen one. */
  const nextCommit = async (child: ChildProcess): Promise<void> => {
    if (child.stdout) await once(child.stdout, 'data');
  };

  /** As one moment shows it: how many events the rows count, and how many the checkpoint says. */
  const counted = (): Promise<{ readonly rows: number; readonly checkpoint: number }> =>
    readModelStore.snapshot(async (view) => {
      const documents = await view.scan(tallies, { index: 'byTotal', equals: {} });
      expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
      const rows = documents.reduce((sum, { events }) => sum + events, 0);
      return { rows, checkpoint: await view.position('tally') };
    });

  const expectAgreement = async (): Promise<number> => {
    const { rows, checkpoint } = await counted();
    expect(rows).toBe(checkpoint);
    return checkpoint;
  };

  /** Looks without a pause until the log is shown to its end. */
  const expectAllShown = async (): Promise<void> => {
    const head = await eventStore.head();
    await until(expectAgreement, (checkpoint) => checkpoint === head);
  };

  it(
    'leaves rows and checkpoint that agree when it is killed, and the next one goes on',
    async () => {
      await append(500);
      for (let times = 0; times < kills; times += 1) {
        const child = start();
        await nextCommit(child);
        const feeding = append(eventsAtOnce);
        await nextCommit(child);
        await kill(child);
        await feeding;
        expect(await expectAgreement()).toBeGreaterThan(0);
      }
      start();
      await expectAllShown();
    },
    LONG,
  );

  it(
    'that is stopped in the middle of its work and wakes up after another has gone on changes nothing',
    async () => {
      await append(500);
      const [first, second] = [start(), start()];
      await nextCommit(first);
      await nextCommit(second);
      const before = await eventStore.head();
      await append(eventsAtOnce);
      await until(expectAgreement, (checkpoint) => checkpoint > before);
      // Whichever projects is stopped first; the other takes over when the lease has run out.
      const [lease] = await readModelStore.leases();
      const [paused, other] = lease?.holder.includes(`:${first.pid}:`) ? [first, second] : [second, first];
      paused.kill('SIGSTOP');
      await append(eventsAtOnce);
      await expectAllShown();
      const shown = await everyRow();
      paused.kill('SIGCONT');
      await nextCommit(paused);
      expect(await everyRow()).toEqual(shown);
      await append(eventsAtOnce);
      await expectAllShown();
      await kill(other);
      await append(10);
      await expectAllShown();
    },
    LONG,
  );

  const everyRow = (): Promise<readonly CountedTally[]> =>
    readModelStore.snapshot((view) => view.scan(tallies, { index: 'byTotal', equals: {} }));
});
