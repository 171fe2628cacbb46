/** Who has entered each attempt of a round as it is: devices and accounts in turn, and the same told all at once or step by step. */
import { beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { RoundEvent } from '../../../../src/competition/aggregates/round/round.js';
import { authorsAfter, NO_AUTHORS } from '../../../../src/competition/results/entry-authors.js';
import { EntryAuthorsReader } from '../../../../src/competition/rounds/entry-authors.reader.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import type { RecordedEvent } from '../../../../src/foundation/event-store/event-store.js';

const KEY = { spaceId: 'default', competitionId: 'A', eventId: '333', roundNumber: 1 };
const REF = { resultId: 'A_333_r1_1', personIds: [1] };

let stream: RecordedEvent[];
beforeEach(() => {
  stream = [];
});

const made = (by: string, { type, data }: RoundEvent, id = `${by} ${stream.length}`): RecordedEvent => ({
  id,
  type,
  data,
  metadata: { actor: by === 'mo' ? 'dashboard' : 'device', correlationId: 'test', schema: 1, keyId: by },
  stream: 'round',
  revision: stream.length,
  position: stream.length + 1,
  recordedAt: 0,
});
const happened = (by: string, event: RoundEvent): void => {
  stream.push(made(by, event));
};
const entered = (attemptNumber: number, value: number): RoundEvent => ({
  type: 'AttemptEntered',
  data: { ...REF, attemptNumber, value },
});
const replaced = (...attempts: readonly number[]): RoundEvent => ({
  type: 'ResultReplaced',
  data: { ...REF, attempts },
});

const reader = () =>
  new EntryAuthorsReader(
    { readStream: async (_, { from = 0 } = {}) => stream.slice(from) },
    new StreamNames(),
  );
const told = async (from: EntryAuthorsReader) =>
  (await from.read(KEY)).results.get(REF.resultId)?.authors.map((author) => author?.keyId ?? null);

it('keeps the author of a value that a later change leaves as it was', async () => {
  happened('timer', entered(1, 900));
  happened('timer', entered(2, 950));
  happened('mo', replaced(900, 960, 1_000, 0, 0));
  expect(await told(reader())).toEqual(['timer', 'mo', 'mo', null, null]);
  happened('timer', { type: 'AttemptCleared', data: { ...REF, attemptNumber: 2, previous: 960 } });
  expect(await told(reader())).toEqual(['timer', null, 'mo', null, null]);
  happened('mo', { type: 'ResultRemoved', data: REF });
  expect(await told(reader())).toBeUndefined();
  happened('mo', replaced(900, 0, 0, 0, 0));
  expect(await told(reader())).toEqual(['mo', null, null, null, null]);
});

it('goes on from what it read before, and begins anew when the store has other events by now', async () => {
  const kept = reader();
  happened('timer', entered(1, 900));
  expect(await told(kept)).toEqual(['timer', null, null, null, null]);
  happened('mo', entered(2, 950));
  expect(await told(kept)).toEqual(['timer', 'mo', null, null, null]);
  expect(await told(kept)).toEqual(['timer', 'mo', null, null, null]);
  stream = [made('other', entered(1, 800), 'another')];
  expect(await told(kept)).toEqual(['other', null, null, null, null]);
  stream = [];
  expect(await told(kept)).toBeUndefined();
});

it('tells the same at once and step by step, and only of attempts that are taken', () => {
  const value = fc.constantFrom(0, -1, 900, 950);
  const step = fc.record({
    by: fc.constantFrom('timer', 'mo'),
    event: fc.oneof(
      fc.tuple(fc.integer({ min: 1, max: 5 }), value).map(([attempt, of]) => entered(attempt, of)),
      fc.array(value, { minLength: 5, maxLength: 5 }).map((attempts) => replaced(...attempts)),
      fc.constant<RoundEvent>({ type: 'ResultRemoved', data: REF }),
    ),
  });
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      stream = [];
      const kept = reader();
      for (const { by, event } of steps) {
        happened(by, event);
        await kept.read(KEY);
      }
      const atOnce = stream.reduce((state, event) => authorsAfter(state, event), NO_AUTHORS);
      const read = await kept.read(KEY);
      expect(read.results.toJS()).toEqual(atOnce.results.toJS());
      for (const { attempts, authors } of read.results.values())
        expect(authors.map((author) => author !== null)).toEqual(attempts.map((each) => each !== 0));
    }),
  );
});
