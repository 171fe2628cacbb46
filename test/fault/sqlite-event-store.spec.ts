/** The embedded event store when processes race, are killed, or lose their writer or their disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../src/app/stores/open-event-store.js';
import { SqliteEventStore } from '../../src/engines/sqlite/event-store/sqlite-event-store.js';
import { EventStoreUnavailableError, NO_STREAM } from '../../src/foundation/event-store/event-store.js';
import { newEvent, newEvents } from '../support/events.js';

const APPENDING = fileURLToPath(new URL('../support/appending-process.mjs', import.meta.url));
const WHOLE_LINE = /^\S+ \d+ [0-9a-f-]{36}$/;
const FAULTY_WRITER = new URL('../support/faulty-writer.mjs', import.meta.url);

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'podium-faults-'));
  path = join(folder, 'events.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Appending {
  readonly process: ChildProcess;
  /** What was acknowledged, as `STREAM REVISION ID`. */
  readonly acknowledged: string[];
  readonly ended: Promise<unknown>;
  /** Resolves when so many events were acknowledged. */
  readonly reaches: (count: number) => Promise<void>;
}

const startAppending = (wanted: number, streams: readonly string[]): Appending => {
  const child = spawn(process.execPath, [APPENDING, `sqlite:${path}`, String(wanted), ...streams], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    // Killed, a process may leave half a line.
    if (WHOLE_LINE.test(line)) acknowledged.push(line);
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]);
  const reaches = async (count: number): Promise<void> => {
    while (acknowledged.length < count) await once(lines, 'line');
  };
  return { process: child, acknowledged, ended, reaches };
};

/** Everything in the store, as `STREAM REVISION ID`; streams without gaps, or it throws. */
const recorded = async (): Promise<string[]> => {
  const store = await openEventStore(`sqlite:${path}`);
  const lines: string[] = [];
  const next = new Map<string, number>();
  for await (const { stream, revision, id } of store.readAll()) {
    expect(revision).toBe(next.get(stream) ?? 0);
    next.set(stream, revision + 1);
    lines.push(`${stream} ${revision} ${id}`);
  }
  await store.close();
  return lines;
};

describe('processes that append to one stream', () => {
  it('win each revision once between them, and lose none', async () => {
    const rivals = [startAppending(150, ['s']), startAppending(150, ['s']), startAppending(150, ['s'])];
    await Promise.all(rivals.map(({ ended }) => ended));
    const acknowledged = rivals.flatMap((rival) => rival.acknowledged);
    expect(acknowledged).toHaveLength(450);
    expect((await recorded()).sort()).toEqual(acknowledged.sort());
  });
});

describe('a process killed while it appends', () => {
  it('leaves everything that was acknowledged, once', async () => {
    const streams = Array.from({ length: 16 }, (_, index) => `s${index}`);
    const acknowledged: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const victim = startAppending(0, streams);
      await victim.reaches(100 + 137 * round);
      victim.process.kill('SIGKILL');
      await victim.ended;
      acknowledged.push(...victim.acknowledged);
    }
    const there = await recorded();
    expect(new Set(there).size).toBe(there.length);
    const missing = new Set(acknowledged);
    for (const line of there) missing.delete(line);
    expect([...missing]).toEqual([]);
  });
});

describe('a writer thread', () => {
  let store: SqliteEventStore;
  beforeEach(() => {
    store = new SqliteEventStore(path, { writerUrl: FAULTY_WRITER });
  });
  afterEach(() => store.close());

  it('that dies fails what is under way, and another takes its place', async () => {
    await store.append('s', NO_STREAM, newEvents(1));
    const results = await Promise.allSettled([
      store.append('s', 0, newEvents(1)),
      store.append('die', NO_STREAM, newEvents(1)),
    ]);
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(EventStoreUnavailableError) });
    }
    expect(await store.append('s', 0, newEvents(1))).toMatchObject({ ok: true, revision: 1 });
  });

  it('that dies after it wrote leaves appends that can be sent again', async () => {
    const events = newEvents(2);
    await expect(store.append('die-after', NO_STREAM, events)).rejects.toThrow(EventStoreUnavailableError);
    const reopened = await openEventStore(`sqlite:${path}`);
    const again = await reopened.append('die-after', NO_STREAM, events);
    expect(again).toMatchObject({ ok: true, duplicate: true, revision: 1 });
    await reopened.close();
  });

  it('that finds the disk full fails what it could not write, all of it, and writes again when there is room', async () => {
    await store.append('s', NO_STREAM, newEvents(1));
    const large = { text: 'x'.repeat(100_000) };
    await expect(
      store.append('full', NO_STREAM, [newEvent('Small'), newEvent('Large', large)]),
    ).rejects.toThrow(/disk is full/);
    expect(await store.readStream('full')).toBeNull();
    expect(await store.append('s', 0, newEvents(1))).toMatchObject({ ok: true, revision: 1 });
    expect(await store.append('new', NO_STREAM, newEvents(1))).toMatchObject({ ok: true, revision: 0 });
  });

  it('that fails an append says so until a trial of its own succeeds, whether or not a client appends', async () => {
    expect(await store.takesAppends()).toBe(true);
    await expect(store.append('lose', NO_STREAM, newEvents(3))).rejects.toThrow(/readonly database/);
    expect(await store.takesAppends()).toBe(false);
    expect(await store.takesAppends()).toBe(false);
    expect(await store.takesAppends()).toBe(true);
    expect(await store.head()).toBe(0);
    expect(await store.append('s', NO_STREAM, newEvents(1))).toMatchObject({ ok: true, position: 1 });
  });

  it('that cannot be started fails its appends', async () => {
    const broken = new SqliteEventStore(path, { writerUrl: new URL('file:///nowhere/writer.mjs') });
    await expect(broken.append('s', NO_STREAM, newEvents(1))).rejects.toThrow(EventStoreUnavailableError);
    expect(await broken.takesAppends()).toBe(false);
    await broken.close();
  });
});
