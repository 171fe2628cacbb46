/**
 * Random bits are flipped, and ends cut off, in the event file of a stopped server. No read gives an event that is not what was
 * appended, and whatever is missing or refused is named at the opening or by the checks of `podium verify`.
 * PODIUM_TEST_FLIPS sets how often.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { cliWiring } from '../../src/app/cli-wiring.js';
import { type OpenEventStoreOptions, openEventStore } from '../../src/app/stores/open-event-store.js';
import type { EventStore, RecordedEvent } from '../../src/foundation/event-store/event-store.js';
import { isVerifiable } from '../../src/foundation/integrity/damage.js';
import { collect, newEvent } from '../support/events.js';

const RUNS = Number(process.env.PODIUM_TEST_FLIPS ?? 20);
jest.setTimeout(60_000 + RUNS * 5_000);

const folder = mkdtempSync(join(tmpdir(), 'podium-flips-'));
const file = join(folder, 'events.sqlite');
const STREAMS = Array.from({ length: 12 }, (_, index) => `podium/round/default/Open2026/333/${index}`);
let sound: Buffer;
let appended: readonly RecordedEvent[];

beforeAll(async () => {
  const store = await openEventStore(`sqlite:${file}`);
  for (let revision = -1; revision < 120; revision += 10) {
    for (const stream of STREAMS) {
      const events = Array.from({ length: 10 }, (_, index) =>
        newEvent(index % 7 === 0 ? 'ResultReplaced' : 'AttemptEntered', {
          attempt: 1_000 + revision + index,
          personId: index,
        }),
      );
      await store.append(stream, revision, events);
    }
  }
  appended = await collect(store.readAll());
  await store.close();
  sound = await readFile(file);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  /** Events that a read gave and that are not as they were appended. */
  wrong: number;
  /** Whether all events were given by every read. */
  isWhole: boolean;
}

/** Reads everything in each way. What throws has named the damage itself. */
const readAllOf = async (store: EventStore): Promise<Outcome> => {
  const outcome: Outcome = { wrong: 0, isWhole: true };
  const compare = async (events: AsyncIterable<RecordedEvent>, expected: readonly RecordedEvent[]) => {
    let given = 0;
    try {
      for await (const event of events) {
        given += 1;
        if (!isDeepStrictEqual(event, appended[event.position - 1])) outcome.wrong += 1;
      }
    } catch {
      outcome.isWhole = false;
    }
    if (given !== expected.length) outcome.isWhole = false;
  };
  await compare(store.readAll(), appended);
  await compare(store.readAll({ filter: { types: ['ResultReplaced'] } }), ofType('ResultReplaced'));
  for (const stream of STREAMS) {
    const read = async function* () {
      yield* (await store.readStream(stream)) ?? [];
    };
    await compare(
      read(),
      appended.filter((event) => event.stream === stream),
    );
  }
  return outcome;
};

const ofType = (type: string): readonly RecordedEvent[] => appended.filter((event) => event.type === type);

const isNamed = async (store: EventStore): Promise<boolean> => {
  const fault = await cliWiring.embedded.findFault(file).catch(String);
  if (fault !== null) return true;
  if (!isVerifiable(store)) return false;
  const steps = await collect(store.scrub());
  return steps.some(({ damages }) => damages.length > 0);
};

/** Null: the store names the damage by not opening. */
const opened = (options: OpenEventStoreOptions): Promise<EventStore | null> =>
  openEventStore(`sqlite:${file}`, options).catch(() => null);

/**
 * What a server, which checks the file first, would take for whole though it is not: a stream that is shorter than it was or
 * not there, and, where it named no damage, the events of a type.
 */
const takenForWhole = async (): Promise<readonly string[]> => {
  let isNamedAtOpening = false;
  const onDamage = (): void => {
    isNamedAtOpening = true;
  };
  const store = await opened({ checksFile: true, onDamage });
  if (store === null) return [];
  try {
    // The end of the events is held to the witnesses.
    if ((await store.head().catch(() => 0)) < appended.length) return [];
    const short: string[] = [];
    // A server has the engine check its pages, too.
    if (!isNamedAtOpening && (await cliWiring.embedded.findFault(file).catch(String)) === null) {
      const filter = { types: ['ResultReplaced'] };
      const given = await collect(store.readAll({ filter })).catch(() => null);
      if (given && given.length !== ofType('ResultReplaced').length) short.push('ResultReplaced');
    }
    for (const stream of STREAMS) {
      const length = await store.readStream(stream).then(
        (events) => events?.length ?? 0,
        () => null,
      );
      const expected = appended.filter((event) => event.stream === stream).length;
      if (length !== null && length !== expected) short.push(stream);
    }
    return short;
  } finally {
    await store.close();
  }
};

const withBytes = async (bytes: Buffer): Promise<void> => {
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  await writeFile(file, bytes);
};

it('gives no event that was not appended, and names what is missing', async () => {
  const places = fc.record({ at: fc.nat(sound.length - 1), bit: fc.nat(7) });
  const flips = fc.noBias(fc.array(places, { minLength: 1, maxLength: 40 }));
  // One file in ten is cut off as well: such a one seldom opens, and says nothing of what reads find.
  const cuts = fc.oneof(
    { arbitrary: fc.constant(null), weight: 9 },
    { arbitrary: fc.noBias(fc.nat(sound.length - 1)), weight: 1 },
  );
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(flips, cuts, async (flipped, cut) => {
      const bytes = Buffer.from(sound);
      for (const { at, bit } of flipped) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
      await withBytes(cut === null ? bytes : bytes.subarray(0, cut));
      const store = await opened({ readOnly: true });
      if (store === null) return;
      try {
        const { wrong, isWhole } = await readAllOf(store);
        expect(wrong).toBe(0);
        if (!isWhole) {
          refused += 1;
          expect(await isNamed(store)).toBe(true);
        }
      } finally {
        await store.close();
      }
      expect(await takenForWhole()).toEqual([]);
    }),
    { numRuns: RUNS, ...(process.env.PODIUM_TEST_SEED && { seed: Number(process.env.PODIUM_TEST_SEED) }) },
  );
  expect(refused).toBeGreaterThan(0);
});
